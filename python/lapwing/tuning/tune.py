"""Which algorithm wins where, by prediction, and where that is not what the MPI chooses itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, log

from .._core import Profile
from ..errors import LapwingError, did_you_mean
from ..launch.algorithms import algorithms, force

# What is gained must be more than this, relative: predictions are no better, and where two are as
# good the MPI's own choice stays.
MARGIN = 0.03

# Where an MPI must not choose by size, for the root alone knows it: ranks that choose differently
# wait for each other for ever.
_WHATEVER_SIZE = {"openmpi": ("gather", "scatter"), "mpich": ()}

# Where an MPI takes a rule for every operator, and the algorithm is right only for those that
# commute.
_COMMUTING = {
    "openmpi": {
        "allreduce": ("ring", "rabenseifner"),
        "reduce": ("binomial", "scatter-gather"),
        "reduce_scatter": ("recursive-halving", "ring"),
    },
    "mpich": {},
}

# A number of ranks that no algorithm for powers of two, or for even numbers, is for.
_ODD = 3


@dataclass(frozen=True)
class Rule:
    """What to do from one size on, until the next rule's.

    size: bytes, as a prediction counts them.  algorithm: ours, or None, as the MPI does by itself.
    seconds: predicted at the sizes of the grid that the rule is for, one each.  default: the same
    of what the MPI does by itself, where that is known, and its algorithms.
    """

    size: int
    algorithm: str | None
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    default: tuple[float, ...] | None
    default_algorithms: tuple[str, ...]

    @property
    def gain(self) -> float | None:
        """How many times as fast as by default, where it gains most; None where unknown."""
        if self.default is None:
            return None
        return max(a / b if b > 0 else 1.0 for a, b in zip(self.default, self.seconds, strict=True))


@dataclass(frozen=True)
class Choice:
    """The rules of an operation from a number of ranks on, until the next choice's.

    anywhere: rules for numbers of ranks that are odd or no power of two, where they are others.
    """

    operation: str
    ranks: int
    rules: tuple[Rule, ...]
    anywhere: tuple[Rule, ...] | None = None

    @property
    def departs(self) -> bool:
        """Whether there is anything to tell the MPI."""
        return any(rule.algorithm is not None for rule in (*self.rules, *(self.anywhere or ())))


@dataclass(frozen=True)
class _Times:
    """Predictions of one operation on one number of ranks, by size."""

    sizes: Sequence[int]
    of: Mapping[str, Sequence[float]]
    default: Sequence[float] | None
    default_algorithms: Sequence[str]


def tunable(mpi: str) -> list[str]:
    """The operations for which `mpi` has a choice of algorithms that Lapwing knows."""
    known = ["barrier", "bcast", "alltoall", "allgather", "allreduce", "reduce", "reduce_scatter"]
    known += ["gather", "scatter"]
    return [operation for operation in known if len(_candidates(mpi, operation)) > 1]


def tune(
    profile: Profile,
    mpi: str,
    *,
    operations: Sequence[str],
    ranks: Sequence[int],
    sizes: Sequence[int],
    ppn: int = 1,
    commutative: bool = False,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Choice]:
    """The choices that `mpi` ("openmpi", "mpich") should make on the machine of `profile`.

    operations: of `tunable(mpi)`.  ranks, sizes: where predictions are made; a choice holds from
    one number of ranks until the next.  ppn: ranks on each node.  commutative: all operators of
    reductions commute.  on_done: called with the number of operations and numbers of ranks that
    are done, and of all.
    """
    for operation in operations:
        if operation not in tunable(mpi):
            near = did_you_mean(operation, tunable(mpi))
            raise LapwingError(
                f'there is nothing to choose for "{operation}"{near}: '
                f"there is for {', '.join(tunable(mpi))}"
            )
    made: list[Choice] = []
    counts = sorted(set(ranks))
    excluded = {} if commutative else _COMMUTING[mpi]
    for operation in operations:
        for count in counts:
            if on_done:
                on_done(len(made), len(operations) * len(counts))
            lengths = [0] if operation == "barrier" else sorted(set(sizes))
            names = [n for n in _candidates(mpi, operation) if n not in excluded.get(operation, ())]
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


def _candidates(mpi: str, operation: str) -> list[str]:
    """Our algorithms of it that the MPI can be told to use by nothing but their name."""
    found = []
    for name in algorithms(mpi, operation):
        how = force(mpi, operation, name, _ODD)
        chosen = [key for key in how.settings if key.lower().endswith("_algorithm")] if how else []
        if len(chosen) == 1:
            found.append(name)
    return found


def _differs(mpi: str, operation: str, algorithm: str, ranks: int, size: int) -> bool:
    how = force(mpi, operation, algorithm, ranks)
    return how is None or bool(how.differs(ranks, size))


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
    except ValueError:  # a table that says nothing of this operation
        return _Times(sizes, of, None, [])
    for i, (name, size) in enumerate(zip(names, sizes, strict=True)):
        how = force(mpi, operation, name, ranks)
        if how is not None and how.differs(ranks, size):
            # It turns to another algorithm then, which is taken to be a good one.
            default[i] = min((seconds[i] for seconds in of.values()), default=default[i])
    return _Times(sizes, of, default, names)


def _fastest(times: _Times) -> list[str | None]:
    """The fastest at each size, but for what is as good within the margin: the MPI's own choice
    first, then what was chosen at the size before."""
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
    """The same for all sizes: what is fastest in the geometric mean."""

    def mean(seconds: Sequence[float]) -> float:
        return exp(sum(log(max(time, 1e-12)) for time in seconds) / len(seconds))

    means = {name: mean(seconds) for name, seconds in times.of.items()}
    best = min(means, key=means.__getitem__, default=None)
    if best is None:
        return [None] * len(times.sizes)
    known = times.default is not None and mean(times.default) <= means[best] * (1 + MARGIN)
    return [None if known or means[best] == inf else best] * len(times.sizes)


def _rules(times: _Times, picked: Sequence[str | None]) -> tuple[Rule, ...]:
    """What is picked, as rules that hold from one size to the next."""
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
    """The size between the (i-1)-th and the i-th from which on `right` is faster than `left`, both
    taken to grow in proportion between the two."""

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
