"""Choosing an MPI's algorithms by prediction: where another one beats the MPI's own choice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, log

from .._core import Profile
from ..errors import LapwingError, did_you_mean
from ..launch.algorithms import force
from .choices import Choice, Rule
from .decisions.formats import sayable
from .decisions.library import Library

# An algorithm must gain more than this share of the time to replace the MPI's own choice, because
# predictions are no more accurate.
MARGIN = 0.03

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


@dataclass(frozen=True)
class _Times:
    """Predictions of one operation on one number of ranks, by size."""

    sizes: Sequence[int]
    of: Mapping[str, Sequence[float]]
    default: Sequence[float] | None
    default_algorithms: Sequence[str]


def tunable(library: Library) -> list[str]:
    """The operations for which `library` has several algorithms that Lapwing knows."""
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
    on_done: Callable[[int, int], None] | None = None,
) -> list[Choice]:
    """The choices that `library` should make on the machine of `profile`.

    operations: from `tunable(library)`.  ranks, sizes: numbers of ranks and bytes to predict for; a
    choice holds from one number of ranks up to the next.  ppn: ranks on each node.  commutative:
    all operators of reductions commute.  on_done: called with the number of choices made, and of
    all. Raises LapwingError for an operation without a choice.
    """
    for operation in operations:
        if operation not in tunable(library):
            near = did_you_mean(operation, tunable(library))
            raise LapwingError(
                f'there is nothing to choose for "{operation}"{near}: '
                f"there is for {', '.join(tunable(library))}"
            )
    mpi = library.family
    made: list[Choice] = []
    counts = sorted(set(ranks))
    excluded = {} if commutative else _COMMUTING[mpi]
    for operation in operations:
        for count in counts:
            if on_done:
                on_done(len(made), len(operations) * len(counts))
            lengths = [0] if operation == "barrier" else sorted(set(sizes))
            names = [n for n in sayable(library, operation) if n not in excluded.get(operation, ())]
            questions = len(operations) * len(counts) * len(lengths) * (len(names) + 1)
            times = _predicted(profile, mpi, operation, names, count, lengths, ppn, questions)
            everywhere = [
                name for name in times.of if not _differs(mpi, operation, name, _ODD, lengths[-1])
            ]
            pick = _one if operation in _WHATEVER_SIZE[mpi] else _fastest
            rules = _rules(times, pick(times))
            others = replace(times, of={name: times.of[name] for name in everywhere})
            others_rules = _rules(others, pick(others))
            same = _told(rules) == _told(others_rules)
            made.append(Choice(operation, count, rules, None if same else others_rules))
    return made


def _told(rules: Sequence[Rule]) -> list[tuple[int, str | None]]:
    return [(rule.size, rule.algorithm) for rule in rules]


def _differs(mpi: str, operation: str, algorithm: str, ranks: int, size: int) -> bool:
    how = force(mpi, operation, algorithm, ranks)
    return how is not None and bool(how.differs(ranks, size))


def _predicted(
    profile: Profile,
    mpi: str,
    operation: str,
    candidates: Sequence[str],
    ranks: int,
    sizes: Sequence[int],
    ppn: int,
    questions: int,
) -> _Times:
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

    of = {}
    for name in candidates:
        seconds, _ = times(name)
        of[name] = [
            inf if _differs(mpi, operation, name, ranks, size) else time
            for size, time in zip(sizes, seconds, strict=True)
        ]
    try:
        default, names = times(mpi)
    except ValueError:  # the table does not have this operation
        return _Times(sizes, of, None, [])
    for i, (name, size) in enumerate(zip(names, sizes, strict=True)):
        how = force(mpi, operation, name, ranks)
        if how is not None and how.differs(ranks, size):
            # The MPI then falls back to another algorithm: assume a good one.
            default[i] = min((seconds[i] for seconds in of.values()), default=default[i])
    return _Times(sizes, of, default, names)


def _fastest(times: _Times) -> list[str | None]:
    """The fastest algorithm at each size; None, the MPI's own choice.

    Within the margin, the MPI's own choice is preferred, then the algorithm of the size before.
    """
    picked: list[str | None] = []
    for i in range(len(times.sizes)):
        best = min(times.of, key=lambda name: times.of[name][i], default=None)
        if best is None:
            picked.append(None)
            continue
        least = times.of[best][i] * (1 + MARGIN)
        before = picked[-1] if picked else None
        if times.of[best][i] == inf or (times.default is not None and times.default[i] <= least):
            picked.append(None)
        elif before is not None and times.of[before][i] <= least:
            picked.append(before)
        else:
            picked.append(best)
    return picked


def _one(times: _Times) -> list[str | None]:
    """One algorithm for all sizes: the fastest in the geometric mean."""

    def mean(seconds: Sequence[float]) -> float:
        return exp(sum(log(max(time, 1e-12)) for time in seconds) / len(seconds))

    means = {name: mean(seconds) for name, seconds in times.of.items()}
    best = min(means, key=means.__getitem__, default=None)
    if best is None:
        return [None] * len(times.sizes)
    known = times.default is not None and mean(times.default) <= means[best] * (1 + MARGIN)
    return [None if known or means[best] == inf else best] * len(times.sizes)


def _rules(times: _Times, picked: Sequence[str | None]) -> tuple[Rule, ...]:
    """The picked algorithms as rules, each for a range of sizes."""
    rules: list[Rule] = []
    for i, name in enumerate(picked):
        if i > 0 and name == picked[i - 1]:
            continue
        end = next((j for j in range(i, len(picked)) if picked[j] != name), len(picked))
        known = times.default
        seconds = times.of[name] if name is not None else (known or [])
        rules.append(
            Rule(
                size=0 if i == 0 else _crossing(times, picked[i - 1], name, i),
                algorithm=name,
                sizes=tuple(times.sizes[i:end]),
                seconds=tuple(seconds[i:end]),
                default=None if known is None else tuple(known[i:end]),
                default_algorithms=tuple(dict.fromkeys(times.default_algorithms[i:end])),
            )
        )
    return tuple(rules)


def _crossing(times: _Times, left: str | None, right: str | None, i: int) -> int:
    """The size between the (i-1)-th and the i-th from which `right` is faster than `left`.

    Both times are interpolated linearly between the two sizes.
    """

    def ahead(name: str | None, at: int) -> float:
        if name is not None:
            return times.of[name][at]
        assert times.default is not None
        return times.default[at]

    before = ahead(right, i - 1) - ahead(left, i - 1)
    after = ahead(left, i) - ahead(right, i)
    low, high = times.sizes[i - 1], times.sizes[i]
    if not (0 < before < inf and 0 < after < inf):
        return high
    return min(high, max(low + 1, ceil(low + (high - low) * before / (before + after))))
