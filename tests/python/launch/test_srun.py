"""Runs inside an allocation of a real SLURM, and how they end."""

import os
import sys
from pathlib import Path

import pytest
from batch_system import Slurm

pytestmark = pytest.mark.alone

# What each MPI of Debian understands.
INTERFACES = {"openmpi": "pmix", "mpich": "pmi2"}

RUN = """
import sys
from lapwing.errors import LapwingError
from lapwing.launch.run import run
from lapwing.launch.target import parse
mpi, ranks, ppn, seconds, words, *options = sys.argv[1:]
try:
    run(parse(f"mpi:{ranks}", int(ppn) or None), words.split(), mpi=mpi, launch_options=options,
        timeout=float(seconds))
except LapwingError as error:
    print(error)
"""

# Where a rank runs, in place of the native program.
PLACED = "#!/bin/sh\necho $(hostname) ${OMPI_MCA_btl_vader_backing_directory-none} >> where\n"


class Login:
    """The login node: each call asks for an allocation of both nodes and runs in it."""

    def __init__(self, cluster: Slurm, folder: Path) -> None:
        self.cluster, self.folder = cluster, folder

    def shell(self, script: str, *allocation: str, seconds: float = 60) -> str:
        """The output of a shell script in an allocation, without what `salloc` says."""
        asked = allocation or ("--nodes=2", "--ntasks-per-node=2")
        words = ["salloc", "--quiet", *asked, "bash", "-c", script]
        environment = {**os.environ, "RUN": RUN}
        done = self.cluster.run(words, self.folder, environment, timeout=seconds)
        return done.stdout

    def run(
        self,
        mpi: str,
        words: str,
        *options: str,
        ranks: int = 2,
        ppn: int = 0,
        seconds: float = 50,
        around: str = "{}",
    ) -> str:
        """What the user is told of a run.  around: a script; `{}` is the run."""
        asked = [f"'{word}'" for word in (mpi, ranks, ppn, seconds, words, *options)]
        run = f'{sys.executable} -c "$RUN" {" ".join(asked)}'
        return self.shell(around.format(run), seconds=seconds + 60)


@pytest.fixture
def login(cluster: Slurm, native: Path, tmp_path: Path) -> Login:
    return Login(cluster, tmp_path)


# Two ranks of MPICH: more of them, on several nodes, sometimes never end MPI_Finalize (MPICH 4.0).
@pytest.mark.parametrize(
    ("mpi", "ranks", "result"), [("openmpi", 4, "4 6 mpi:4 -"), ("mpich", 2, "2 1 mpi:2 -")]
)
def test_ranks_find_each_other(mpi: str, ranks: int, result: str, login: Login) -> None:
    said = login.run(mpi, "environment result", f"--mpi={INTERFACES[mpi]}", ranks=ranks, ppn=2)
    assert said == ""
    assert (login.folder / "result").read_text() == result


@pytest.mark.parametrize("mpi", INTERFACES)
def test_a_rank_that_fails(mpi: str, login: Login) -> None:
    said = login.run(mpi, "error", f"--mpi={INTERFACES[mpi]}")
    assert said == "mpi:2: rank 1: the disk is full\n"


@pytest.mark.parametrize("mpi", INTERFACES)
def test_a_rank_that_is_killed_ends_the_others(mpi: str, login: Login) -> None:
    assert login.run(mpi, "die", f"--mpi={INTERFACES[mpi]}") == "mpi:2: rank 1: Killed\n"


def test_a_job_that_is_cancelled(login: Login) -> None:
    begun = "until squeue --steps --noheader | grep -q lapwing; do sleep 0.1; done"
    cancel = f"{begun}; scancel $SLURM_JOB_ID"
    said = login.run("openmpi", "persist", around=f"({cancel}) & {{}}; wait")
    # Which line srun passes on before it ends is a matter of chance.
    assert "the batch system cancelled it" in said


@pytest.mark.nightly
@pytest.mark.parametrize("mpi", INTERFACES)
def test_a_run_whose_time_is_over(mpi: str, login: Login) -> None:
    said = login.run(mpi, "persist", f"--mpi={INTERFACES[mpi]}", "--time=1", seconds=200)
    assert said == "mpi:2: the batch system ended it: TIME LIMIT\n"


def test_what_runs_too_long_is_stopped(login: Login) -> None:
    said = login.run("openmpi", "hang", seconds=2, around="{}; squeue --steps --noheader")
    assert said == "mpi:2: not done after 2 s, stopped\n"


def test_nothing_outlives_a_killed_command(login: Login) -> None:
    gone = "while squeue --steps --noheader | grep -q lapwing; do sleep 0.1; done; echo gone"
    begun = "until squeue --steps --noheader | grep -q lapwing; do sleep 0.1; done"
    said = login.run("openmpi", "hang", around=f"{{}} & {begun}; kill -KILL $!; {gone}")
    assert said == "gone\n"


def test_the_wrong_interface(login: Login) -> None:
    said = login.run("openmpi", "environment result", "--mpi=pmi2")
    assert "give --launch --mpi=TYPE" in said


@pytest.mark.parametrize(
    ("ranks", "ppn", "hosts"), [(4, 2, ["node0"] * 2 + ["node1"] * 2), (2, 2, ["node0"] * 2)]
)
def test_ranks_are_where_they_were_asked_for(
    ranks: int, ppn: int, hosts: list[str], login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = login.folder / "lapwing-mpi.openmpi"
    program.write_text(PLACED)
    program.chmod(0o755)
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(login.folder))
    assert login.run("openmpi", "", ranks=ranks, ppn=ppn) == ""
    found = sorted((login.folder / "where").read_text().splitlines())
    # The folder of shared memory that this host has is none of the nodes'.
    assert found == [f"{host} none" for host in hosts]


def test_more_ranks_than_were_allocated(login: Login) -> None:
    said = login.run("openmpi", "", ranks=64)
    assert "More processors requested than permitted" in said


def test_both_parts_of_a_heterogeneous_job(login: Login) -> None:
    # Not over PMIx: srun of SLURM 22.05 sometimes goes on when the ranks of both parts have ended.
    # Two of its threads stop the same agent, and one of them waits for ever.
    options = "--mpi=pmi2 --het-group=0,1 -n 1"
    script = f"{sys.executable} -c \"$RUN\" mpich 2 0 50 'environment result' {options}"
    parts = ["--nodes=1", "--ntasks=1"]
    assert login.shell(script, *parts, ":", *parts) == ""
    assert (login.folder / "result").read_text() == "2 1 mpi:2 -"
