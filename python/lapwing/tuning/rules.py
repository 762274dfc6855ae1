"""Rules for ranges of sizes, from times at some sizes and the algorithm picked at each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf

from .choices import Rule

# An algorithm must gain more than this share of the time to replace the MPI's own choice: what is
# known of times is no more accurate.
MARGIN = 0.03


@dataclass(frozen=True)
class Times:
    """What one operation is expected to take on one number of ranks, by size, in seconds.

    of: each algorithm.  default: the MPI's own choice; None if that is unknown.
    default_algorithms: what it is, as far as that is known.  safe: by algorithm and size, whether
    it is sure enough not to be slower than the own choice; None, where expectation alone decides.
    """

    sizes: Sequence[int]
    of: Mapping[str, Sequence[float]]
    default: Sequence[float] | None
    default_algorithms: Sequence[str]
    safe: Mapping[str, Sequence[bool]] | None = None


def rules_of(times: Times, picked: Sequence[str | None]) -> tuple[Rule, ...]:
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


def _crossing(times: Times, left: str | None, right: str | None, i: int) -> int:
    """The size between the (i-1)-th and the i-th from which `right` is faster than `left`.

    Both times are interpolated linearly between the two sizes. An algorithm that must be safe holds
    at the sizes that were looked at, and between them, alone.
    """
    low, high = times.sizes[i - 1], times.sizes[i]
    if times.safe is not None and (left is None or right is None):
        return high if left is None else low + 1

    def ahead(name: str | None, at: int) -> float:
        if name is not None:
            return times.of[name][at]
        assert times.default is not None
        return times.default[at]

    before = ahead(right, i - 1) - ahead(left, i - 1)
    after = ahead(left, i) - ahead(right, i)
    if not (0 < before < inf and 0 < after < inf):
        return high
    return min(high, max(low + 1, ceil(low + (high - low) * before / (before + after))))
