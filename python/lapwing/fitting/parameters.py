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
    "algorithms",
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
_CORNERS = (1, *(1 << power for power in range(6, 38, 2)))
_LINK = ("interface", "overhead")
# What memory costs, seconds per byte, where the base profile does not tell: a copy reads a byte and
# writes one, combining reads two and writes one.
_COPY, _COMBINE = 5e-11, 1e-10
# What each cost of `CollectiveCosts` is if nothing tells it, by the costs of a short and of a long
# message; and how much a change of that counts, as the relative error of a time.
_SURELY, _VAGUELY = 0.2, 0.1
# The share of the shortest message's time that its sender's processor takes, and its receiver's, to
# begin with; and the most of it.
_OVERHEAD, _MOST_OVERHEAD = 0.2, 0.45
_LEAST_INTERFACE = 0.1
_LEAST_TIME = 1e-9  # of a message, seconds
# What a change of the costs a byte by their mean counts, as the relative error of a time: less than
# the errors of several times, more than nothing.
_UNEVENNESS = 0.1
_LEAST_GAP = 0.1  # of what a long message takes about
_MESSAGES = 4


@dataclass(frozen=True)
class Parameter:
    """One parameter of a fit, 0 or more.

    unit: "s", "s/B" or "1".  usual: its value where no measurement tells.  weight: what a change by
    `scale` counts against that, as the relative error of a time; 0: nothing.
    """

    name: str
    unit: str
    usual: float = 0
    scale: float = 1
    weight: float = 0


@dataclass(frozen=True)
class Parameters:
    """The parameters of a fit.

    A message takes a time that is a straight line between `sizes` (bytes). The first parameter is
    the time of the least size, each further one how much longer the next size takes. `interface` is
    the share of its bytes' time for which a message keeps its sender's interface, and its
    receiver's, from the next one. It is 1 with one interface, less where messages go side by side.
    `overhead` is what either processor has to do of it. Then come those of `CollectiveCosts`.
    """

    sizes: tuple[int, ...]
    base: dict[str, Any]  # the profile that was measured
    alone: float  # about what a short message takes, seconds
    gap: float  # about what a long one takes, seconds per byte
    all: tuple[Parameter, ...]

    @staticmethod
    def for_points(points: Sequence[Point], base: Profile) -> "Parameters":
        """Those that measurements of these sizes can tell."""
        largest = max((point.size for point in points), default=1)
        sizes = (_CORNERS[0], *(size for last, size in pairwise(_CORNERS) if last < largest))
        # The quickest collectives are a few messages.
        alone = min((point.seconds for point in points), default=1e-6) / _MESSAGES
        gap = min((point.seconds / point.size for point in points if point.size), default=1e-9)
        gap /= _MESSAGES
        document = json.loads(base.to_json())
        steps = [Parameter(f"message of {sizes[0]} B", "s")]
        steps += [Parameter(f"from {low} to {high} B", "s") for low, high in pairwise(sizes)]
        link = [
            Parameter("interface", "1", usual=1, weight=_VAGUELY),
            Parameter("overhead", "s", usual=_OVERHEAD * alone, scale=alone, weight=_VAGUELY),
        ]
        collectives = _of_collectives(document.get("collectives", {}), alone, gap)
        return Parameters(sizes, document, alone, gap, (*steps, *link, *collectives))

    @property
    def names(self) -> list[str]:
        """What each parameter is called."""
        return [each.name for each in self.all]

    @property
    def start(self) -> Vector:
        """Where the fit begins."""
        times = [self.alone + self.gap * size for size in self.sizes]
        values = np.zeros(len(self.all))
        values[: len(times)] = [times[0], *np.diff(times)]
        values[len(times)] = 1
        values[len(times) + 1] = _OVERHEAD * self.alone
        return values

    def physical(self, values: Vector) -> Vector:
        """The nearest values that a machine can have: messages take time, most of it their own."""
        result = np.maximum(values, 0)
        result[0] = max(result[0], _LEAST_TIME)
        interface, overhead = len(self.sizes), len(self.sizes) + 1
        result[interface] = np.clip(result[interface], _LEAST_INTERFACE, 1)
        result[overhead] = min(result[overhead], _MOST_OVERHEAD * result[0])
        return result

    def message_times(self, values: Vector) -> Vector:
        """Seconds of a message, for each of `sizes`."""
        return np.cumsum(values[: len(self.sizes)])

    def plausible(self, values: Vector) -> tuple[NDArray[np.float64], Vector]:
        """Rows and right sides: `rows @ values - right` is small where costs are plausible.

        That settles what no measurement tells: parameters are near their usual values, and costs a
        byte change little with the size.
        """
        uneven = self._unevenness(values)
        weights = np.array([each.weight / each.scale for each in self.all])
        told = weights > 0
        usual = np.array([each.usual for each in self.all])
        rows = np.vstack([uneven, np.diag(weights)[told]])
        return rows, np.concatenate([np.zeros(len(uneven)), (weights * usual)[told]])

    def _unevenness(self, values: Vector) -> NDArray[np.float64]:
        """One row for each pair of neighbouring stretches between sizes, relative to their mean.

        They keep apart what no measurement tells apart: two sizes of which one takes no longer than
        the one before it.
        """
        count = len(self.sizes) - 1
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

    def profile(self, values: Vector) -> dict[str, Any]:
        """The document of the machine with these values."""
        times = self.message_times(values)
        interface, overhead, *collectives = map(float, values[len(self.sizes) :])
        beyond = np.maximum(times - times[0], 1e-12)
        alone = [float(size / each) for size, each in zip(self.sizes, beyond, strict=True)]
        flood = [rate / interface for rate in alone]
        names = self.names[len(self.sizes) + len(_LINK) :]
        return {
            **{name: value for name, value in self.base.items() if name not in _REPLACED},
            "machine": {**self.base["machine"], "fitted": "to measured collectives"},
            "loggp": {
                "L": float(times[0]) - 2 * overhead,
                "o_s": overhead,
                "o_r": overhead,
                "g": overhead,
                "G": max(1 / flood[-1], 1e-15),
            },
            "overhead": {"sizes": [], "bursts": [], "send": [], "receive": []},
            "bandwidth": {
                "sizes": list(self.sizes[1:]),
                "unidirectional": flood[1:],
                "bidirectional": [2 * rate for rate in flood[1:]],
            },
            "latency": {
                "sizes": list(self.sizes),
                "half_round_trip": [float(time) for time in times],
                "bandwidth": flood,
            },
            "collectives": {
                **dict(zip(names, collectives, strict=True)),
                "node_copy": self.base.get("collectives", {}).get("node_copy", 0),
                "low": 1,
                "high": 1,
            },
        }


def _of_collectives(known: dict[str, float], alone: float, gap: float) -> list[Parameter]:
    """The parameters of `CollectiveCosts`. known: those of the base profile."""
    copy = known.get("copy") or _COPY
    combine = known.get("combine") or _COMBINE

    def rest(name: str, unit: str, scale: float) -> Parameter:
        return Parameter(name, unit, usual=known.get(name, 0), scale=scale, weight=_VAGUELY)

    return [
        Parameter("combine", "s/B", usual=combine, scale=combine, weight=_SURELY),
        Parameter("copy", "s/B", usual=copy, scale=copy, weight=_SURELY),
        rest("pack", "s", alone),
        rest("exchange", "s", alone),
        rest("exchange_per_byte", "s/B", gap),
        rest("unexpected", "s", alone),
        rest("unexpected_per_byte", "s/B", copy),
        rest("fresh", "s/B", combine),
        rest("skew", "s", alone),
        rest("skew_per_doubling", "s", alone),
    ]
