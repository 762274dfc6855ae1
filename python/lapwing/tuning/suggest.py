"""Which cases to measure next.

First come an own choice and an algorithm of each operation and number of ranks. Then come the cases
after which choices are expected to gain the most. That is the knowledge gradient of Frazier, Powell
and Dayanik (2009), for choices that must be safe. What is measured tells of all that is like it.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cases import OWN_CHOICE, Case, Place
from .choice import SLOWER, SURE, choose
from .estimates import Estimate, Estimates
from .references import Vector
from .rules import MARGIN

Matrix = NDArray[np.float64]
_Group = tuple[str, int, int]
# What is not expected to gain as much, as a sum of logarithms, is not worth measuring.
_LEAST = 1e-4


@dataclass(frozen=True)
class Alternatives:
    """The cases of a place, as places in a list: the library's own choice, and the others."""

    default: int
    candidates: Sequence[int]


def alternatives(cases: Sequence[Case]) -> list[Alternatives]:
    """The cases of each place at which the own choice and another one are among them."""
    places: dict[Place, list[int]] = {}
    for at, case in enumerate(cases):
        places.setdefault(case.place, []).append(at)
    made = []
    for several in places.values():
        own = [at for at in several if cases[at].label == OWN_CHOICE]
        others = [at for at in several if cases[at].label != OWN_CHOICE]
        if own and others:
            made.append(Alternatives(own[0], others))
    return made


def openings(
    cases: Sequence[Case], measured: Collection[Case], chance: random.Random
) -> list[Case]:
    """Of each operation and number of ranks without measurements two cases: at a random size the
    own choice, and a random algorithm that Lapwing has. They come in a random order."""
    groups: dict[_Group, list[Case]] = {}
    for case in cases:
        groups.setdefault(_group(case), []).append(case)
    seen = {_group(case) for case in measured}
    made = []
    order = list(groups.items())
    chance.shuffle(order)
    for group, several in order:
        own = [case for case in several if case.label == OWN_CHOICE]
        if group in seen or not own:
            continue
        made.append(chance.choice(own))
        here = [case for case in several if case.place == made[-1].place]
        others = [c for c in here if c.label != OWN_CHOICE and c.algorithm is not None]
        if others:
            made.append(chance.choice(others))
    return made


def suggest(
    estimates: Estimates, cases: Sequence[Case], measured: Collection[Case], count: int
) -> list[Case]:
    """At most `count` of the cases that are not measured, the most telling first.

    Those that are not expected to change a choice for the better are not among them.
    """
    by_operation: dict[str, list[Case]] = {}
    for case in cases:
        by_operation.setdefault(case.place.operation, []).append(case)
    searches = [_Search(estimates, each, measured) for each in by_operation.values()]
    made: list[Case] = []
    while len(made) < count and searches:
        best = max(searches, key=lambda each: each.most)
        if best.most < _LEAST:
            break
        made.append(best.take())
    return made


class _Search:
    """The cases of one operation, and what choices are expected to gain by measuring each."""

    def __init__(
        self, estimates: Estimates, cases: Sequence[Case], measured: Collection[Case]
    ) -> None:
        self._cases = cases
        self._places = alternatives(cases)
        self._run = estimates.spreads.run
        self._estimate = estimates.of(cases)
        self._free = np.array([case not in measured for case in cases])
        self._weigh()

    def _weigh(self) -> None:
        gained = expected_gains(self._estimate, self._places, self._run)
        self._gained = np.where(self._free, gained, 0)
        self.most = float(self._gained.max())

    def take(self) -> Case:
        """The best case, which counts as measured from now on."""
        at = int(np.argmax(self._gained))
        self._free[at] = False
        self._estimate = self._estimate.after(at, self._run)
        self._weigh()
        return self._cases[at]


def expected_gains(estimate: Estimate, places: Sequence[Alternatives], run: float) -> Vector:
    """The expected speedup of choices after a measurement of each case: logarithms, summed.

    run: deviation from one run to another.
    """
    covariance = estimate.covariance
    if not places:
        return np.zeros(len(covariance))
    defaults = [each.default for each in places for _ in each.candidates]
    others = [at for each in places for at in each.candidates]
    now = np.array([_gained(estimate, each) for each in places for _ in each.candidates])[:, None]
    mean = (estimate.mean[defaults] - estimate.mean[others])[:, None]
    shared = covariance[defaults] - covariance[others]  # of each gain with each case
    rows = np.arange(len(others))
    variance = (shared[rows, defaults] - shared[rows, others])[:, None]
    told = np.abs(shared) / np.sqrt(np.diag(covariance) + run**2)
    left = np.sqrt(np.maximum(variance - told**2, 0))
    least = np.maximum(SURE * left - np.log1p(SLOWER), np.log1p(MARGIN))
    better = _beyond(mean, told, np.maximum(now, least), now)
    starts = np.cumsum([0] + [len(each.candidates) for each in places])[:-1]
    result: Vector = np.maximum.reduceat(better, starts, axis=0).sum(axis=0)
    return result


def _gained(estimate: Estimate, place: Alternatives) -> float:
    """By how much the present choice is faster than the default."""
    pick = choose(estimate, place.default, place.candidates)
    return float(estimate.mean[place.default] - estimate.mean[pick])


def _beyond(mean: Matrix, deviation: Matrix, least: Matrix, now: Matrix) -> Matrix:
    """The expectation of `x - now` where a normal x is more than `least`, and of 0 elsewhere."""
    from scipy.special import ndtr

    deviation = np.maximum(deviation, 1e-9)
    at = (mean - least) / deviation
    density = np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi)
    result: Matrix = np.maximum((mean - now) * ndtr(at) + deviation * density, 0)
    return result


def _group(case: Case) -> _Group:
    return case.place.operation, case.place.ranks, case.place.ranks_per_node
