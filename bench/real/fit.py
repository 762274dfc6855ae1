"""Collectives on many nodes, predicted by Lapwing's fit to few nodes."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from lapwing import Measurements
from lapwing.fitting.points import Point

from .extrapolation import Extrapolation
from .predictions import Vector, errors, measured, median_and_nine_of_ten


def report(systems: Sequence[Extrapolation]) -> None:
    """Print a line of each system, and one of each operation and number of ranks.

    within: the share of measured times in the interval of the fit, which is meant to hold 90 %.
    runs: by how much two runs of one measurement differ, the median.
    """
    print(f"{'system':12}{'fitted':>8}{'tried':>8}{'median':>9}{'90 %':>9}{'within':>9}{'runs':>9}")
    for each in systems:
        if each.left_out is not None:
            print(f"{each.system:11} left out: {each.left_out}")
            continue
        made, times = each.predicted, measured(each.more)
        wrong = errors(made, each.more)
        low, high = each.fitted.low * made, each.fitted.high * made
        within = np.mean((times >= low) & (times <= high))
        differing = between_runs(each.measurements)
        print(
            f"{each.system:11} {len(each.fitted.points):8}{len(each.more):8}"
            f"{median_and_nine_of_ten(wrong)}{within:9.2f}"
            + (f"{np.median(differing):9.3f}" if differing else "        -")
        )
        _by(each.more, wrong, lambda point: point.group.operation)
        _by(each.more, wrong, lambda point: f"{point.group.ranks} ranks")


def _by(points: Sequence[Point], wrong: Vector, name: Callable[[Point], str]) -> None:
    """A line of the errors of all points of each name."""
    groups: dict[str, list[float]] = defaultdict(list)
    for point, error in zip(points, wrong, strict=True):
        groups[name(point)].append(float(error))
    for each, some in groups.items():
        print(f"  {each:18}{len(some):8}{median_and_nine_of_ten(np.array(some))}")


def between_runs(measurements: Measurements) -> list[float]:
    """The difference of any two runs of one setup, relative to their mean."""
    found = []
    for typical in measurements.typical():
        times = [cell.seconds for cell in typical.cells]
        found += [abs(a - b) / ((a + b) / 2) for a, b in combinations(times, 2)]
    return found
