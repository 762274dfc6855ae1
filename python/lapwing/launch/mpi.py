"""`mpi:N`: the MPI that is here, or the batch allocation."""

from ..errors import LapwingError
from .job import Job, reporting
from .shmem import shmem_environment

# Shared memory in the ways that no container forbids.
_SHARED_MEMORY = "posix,sysv,self"

# More processes than this on one core is a slip of the finger.
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
    family: the MPI, "openmpi", "mpich", "any", or "oshmem".  launcher: its command, or "srun" in
    a batch allocation.  options: for the launcher, unchanged.  cores: of this machine; ranks are
    bound to them where there are enough.
    """
    environment = {}
    if family == "oshmem":
        alone = launcher != "srun" and not options
        environment = shmem_environment(_SHARED_MEMORY if alone else None)
    if launcher == "srun":
        nodes = [f"--ntasks-per-node={ppn}"] if ppn else []
        return Job(["srun", "-n", str(ranks), *nodes, *options, *program], environment)
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
        # mpirun hands no variable of ours to other hosts by itself.
        command += ["-x", "LAPWING_TARGET"]
        if family == "oshmem":
            command += ["-x", "SHMEM_SYMMETRIC_SIZE", "-x", "SHMEM_SYMMETRIC_HEAP_SIZE"]
        if as_root:
            command.append("--allow-run-as-root")
    elif family == "mpich":
        command += ["-bind-to", "core"] if fits else []
        command += ["-ppn", str(ppn)] if ppn else []
        program = reporting(program)
    return Job([*command, *options, *program], environment)
