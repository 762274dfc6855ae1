"""A command line that is ready to run; every kind of target is turned into one."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Job:
    """command: the launcher and all its arguments.  environment: variables that are set for it, in
    addition to those that it inherits."""

    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)


# Reports which rank died and why, which MPICH's launcher does not. The launcher sends SIGTERM to
# all ranks as soon as one is gone; the trap lets this script, but not the program, outlive it.
_REPORT = """
trap : TERM
"$@"
status=$?
[ $status -eq 0 ] || echo "lapwing-mpi: rank $PMI_RANK: ended with status $status" >&2
exit $status
"""


def reporting(program: list[str]) -> list[str]:
    """`program` as one rank under MPICH, which reports on standard error if it fails."""
    return ["sh", "-c", _REPORT, "lapwing-rank", *program]
