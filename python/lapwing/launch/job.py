"""A command line ready to run: what each kind of target is turned into."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Job:
    """command: the launcher and all its arguments.  environment: what is set for it, on top of
    what is inherited."""

    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)


# Says which rank died, and of what: MPICH's launcher does not. It ends all ranks as soon as one is
# gone, so this outlives its SIGTERM by a word (the program itself does not: traps are reset).
_REPORT = """
trap : TERM
"$@"
status=$?
[ $status -eq 0 ] || echo "lapwing-mpi: rank $PMI_RANK: ended with status $status" >&2
exit $status
"""


def reporting(program: list[str]) -> list[str]:
    """`program` as one rank under MPICH, saying on standard error when it fails."""
    return ["sh", "-c", _REPORT, "lapwing-rank", *program]
