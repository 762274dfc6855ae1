"""Collectives on many nodes, predicted by Lapwing's fit to few nodes."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from lapwing import Measurements

from .extrapolation import Extrapolation
from .predictions import errors, measured, median_and_nine_of_ten


def report(systems: Sequence[Extrapolation]) -> None:
    """Print a line of each system, and one of each operation.

    within: the share of measured times in the interval of the fit, which is meant to hold 90 %.
    runs: by how much two runs of one measurement differ, the median.
    """
    print(f"{'system':12}{'fitted':>8}{'tried':>8}{'median':>9}{'90 %':>9}{'within':>9}{'runs':>9}")
    for each in systems:
        if each.left_out is not None:
            print(f"{each.system:11} left out: {each.left_out}")
            continue
        made, times = each.predicted, measured(each.more)
        wrong = errors(made.seconds, each.more)
        within = np.mean((times >= made.low) & (times <= made.high))
        differing = between_runs(each.measurements)
        print(
            f"{each.system:11} {len(each.fitted.points):8}{len(each.more):8}"
            f"{median_and_nine_of_ten(wrong)}{within:9.2f}"
            + (f"{np.median(differing):9.3f}" if differing else "        -")
        )
        operations: dict[str, list[float]] = defaultdict(list)
        for point, error in zip(each.more, wrong, strict=True):
            operations[point.group.operation].append(float(error))
        for operation, some in operations.items():
            print(f"  {operation:18}{len(some):8}{median_and_nine_of_ten(np.array(some))}")


def between_runs(measurements: Measurements) -> list[float]:
    """The difference of any two runs of one setup, relative to their mean."""
    found = []
    for typical in measurements.typical():
        times = [cell.seconds for cell in typical.cells]
        found += [abs(a - b) / ((a + b) / 2) for a, b in combinations(times, 2)]
    return found
