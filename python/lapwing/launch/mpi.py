"""`mpi:N`: the MPI that is here, or the batch allocation."""

from ..errors import LapwingError
from .job import Job, reporting

# More processes than this on one core is a slip of the finger.
_RANKS_PER_CORE = 64


def mpi_job(
    program: list[str],
    ranks: int,
    *,
    family: str,
    launcher: str,
    options: list[str],
    cores: int,
    as_root: bool,
) -> Job:
    """`program` (with its arguments) on `ranks` ranks.

    family: the MPI, "openmpi", "mpich" or "any".  launcher: its command, or "srun" in a batch
    allocation.  options: for the launcher, unchanged.  cores: of this machine; ranks are bound
    to them where there are enough.
    """
    if launcher == "srun":
        return Job(["srun", "-n", str(ranks), *options, *program])
    if ranks > cores * _RANKS_PER_CORE and not options:
        raise LapwingError(
            f"mpi:{ranks}: too many ranks for the {cores} cores of this machine; "
            "use sim:CLUSTER:N, or name the hosts after --launch"
        )
    command = [launcher, "-n", str(ranks)]
    fits = ranks <= cores
    if family == "openmpi":
        command += ["--bind-to", "core"] if fits else ["--oversubscribe", "--bind-to", "none"]
        # mpirun hands no variable of ours to other hosts by itself.
        command += ["-x", "LAPWING_TARGET"]
        if as_root:
            command.append("--allow-run-as-root")
    elif family == "mpich":
        command += ["-bind-to", "core"] if fits else []
        program = reporting(program)
    return Job([*command, *options, *program])
