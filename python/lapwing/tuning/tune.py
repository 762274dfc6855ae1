"""Choosing an MPI's algorithms: where another one beats the MPI's own choice."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, inf, isqrt, log
from typing import TYPE_CHECKING

from .._core import Profile
from ..errors import LapwingError, did_you_mean
from ..launch.algorithms import force
from .choices import Choice, Rule
from .decisions.formats import sayable
from .decisions.library import Library
from .rules import MARGIN, Times, rules_of

if TYPE_CHECKING:
    from .measured import Measured

# Operations for which an MPI must not choose by size, because only the root knows the size: ranks
# that choose differently wait for each other for ever.
_WHATEVER_SIZE = {"openmpi": ("gather", "scatter"), "mpich": (), "intel": ()}

# Algorithms that are right only for operators that commute, in MPIs that apply a rule to all
# operators.
_COMMUTING: dict[str, dict[str, tuple[str, ...]]] = {
    "openmpi": {
        "allreduce": ("ring", "segmented-ring", "rabenseifner"),
        "reduce": (
            "binomial",
            "scatter-gather",
            "chain",
            "pipelined",
            "chains",
            "binary",
            "pipelined-binary",
            "k-nomial",
        ),
        "reduce_scatter": ("recursive-halving", "ring", "butterfly"),
    },
    "mpich": {},
    # It takes other algorithms for operators that do not commute (seen with 2021.14).
    "intel": {},
}

# A number of ranks that is neither even nor a power of two.
_ODD = 3


def tunable(library: Library) -> list[str]:
    """The operations in which `library` has several algorithms that Lapwing knows."""
    known = ["barrier", "bcast", "alltoall", "allgather", "allreduce", "reduce", "reduce_scatter"]
    known += ["gather", "scatter"]
    return [operation for operation in known if len(sayable(library, operation)) > 1]


def tune(
    profile: Profile,
    library: Library,
    *,
    operations: Sequence[str],
    ranks: Sequence[int],
    sizes: Sequence[int],
    ppn: int = 1,
    commutative: bool = False,
    measured: "Measured | None" = None,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Choice]:
    """The choices that `library` should make on the machine of `profile`.

    operations: from `tunable(library)`.  ranks, sizes: numbers of ranks and bytes to predict for; a
    choice holds from one number of ranks up to the next.  ppn: ranks on each node.  commutative:
    all operators of reductions commute.  measured: what is known of times by measurements; an
    algorithm must then be sure enough to win. None: predictions alone decide.  on_done: called with
    the number of choices made, and of all. Raises LapwingError for an operation without a choice.
    """
    require_tunable(library, operations)
    mpi = library.family
    made: list[Choice] = []
    counts = sorted(set(ranks))
    for operation in operations:
        for count, following in zip(counts, [*counts[1:], 2 * counts[-1]], strict=True):
            if on_done:
                on_done(len(made), len(operations) * len(counts))
            lengths = [0] if operation == "barrier" else sorted(set(sizes))
            names = candidates(library, operation, commutative)
            questions = len(operations) * len(counts) * len(lengths) * (len(names) + 1)
            if measured is not None:
                times = measured.times(operation, names, count, lengths, ppn)
                times = _where_same(times, mpi, operation, count)
            else:
                times = _predicted(profile, mpi, operation, names, count, lengths, ppn, questions)
            everywhere = [
                name for name in times.of if not _differs(mpi, operation, name, _ODD, lengths[-1])
            ]
            pick = _one if operation in _WHATEVER_SIZE[mpi] else _fastest
            rules = rules_of(times, pick(times))
            others = replace(times, of={name: times.of[name] for name in everywhere})
            if measured is not None and following > count + 1:
                # What is sure on this number of ranks is less so on those up to the next one.
                between = max(count + 1, isqrt(count * (following - 1)))
                others = measured.times(operation, everywhere, between, lengths, ppn)
                others = _where_same(others, mpi, operation, between)
            others_rules = rules_of(others, pick(others))
            same = _told(rules) == _told(others_rules)
            made.append(Choice(operation, count, rules, None if same else others_rules))
    return made


def require_tunable(library: Library, operations: Sequence[str]) -> None:
    """Raise LapwingError for an operation for which there is nothing to choose."""
    for operation in operations:
        if operation not in tunable(library):
            near = did_you_mean(operation, tunable(library))
            raise LapwingError(
                f'there is nothing to choose for "{operation}"{near}: '
                f"there is for {', '.join(tunable(library))}"
            )


def candidates(library: Library, operation: str, commutative: bool) -> list[str]:
    """The algorithms that the file of `library` may tell it to use. commutative: as for `tune`."""
    excluded = () if commutative else _COMMUTING[library.family].get(operation, ())
    return [name for name in sayable(library, operation) if name not in excluded]


def _told(rules: Sequence[Rule]) -> list[tuple[int, str | None]]:
    return [(rule.size, rule.algorithm) for rule in rules]


def _differs(mpi: str, operation: str, algorithm: str, ranks: int, size: int) -> bool:
    how = force(mpi, operation, algorithm, ranks)
    return how is not None and bool(how.differs(ranks, size))


def _where_same(times: Times, mpi: str, operation: str, ranks: int) -> Times:
    """The times, without those of sizes at which the MPI's algorithm is not ours."""
    of = {
        name: [
            inf if _differs(mpi, operation, name, ranks, size) else time
            for size, time in zip(times.sizes, seconds, strict=True)
        ]
        for name, seconds in times.of.items()
    }
    return replace(times, of=of)


def _predicted(
    profile: Profile,
    mpi: str,
    operation: str,
    names: Sequence[str],
    ranks: int,
    sizes: Sequence[int],
    ppn: int,
    questions: int,
) -> Times:
    from ..prediction.grid import grid

    def times(algorithm: str) -> tuple[list[float], list[str]]:
        (row,) = grid(
            profile,
            operation,
            ranks=[ranks],
            sizes=sizes,
            algorithm=algorithm,
            ppn=ppn,
            questions=questions,
        ).rows
        return [made.seconds for made in row], [made.algorithm for made in row]

    predicted = Times(sizes, {name: times(name)[0] for name in names}, None, [])
    of = _where_same(predicted, mpi, operation, ranks).of
    try:
        default, chosen = times(mpi)
    except ValueError:  # the table does not have this operation
        return Times(sizes, of, None, [])
    for i, (name, size) in enumerate(zip(chosen, sizes, strict=True)):
        how = force(mpi, operation, name, ranks)
        if how is not None and how.differs(ranks, size):
            # The MPI then falls back to another algorithm: assume a good one.
            default[i] = min((seconds[i] for seconds in of.values()), default=default[i])
    return Times(sizes, of, default, chosen)


def _fastest(times: Times) -> list[str | None]:
    """The fastest algorithm at each size; None, the MPI's own choice.

    Within the margin, the MPI's own choice is preferred, then the algorithm of the size before.
    """
    picked: list[str | None] = []
    for i in range(len(times.sizes)):
        allowed = [name for name in times.of if times.safe is None or times.safe[name][i]]
        best = min(allowed, key=lambda name: times.of[name][i], default=None)
        if best is None:
            picked.append(None)
            continue
        least = times.of[best][i] * (1 + MARGIN)
        before = picked[-1] if picked else None
        if times.of[best][i] == inf or (times.default is not None and times.default[i] <= least):
            picked.append(None)
        elif before in allowed and times.of[before][i] <= least and _wins(times, before, i):
            picked.append(before)
        else:
            picked.append(best)
    return picked


def _wins(times: Times, name: str, i: int) -> bool:
    """Whether an algorithm that must be safe is worth more than the margin at the i-th size."""
    if times.safe is None or times.default is None:
        return True
    return times.of[name][i] * (1 + MARGIN) < times.default[i]


def _one(times: Times) -> list[str | None]:
    """One algorithm for all sizes: the fastest in the geometric mean."""

    def mean(seconds: Sequence[float]) -> float:
        return exp(sum(log(max(time, 1e-12)) for time in seconds) / len(seconds))

    means = {
        name: mean(seconds)
        for name, seconds in times.of.items()
        if times.safe is None or all(times.safe[name])
    }
    best = min(means, key=means.__getitem__, default=None)
    if best is None:
        return [None] * len(times.sizes)
    known = times.default is not None and mean(times.default) <= means[best] * (1 + MARGIN)
    return [None if known or means[best] == inf else best] * len(times.sizes)
