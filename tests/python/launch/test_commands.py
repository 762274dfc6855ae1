"""Command lines, which are pure functions of what is known."""

from typing import Any

import pytest

from lapwing.errors import LapwingError
from lapwing.launch.job import Job
from lapwing.launch.mpi import mpi_job
from lapwing.launch.net import net_job
from lapwing.launch.sim import sim_job
from lapwing.testbed.cluster import load_cluster


def mpi(ranks: int, **changes: Any) -> Job:
    facts: dict[str, Any] = {"family": "openmpi", "launcher": "mpirun", "options": [], "cores": 4}
    return mpi_job(["prog", "x"], ranks, **{**facts, "as_root": False, **changes})


def test_openmpi_binds_where_ranks_fit() -> None:
    assert mpi(4).command == (
        ["mpirun", "-n", "4", "--bind-to", "core", "-x", "LAPWING_TARGET", "prog", "x"]
    )


def test_openmpi_oversubscribes_where_they_do_not() -> None:
    assert "--oversubscribe --bind-to none" in " ".join(mpi(5).command)


def test_openmpi_as_root() -> None:
    assert "--allow-run-as-root" in mpi(2, as_root=True).command


def test_mpich() -> None:
    command = mpi(2, family="mpich", launcher="mpiexec", options=["-print-all-exitcodes"]).command
    assert command[:6] == ["mpiexec", "-n", "2", "-bind-to", "core", "-print-all-exitcodes"]
    assert command[-2:] == ["prog", "x"]


def test_unknown_mpi_gets_no_options() -> None:
    assert mpi(8, family="any", launcher="mpiexec").command == ["mpiexec", "-n", "8", "prog", "x"]


def test_batch() -> None:
    job = mpi(4096, launcher="srun", options=["--exclusive"])
    assert job.command == ["srun", "-n", "4096", "--exclusive", "prog", "x"]


def test_too_many_ranks_for_one_machine() -> None:
    with pytest.raises(LapwingError, match="too many ranks"):
        mpi(100_000)


def sim(*arguments: str) -> Job:
    return sim_job(
        "/m.smpi",
        list(arguments),
        3,
        cluster=load_cluster("ib4x"),
        platform="p",
        hostfile="h",
        options=["-map"],
    )


def test_sim() -> None:
    job = sim("x")
    assert job.command[:7] == ["smpirun", "-np", "3", "-platform", "p", "-hostfile", "h"]
    assert job.command[-3:] == ["-map", "/m.smpi", "x"]
    assert job.environment["LAPWING_KERNELS"].startswith("add=4000000000,")


@pytest.mark.parametrize("argument", ["a b", "*", "x[1]", ""])
def test_sim_refuses_what_smpirun_would_mangle(argument: str) -> None:
    with pytest.raises(LapwingError, match="smpirun"):
        sim(argument)


def net(family: str) -> Job:
    return net_job(
        ["prog"],
        2,
        family=family,
        launcher="go",
        options=["-v"],
        rate=10**9,
        entry=["unshare"],
        processors=[0, 1],
    )


def test_net_openmpi_stays_on_the_link() -> None:
    line = " ".join(net("openmpi").command)
    assert line.startswith("unshare sh -c")
    assert "ip netns exec pnsw go -n 2" in line
    assert "--mca btl tcp,self --mca osc pt2pt --mca btl_tcp_if_include 10.77.0.0/24 -v" in line


def test_net_mpich_stays_on_the_link() -> None:
    job = net("mpich")
    assert "go -launcher fork -n 2 -v" in " ".join(job.command)
    assert job.environment == {"UCX_TLS": "tcp,self", "MPIR_CVAR_NOLOCAL": "1"}


def test_net_refuses_an_unknown_mpi() -> None:
    with pytest.raises(LapwingError, match="neither"):
        net("any")
