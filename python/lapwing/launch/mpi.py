"""`mpi:N`: ranks under the installed MPI, or in the batch allocation."""

from ..errors import LapwingError
from .job import Job, reporting
from .shmem import shmem_environment

# UCX's transports through shared memory that containers allow.
_SHARED_MEMORY = "posix,sysv,self"

# More processes than this on one core are a typing error.
_RANKS_PER_CORE = 64


def mpi_job(
    program: list[str],
    ranks: int,
    *,
    ppn: int | None = None,
    family: str,
    launcher: str,
    options: list[str],
    cores: int,
    as_root: bool,
) -> Job:
    """`program` (with its arguments) on `ranks` ranks.

    ppn: ranks on each node; None, as many as the launcher likes.
    family: the MPI, "openmpi", "mpich", "intel", "any", or "oshmem".  launcher: its command, or
    "srun" in a batch allocation.  options: for the launcher, unchanged.  cores: number of cores of
    this machine; ranks are bound to them if there are enough.  as_root: root runs the launcher.
    """
    environment = {}
    if family == "oshmem":
        alone = launcher != "srun" and not options
        environment = shmem_environment(_SHARED_MEMORY if alone else None)
    if launcher == "srun":
        # Without the number of nodes srun warns that it ignores the number of ranks on each.
        nodes = [f"--nodes={ranks // ppn}", f"--ntasks-per-node={ppn}"] if ppn else []
        # Without this option the other ranks would wait for ever for one that died.
        command = ["srun", "-n", str(ranks), "--kill-on-bad-exit=1", *nodes]
        return Job([*command, *options, *program], environment)
    if ppn and ranks != ppn and not options:
        raise LapwingError(
            f"mpi:{ranks} with --ppn {ppn}: needs {ranks // ppn} nodes, and this machine is one; "
            "name the hosts after --launch"
        )
    if ranks > cores * _RANKS_PER_CORE and not options:
        raise LapwingError(
            f"mpi:{ranks}: too many ranks for the {cores} cores of this machine; "
            "use sim:CLUSTER:N, or name the hosts after --launch"
        )
    command = [launcher, "-n", str(ranks)]
    fits = ranks <= cores
    if family in ("openmpi", "oshmem"):
        command += ["--bind-to", "core"] if fits else ["--oversubscribe", "--bind-to", "none"]
        command += ["--map-by", f"ppr:{ppn}:node"] if ppn else []
        # mpirun does not pass other variables to other hosts unless it is told to.
        command += ["-x", "LAPWING_TARGET"]
        if family == "oshmem":
            command += ["-x", "SHMEM_SYMMETRIC_SIZE", "-x", "SHMEM_SYMMETRIC_HEAP_SIZE"]
        if as_root:
            command.append("--allow-run-as-root")
    elif family in ("mpich", "intel"):
        # Intel's binds by itself, and its earlier versions do not know the option.
        command += ["-bind-to", "core"] if fits and family == "mpich" else []
        command += ["-ppn", str(ppn)] if ppn else []
        program = reporting(program)
    return Job([*command, *options, *program], environment)
