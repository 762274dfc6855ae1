"""The cases that a validation times: operations, their algorithms, and numbers of ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import LapwingError, did_you_mean
from ..launch import Target, resized
from ..launch.algorithms import OWN_CHOICE, TABLES, Forced, algorithms, force
from ..launch.installed_mpi import CALLED

OPERATIONS = (
    "send",
    "barrier",
    "bcast",
    "alltoall",
    "allgather",
    "allreduce",
    "reduce",
    "reduce_scatter",
    "gather",
    "scatter",
)
STRIDED = ("send", "bcast")

# Bytes of all ranks' send buffers together, or of all their receive buffers, at most.
MOST_MEMORY = 2 << 30


@dataclass(frozen=True)
class Case:
    """One operation by one algorithm on a number of ranks; a send has two ranks."""

    operation: str
    algorithm: str
    ranks: int


def memory(operation: str, ranks: int, size: int) -> int:
    """Bytes of all ranks' send buffers or of all their receive buffers, whichever is more.

    size: bytes, as predictions count them.
    """
    if operation in ("alltoall", "allgather", "reduce_scatter"):
        return ranks * ranks * size
    return ranks * size


def operations_of(names: Sequence[str], stride: int | None) -> Sequence[str]:
    """The operations `names`, each once; all that there are where there are no names.

    stride: bytes, where data is strided. LapwingError names an operation that is not known or
    never strided.
    """
    known = STRIDED if stride else OPERATIONS
    for name in names:
        if name not in OPERATIONS:
            near = did_you_mean(name, list(OPERATIONS))
            raise LapwingError(f'unknown operation "{name}"{near}: it is {_either(OPERATIONS)}')
        if name not in known:
            raise LapwingError(f"--stride: {name} is never strided, {_either(STRIDED)} is")
    return list(dict.fromkeys(names)) or known


def cases_of(
    mpi: str, target: Target, names: Sequence[str], ranks: Sequence[int], algorithm: str
) -> list[Case]:
    """All cases of the operations `names` that `mpi` can run on `target`.

    ranks: numbers of ranks.  algorithm: one by its name, "all", or what a table chooses.
    LapwingError says which ranks or which algorithm there are not.
    """
    _require_ranks(target, ranks)
    if algorithm == OWN_CHOICE and mpi not in TABLES:
        raise LapwingError(
            f"--algorithm mpi: nobody wrote down what {_spoken(mpi)} chooses"
            + (f"; write {_either(TABLES)}" if mpi == "simgrid" else "")
        )
    cases = []
    for name in names:
        # A send has but one algorithm.
        every = algorithm == "all" or (name == "send" and algorithm in (OWN_CHOICE, *TABLES))
        for chosen in algorithms(mpi, name) if every else [algorithm]:
            for count in [2] if name == "send" else sorted(set(ranks)):
                if force(mpi, name, chosen, count) is not None:
                    cases.append(Case(name, chosen, count))
    if not cases:
        known = ["all", *(TABLES if mpi == "simgrid" else [OWN_CHOICE])]
        known += [one for name in names for one in algorithms(mpi, name)]
        raise LapwingError(
            f"--algorithm {algorithm}: {_spoken(mpi)} cannot be forced to use it for "
            f"{_either(names)}{did_you_mean(algorithm, known)}; "
            f"known are {', '.join(dict.fromkeys(known))}"
        )
    return cases


def forced(mpi: str, case: Case) -> Forced:
    """How `mpi` is made to take the algorithm of a case. LapwingError if it cannot be."""
    found = force(mpi, case.operation, case.algorithm, case.ranks)
    if found is None:
        raise LapwingError(
            f"{_spoken(mpi)} cannot be made to take {case.algorithm} for {case.operation}"
        )
    return found


def _require_ranks(target: Target, ranks: Sequence[int]) -> None:
    for count in ranks:
        if count < 2:
            raise LapwingError("--ranks: it takes 2 to communicate")
        if target.kind != "sim" and count > target.ranks:
            raise LapwingError(f"--ranks {count}: {target.text} has {target.ranks} ranks")
        resized(target, count)  # says what else is wrong with the number


def _spoken(mpi: str) -> str:
    return {"simgrid": "the simulator", **CALLED}.get(mpi, "this MPI")


def _either(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
