"""Command lines of launchers, which are pure functions of target and options."""

from dataclasses import replace
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


def test_intel_binds_by_itself() -> None:
    assert mpi(2, family="intel", launcher="mpiexec").command[:4] == ["mpiexec", "-n", "2", "sh"]


def test_unknown_mpi_gets_no_options() -> None:
    assert mpi(8, family="any", launcher="mpiexec").command == ["mpiexec", "-n", "8", "prog", "x"]


def test_batch() -> None:
    job = mpi(4096, launcher="srun", options=["--exclusive"])
    assert job.command == (
        ["srun", "-n", "4096", "--kill-on-bad-exit=1", "--exclusive", "prog", "x"]
    )


def test_openshmem() -> None:
    job = mpi(2, family="oshmem", launcher="oshrun")
    line = " ".join(job.command)
    assert line.startswith("oshrun -n 2 --bind-to core")
    assert "-x SHMEM_SYMMETRIC_HEAP_SIZE" in line
    assert job.environment["OMPI_MCA_pml"] == "ucx"
    assert job.environment["UCX_TLS"] == "posix,sysv,self"
    assert job.environment["SHMEM_SYMMETRIC_HEAP_SIZE"] == job.environment["SHMEM_SYMMETRIC_SIZE"]


@pytest.mark.parametrize(
    "changes",
    [
        {"launcher": "srun"},
        {"launcher": "oshrun", "options": ["--host", "a,b"]},
    ],
)
def test_openshmem_on_other_hosts_finds_the_network_itself(changes: dict[str, Any]) -> None:
    job = mpi(2, family="oshmem", **changes)
    assert "UCX_TLS" not in job.environment
    assert job.environment["OMPI_MCA_pml"] == "ucx"


def test_ranks_on_each_node() -> None:
    hosts = ["--host", "a:2,b:2"]
    assert "--map-by ppr:2:node" in " ".join(mpi(4, ppn=2, options=hosts).command)
    mpich = mpi(4, family="mpich", ppn=2, options=["-hosts", "a,b"]).command
    assert mpich[mpich.index("-ppn") + 1] == "2"
    batch = mpi(4, launcher="srun", ppn=2).command
    assert "--nodes=2 --ntasks-per-node=2" in " ".join(batch)
    assert "--map-by" in mpi(2, ppn=2).command
    with pytest.raises(LapwingError, match="needs 2 nodes"):
        mpi(4, ppn=2)


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


def test_sim_says_what_is_simulated() -> None:
    ib4x = load_cluster("ib4x")

    def said(**changes: Any) -> str:
        cluster = replace(ib4x, **changes)
        words: dict[str, Any] = {"platform": "p", "hostfile": "h", "options": []}
        return sim_job("/m.smpi", [], 2, cluster=cluster, **words).environment["LAPWING_CLUSTER"]

    assert said() == said(name="another", description="of the same")
    different = [said(latency=6e-6), said(eager_limit=1), said(kernels={"add": 1e9}), said()]
    assert len(set(different)) == 4


@pytest.mark.parametrize("argument", ["a b", "*", "x[1]", ""])
def test_sim_refuses_what_smpirun_would_mangle(argument: str) -> None:
    with pytest.raises(LapwingError, match="smpirun"):
        sim(argument)


def net(family: str, version: str = "") -> Job:
    return net_job(
        ["prog"],
        2,
        family=family,
        version=version,
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
    assert "--mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca osc pt2pt -v" in line
    assert "--mca osc ucx" in " ".join(net("openmpi", "5.0.11").command)


def test_net_mpich_stays_on_the_link() -> None:
    job = net("mpich")
    assert "go -launcher fork -n 2 -v" in " ".join(job.command)
    assert job.environment == {"UCX_TLS": "tcp,self", "MPIR_CVAR_NOLOCAL": "1"}


def test_net_intel_stays_on_the_link() -> None:
    assert net("intel").environment["I_MPI_FABRICS"] == "ofi"


def test_net_openshmem_stays_on_the_link() -> None:
    job = net("oshmem")
    line = " ".join(job.command)
    assert "ip netns exec pnsw go -n 2" in line
    assert "--mca pml ucx --mca osc ucx --mca btl self" in line
    assert "ob1" not in line
    assert job.environment["UCX_TLS"] == "tcp,self"
    assert "SHMEM_SYMMETRIC_HEAP_SIZE" in job.environment


def test_net_refuses_an_unknown_mpi() -> None:
    with pytest.raises(LapwingError, match="no MPI that is known"):
        net("any")
