"""What a fit determines, and the profile that it makes of that."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import Profile
from .points import Point

Vector = NDArray[np.float64]

# Sections of the base profile that the fitted costs replace, or contradict.
_REPLACED = (
    "error",
    "in_order_up_to",
    "interpolated",
    "imported",
    "latency",
    "loggp",
    "overhead",
    "bandwidth",
    "plogp",
    "protocol",
    "patterns",
)
# Between these sizes (bytes) the time of a message is a straight line, as protocols and caches bend
# it every few powers of two.
_CORNERS = (1, 64, 512, 4096, 32768, 1 << 18, 1 << 21, 1 << 24, 1 << 27, 1 << 30)
_MACHINE = ("overhead", "combine", "copy", "pack", "skew", "skew_per_doubling")
UNITS = {"combine": "s/B", "copy": "s/B", "pack": "s/B"}  # of others s
# The share of the shortest message's time that its sender's processor takes, and its receiver's, to
# begin with; and the most of it.
_OVERHEAD, _MOST_OVERHEAD = 0.25, 0.45
_LEAST_TIME = 1e-9  # of a message, seconds
# What a change of the costs a byte by their mean counts, as the relative error of a time: less than
# the errors of several times, more than nothing.
_UNEVENNESS = 0.1
_LEAST_GAP = 0.1  # of what a long message takes about
_MESSAGES = 4


@dataclass(frozen=True)
class Parameters:
    """The parameters of a fit, all of them 0 or more, in seconds or seconds per byte.

    A message of a collective, which its rank sends while it receives another, takes a time that is
    a straight line between `sizes` (bytes): the first parameter is that of the least, each further
    one how much longer the next size takes. `overhead` is what either processor has to do of it.
    Then come those of `CollectiveCosts`.
    """

    sizes: tuple[int, ...]
    base: dict[str, Any]  # the profile that was measured
    alone: float  # about what a short message takes, seconds
    gap: float  # about what a long one takes, seconds per byte

    @staticmethod
    def for_points(points: Sequence[Point], base: Profile) -> "Parameters":
        """Those that measurements of these sizes can tell."""
        largest = max((point.size for point in points), default=1)
        sizes = [size for size in _CORNERS if size <= largest]
        # The quickest collectives are a few messages.
        alone = min((point.seconds for point in points), default=1e-6) / _MESSAGES
        gap = min((point.seconds / point.size for point in points if point.size), default=1e-9)
        return Parameters(tuple(sizes), json.loads(base.to_json()), alone, gap / _MESSAGES)

    @property
    def names(self) -> list[str]:
        """What each parameter is called."""
        steps = [f"message of {self.sizes[0]} B"]
        steps += [f"from {low} to {high} B" for low, high in pairwise(self.sizes)]
        return [*steps, *_MACHINE]

    @property
    def start(self) -> Vector:
        """Where the fit begins."""
        times = [self.alone + self.gap * size for size in self.sizes]
        return np.array([times[0], *np.diff(times), _OVERHEAD * self.alone, 0, 0, 0, 0, 0])

    def physical(self, values: Vector) -> Vector:
        """The nearest values that a machine can have: messages take time, most of it their own."""
        result = np.maximum(values, 0)
        result[0] = max(result[0], _LEAST_TIME)
        place = len(self.sizes)
        result[place] = min(result[place], _MOST_OVERHEAD * result[0])
        return result

    def message_times(self, values: Vector) -> Vector:
        """Seconds of a message, for each of `sizes`."""
        return np.cumsum(values[: len(self.sizes)])

    def unevenness(self, values: Vector) -> NDArray[np.float64]:
        """Rows whose products with `values` are small if costs a byte change little with the size.

        They keep apart what no measurement tells apart: two neighbouring sizes of which one takes
        no longer than the one before it. One row for each pair of neighbours, relative to the mean.
        """
        count = len(self.sizes) - 1  # of stretches between sizes
        rows = np.zeros((max(count - 1, 0), len(values)))
        stretches = np.diff(self.sizes)
        # Or a stretch that a step found to cost nothing would never cost anything again.
        least = _LEAST_GAP * self.gap
        for i in range(count - 1):
            longer = values[i + 1] + values[i + 2]
            mean = max(longer / (stretches[i] + stretches[i + 1]), least)
            rows[i, i + 1] = _UNEVENNESS / (stretches[i] * mean)
            rows[i, i + 2] = -_UNEVENNESS / (stretches[i + 1] * mean)
        return rows

    def profile(self, values: Vector, low: float = 1, high: float = 1) -> Profile:
        """The machine with these values. low, high: of the interval, see `CollectiveCosts`."""
        times = self.message_times(values)
        overhead, *collectives = map(float, values[len(self.sizes) :])
        wires = np.maximum(times - times[0], 1e-12)
        rates = [float(size / wire) for size, wire in zip(self.sizes, wires, strict=True)]
        long_gap = float(wires[-1] / self.sizes[-1])
        document = {
            **{name: value for name, value in self.base.items() if name not in _REPLACED},
            "machine": {**self.base["machine"], "fitted": "to measured collectives"},
            "loggp": {
                "L": float(times[0]) - 2 * overhead,
                "o_s": overhead,
                "o_r": overhead,
                "g": overhead,
                "G": max(long_gap, 1e-15),
            },
            "overhead": {"sizes": [], "bursts": [], "send": [], "receive": []},
            "bandwidth": {
                "sizes": list(self.sizes[1:]),
                "unidirectional": rates[1:],
                "bidirectional": [2 * rate for rate in rates[1:]],
            },
            "latency": {
                "sizes": list(self.sizes),
                "half_round_trip": [float(time) for time in times],
                "bandwidth": rates,
            },
            "collectives": {
                **dict(zip(_MACHINE[1:], collectives, strict=True)),
                "low": low,
                "high": high,
            },
        }
        return Profile.from_json(json.dumps(document))
