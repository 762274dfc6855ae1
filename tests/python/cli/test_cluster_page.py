"""The page about clusters, typed block by block into a shell on the login node of a real SLURM."""

import os
import re
from pathlib import Path

import pytest
from batch_system import Slurm
from pages import ROOT, Block, blocks, logical_lines

pytestmark = pytest.mark.alone

# The first two install Lapwing.
SCRIPTS = [block for block in blocks(ROOT / "docs" / "cluster.md") if block.language == "sh"]
SESSION, BATCH = SCRIPTS[2:-1], SCRIPTS[-1]

# Sixteen nodes with four ranks each, on two nodes.
SMALLER = [
    ("--nodes 16 --ntasks-per-node 4", "--nodes 2 --ntasks-per-node 2"),
    ("--nodes=16 --ntasks-per-node=4", "--nodes=2 --ntasks-per-node=1"),
    ("--on mpi:64 --ppn 4", "--on mpi:2 --ppn 1"),  # of the batch script
    ("--ppn 4", "--ppn 2"),
    ("mpi:64", "mpi:4"),
    ("--ranks 64", "--ranks 4"),
    ("-n 64", "-n 4"),
]
# Exit status 1 says something of the network.
MAY_END_WITH_1 = ("lapwing doctor", "lapwing run")
LONG = ("lapwing doctor",)


def typed(block: Block, *, quick: bool) -> list[str]:
    """The lines of a block, for two nodes.  quick: without what takes long."""
    text = block.text
    for many, few in SMALLER:
        text = text.replace(many, few)
    if quick:
        text = re.sub(r"(lapwing calibrate --on \S+)", r"\1 --only loggp", text)
    return [line for line in logical_lines(text) if not (quick and line.startswith(LONG))]


def variables(commands: Path, home: Path) -> dict[str, str]:
    """The environment of a user whose `lapwing` is in the folder `commands`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LAPWING_")}
    path = f"{commands}:{kept['PATH']}"
    # Ethernet, and two ranks on a core where a node has two.
    settings = {"OMPI_MCA_osc": "^ucx", "OMPI_MCA_mpi_yield_when_idle": "1"}
    return {**kept, **settings, "PATH": path, "HOME": str(home), "SHELL": "/bin/bash"}


def type_session(cluster: Slurm, folder: Path, environment: dict[str, str], *, quick: bool) -> str:
    """Type all blocks before the batch script; the output. Asserts how every line ends."""
    lines = [line for block in SESSION for line in typed(block, quick=quick)]
    said = ""
    for line in lines:  # `salloc` starts a shell that reads on, and `exit` leaves it
        if line.startswith(("salloc", "exit")):
            said += f"{line}\n"
        else:  # `srun` reads what is typed, too
            said += f'{line} < /dev/null\necho "== $? {line}"\n'
    (folder / "program").symlink_to(ROOT / "build" / "bin" / "example-jacobi.openmpi")
    done = cluster.run(["bash"], folder, environment, said=said + "exit\n", timeout=3600)
    told = done.stdout + done.stderr
    ends = re.findall(r"^== (\d+) (.*)$", done.stdout, re.MULTILINE)
    assert [line for _, line in ends] == re.findall('== [$][?] (.*)"', said), told
    for status, line in ends:
        assert status == "0" or (status == "1" and line.startswith(MAY_END_WITH_1)), told
    return told


def run_batch_script(
    cluster: Slurm, folder: Path, environment: dict[str, str], *, quick: bool
) -> None:
    (folder / "program").symlink_to(ROOT / "build" / "bin" / "example-stream.openmpi")
    (folder / "job.sh").write_text("\n".join(typed(BATCH, quick=quick)) + "\n")
    done = cluster.run(
        ["sbatch", "--wait", "--output=out", "job.sh"], folder, environment, timeout=1800
    )
    said = (folder / "out").read_text()
    assert done.returncode == 0, said
    assert said.startswith("sum 65536, received in "), said
    assert (folder / "machine.json").is_file()


def test_the_session(cluster: Slurm, tmp_path: Path) -> None:
    environment = variables(ROOT / "build" / "bin", tmp_path)
    told = type_session(cluster, tmp_path, environment, quick=True)
    assert "salloc: Granted job allocation" in told
    # Nothing is left beside what was asked for.
    assert {path.name for path in tmp_path.iterdir()} == {"machine.json", "program"}


def test_the_batch_script(cluster: Slurm, tmp_path: Path) -> None:
    run_batch_script(cluster, tmp_path, variables(ROOT / "build" / "bin", tmp_path), quick=True)


def test_observed_from_the_login_node(cluster: Slurm, tmp_path: Path) -> None:
    """Outside of an allocation; the nodes do not see the login node's temporary files."""
    environment = {**variables(ROOT / "build" / "bin", tmp_path), "TMPDIR": "/dev/shm"}
    program = [str(ROOT / "build" / "bin" / "example-jacobi.openmpi"), "100", "10"]
    words = ["lapwing", "observe", "--", "srun", "--nodes=2", *program]
    done = cluster.run(words, tmp_path, environment)
    assert done.returncode == 0, done.stderr
    assert "halo" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_the_page_as_it_stands(cluster: Slurm, tmp_path: Path) -> None:
    """With all that is measured."""
    environment = variables(ROOT / "build" / "bin", tmp_path)
    for name in ("session", "batch"):
        (tmp_path / name).mkdir()
    type_session(cluster, tmp_path / "session", environment, quick=False)
    run_batch_script(cluster, tmp_path / "batch", environment, quick=False)
