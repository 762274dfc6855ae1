"""What cases take, by predictions and by what was measured of some: kriging of the errors.

The error of a prediction, `log(measured / predicted)`, is a Gaussian process. It is a sum of terms
that cases share. The nearer their sizes and numbers of ranks, the more alike they are.

- of an operation: how wrong the costs of the machine are for it, whatever the algorithm
- of an algorithm: how wrong they are for its schedule, whoever implements it
- of a label: what one implementation adds, or how a library chooses

Cressie, Statistics for Spatial Data (1993), section 3; Rasmussen and Williams, Gaussian Processes
for Machine Learning (2006), chapters 2 and 5.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .cases import OWN_CHOICE, Case, Observation
from .references import References, Vector

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Spreads:
    """Standard deviations of the terms, as logarithms, and over what they change.

    operation, algorithm, label: of the terms.  unknown: of the label's in addition, where Lapwing
    has no such algorithm or the library chooses.  size, ranks: the factor of sizes and of numbers
    of ranks over which terms become unlike, as its logarithm.  run: from one run to another.
    """

    operation: float
    algorithm: float
    label: float
    unknown: float
    size: float
    ranks: float
    run: float


# What is expected before anything was measured: runs of one case differ by 5 to 10 %; a library
# takes about as long as the best algorithm, but misses it by a factor now and then.
EXPECTED = Spreads(
    operation=0.3,
    algorithm=0.2,
    label=0.1,
    unknown=0.5,
    size=float(np.log(64)),
    ranks=float(np.log(16)),
    run=0.07,
)
# How sure that is: the standard deviation of the logarithm of each.
_DOUBT = 0.25
# Deviation of a factor common to all sizes and ranks of an operation.
_FACTOR = 0.5
# What is expected of the error of an algorithm by a profile that was not fitted to collectives.
_UNFITTED = 0.5
# Nine of ten values of a normal distribution lie within so many deviations.
_NINE_OF_TEN = 3.29


@dataclass(frozen=True)
class Estimate:
    """What cases take. mean: of the logarithms of seconds.  covariance: of these."""

    mean: Vector
    covariance: Matrix

    def after(self, place: int, run: float) -> "Estimate":
        """The estimate after a measurement of the case at `place` is measured, if it takes what is
        expected.

        run: deviation from one run to another.
        """
        column = self.covariance[:, place]
        known = np.outer(column, column) / (column[place] + run**2)
        return replace(self, covariance=self.covariance - known)


class Estimates:
    """Estimates of any cases from some that were measured."""

    def __init__(
        self,
        references: References,
        observations: Sequence[Observation],
        interval: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """interval: of predictions, 90 %, as multiples; (1, 1): the profile was not fitted."""
        self._references = references
        by_operation: dict[str, list[Observation]] = {}
        for each in observations:
            by_operation.setdefault(each.case.place.operation, []).append(each)
        self._groups = {name: _Group(references, each) for name, each in by_operation.items()}
        low, high = interval
        # It is that of algorithms that were left out of the fit.
        spread = float(np.log(high / low)) / _NINE_OF_TEN if high > low else _UNFITTED
        expected = replace(EXPECTED, algorithm=max(EXPECTED.algorithm, spread))
        self.spreads = _likeliest(list(self._groups.values()), expected)

    def proven(self, case: Case) -> bool:
        """Whether there are enough measurements to choose an algorithm at all.

        The operation by this algorithm, whoever implements it; one that Lapwing cannot predict, on
        these ranks with messages no larger and no smaller. Predictions err most where nothing is
        known.
        """
        group = self._groups.get(case.place.operation)
        forced = [each for each in group.cases if each.label != OWN_CHOICE] if group else []
        if case.algorithm is not None:
            return any(case.algorithm == each.algorithm for each in forced)
        here = [each.place for each in forced if each.label == case.label]
        where = case.place._replace(size=0)
        sizes = [place.size for place in here if place._replace(size=0) == where]
        return bool(sizes) and min(sizes) <= case.place.size <= max(sizes)

    def of(self, cases: Sequence[Case]) -> Estimate:
        """The estimate of cases of one operation."""
        mean = np.log(self._references.seconds(cases))
        covariance = _Alike(cases, cases).covariance(self.spreads)
        group = self._groups.get(cases[0].place.operation)
        if group is not None:
            cross = _Alike(cases, group.cases).covariance(self.spreads)
            solved = np.linalg.solve(group.covariance(self.spreads), cross.T)
            mean = mean + solved.T @ group.errors
            covariance = covariance - cross @ solved
        return Estimate(mean, covariance)


class _Group:
    """The observations of an operation."""

    def __init__(self, references: References, observations: Sequence[Observation]) -> None:
        self.cases = [each.case for each in observations]
        seconds = np.array([each.seconds for each in observations])
        self.errors = np.log(seconds / references.seconds(self.cases))
        self._alike = _Alike(self.cases, self.cases)
        self._iterations = np.array([each.error**2 for each in observations])
        self._runs = np.array([each.runs for each in observations])

    def covariance(self, spreads: Spreads) -> Matrix:
        """Of the errors as they were measured."""
        noise = (spreads.run**2 + self._iterations) / self._runs
        return self._alike.covariance(spreads) + np.diag(noise)

    def surprise(self, spreads: Spreads) -> float:
        """The negative logarithm of the likelihood of the errors, but for a constant."""
        lower = np.linalg.cholesky(self.covariance(spreads))
        scaled = np.linalg.solve(lower, self.errors)
        return float(np.sum(np.log(np.diag(lower))) + scaled @ scaled / 2)


class _Alike:
    """What each case of one sequence has in common with each of another."""

    def __init__(self, left: Sequence[Case], right: Sequence[Case]) -> None:
        both = (left, right)
        sizes = [np.log([max(case.place.size, 1) for case in side]) for side in both]
        ranks = [np.log([case.place.ranks for case in side]) for side in both]
        per_node = [np.log([case.place.ranks_per_node for case in side]) for side in both]
        names = [np.array([case.algorithm or "" for case in side]) for side in both]
        labels = [np.array([case.label for case in side]) for side in both]
        unknown = [
            np.array([case.algorithm is None or case.label == OWN_CHOICE for case in side])
            for side in both
        ]
        self._sizes = np.abs(np.subtract.outer(*sizes))
        self._ranks = np.abs(np.subtract.outer(*ranks)) + np.abs(np.subtract.outer(*per_node))
        self._algorithm = np.equal.outer(*names) & np.not_equal(names[0], "")[:, None]
        self._label = np.equal.outer(*labels)
        self._unknown = self._label & np.logical_and.outer(*unknown)

    def covariance(self, spreads: Spreads) -> Matrix:
        near = np.exp(-self._sizes / spreads.size - self._ranks / spreads.ranks)
        terms = (
            spreads.operation**2
            + spreads.algorithm**2 * self._algorithm
            + spreads.label**2 * self._label
            + spreads.unknown**2 * self._unknown
        )
        result: Matrix = _FACTOR**2 + near * terms
        return result


def _likeliest(groups: Sequence[_Group], expected: Spreads) -> Spreads:
    """The spreads that are the most likely by the observations and by what is expected."""
    from scipy.optimize import minimize

    middle = np.log(astuple(expected))

    def surprise(logs: Vector) -> float:
        off = (logs - middle) / _DOUBT
        spreads = Spreads(*np.exp(logs).tolist())
        return float(off @ off / 2) + sum(group.surprise(spreads) for group in groups)

    around = [(one - 3 * _DOUBT, one + 3 * _DOUBT) for one in middle]
    found = minimize(surprise, middle, method="L-BFGS-B", bounds=around)
    return Spreads(*np.exp(found.x).tolist())
