"""The cluster with SLURM that other tests use: its nodes are hosts, and nothing of it is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from batch_system import NODES, Slurm

pytestmark = pytest.mark.alone

HOLD = "import batch_system, sys\nwith batch_system.slurm() as s: print(s.inside); sys.stdin.read()"


def test_nodes_are_hosts(cluster: Slurm, tmp_path: Path) -> None:
    look = "echo $(hostname) $(ip -o -4 addr show dev eth0 | grep -o '10[0-9.]*/') $(ls /dev/shm)"
    done = cluster.run(["srun", f"--nodes={NODES}", "sh", "-c", look], tmp_path, os.environ)
    assert done.stderr == ""
    assert sorted(done.stdout.splitlines()) == ["node0 10.77.0.1/", "node1 10.77.0.2/"]


def test_links_are_shaped(cluster: Slurm, tmp_path: Path) -> None:
    look = ["srun", "--nodes=1", "tc", "qdisc", "show", "dev", "eth0"]
    assert "rate 1Gbit" in cluster.run(look, tmp_path, os.environ).stdout


def test_a_batch_script_is_run(cluster: Slurm, tmp_path: Path) -> None:
    script = "#!/bin/sh\n#SBATCH --nodes=2 --output=out\nsrun hostname\n"
    done = cluster.run(["sbatch", "--wait"], tmp_path, os.environ, said=script)
    assert done.returncode == 0, done.stderr
    assert sorted((tmp_path / "out").read_text().split()) == ["node0", "node1"]


def test_nothing_outlives_a_killed_test(cluster: Slurm) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=Path(__file__).parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        inside = int(process.stdout.readline())
        space = os.readlink(f"/proc/{inside}/ns/mnt")
        assert space in spaces()
        process.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while space in spaces():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert os.readlink(f"/proc/{cluster.inside}/ns/mnt") in spaces()


def spaces() -> set[str]:
    """The mount namespaces that have processes."""
    found = set()
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            found.add(os.readlink(f"/proc/{process}/ns/mnt"))
        except OSError:  # it ended meanwhile
            continue
    return found
