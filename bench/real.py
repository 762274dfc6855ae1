#!/usr/bin/env python3
"""How well collectives of real machines are predicted, from measurements on few of their nodes.

    build/venv/bin/python bench/real.py --data DIR [--most-nodes 8] [--system lumi ...]

DIR holds `collectives.csv`, a table that `lapwing import` reads. For each system: fits to what was
measured on at most so many nodes, predicts all that was measured on more, and prints the median
and the 90th percentile of the error, the share of measured times within the interval of the fit,
and the median error of each operation. Nothing is timed here: the same on every machine.
"""

import argparse
import dataclasses
import statistics
from collections import defaultdict
from pathlib import Path

import numpy as np

from lapwing import Measurements, import_logs, load_profile
from lapwing.fitting.fit import fit
from lapwing.fitting.model import Model
from lapwing.fitting.parameters import Parameters
from lapwing.fitting.points import on_fewer_nodes, points_of

# All costs that are tried are replaced by fitted ones.
BEGIN = "ranger"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with collectives.csv")
    parser.add_argument("--most-nodes", type=int, default=8, help="of the fit (default: 8)")
    parser.add_argument("--system", nargs="+", help="only these")
    arguments = parser.parse_args()
    imported = import_logs([str(arguments.data / "collectives.csv")])
    assert imported.measurements is not None
    systems = defaultdict(list)
    for cell in imported.measurements.cells:
        systems[cell.system or "?"].append(cell)
    print(f"{'system':12}{'fitted':>8}{'tried':>8}{'median':>9}{'90 %':>9}{'within':>9}")
    for system, cells in systems.items():
        if not arguments.system or system in arguments.system:
            report(system, Measurements(cells), arguments.most_nodes)


def report(system: str, measurements: Measurements, most: int) -> None:
    """A line of a system, and one of each operation."""
    larger = [cell for cell in measurements.cells if (cell.nodes or 0) > most]
    points, _ = points_of(dataclasses.replace(measurements, cells=larger))
    fitted = fit(load_profile(BEGIN), on_fewer_nodes(measurements, most))
    parameters = Parameters.for_points(fitted.points, load_profile(BEGIN))
    measured = np.array([point.seconds for point in points])
    ratios = measured / Model(parameters, points).seconds(fitted.values)
    errors = np.abs(1 / ratios - 1)
    within = np.mean((ratios >= fitted.low) & (ratios <= fitted.high))
    print(
        f"{system:12}{len(fitted.points):8}{len(points):8}{np.median(errors):9.3f}"
        f"{np.quantile(errors, 0.9):9.3f}{within:9.2f}"
    )
    operations = defaultdict(list)
    for point, error in zip(points, errors, strict=True):
        operations[point.group.operation].append(float(error))
    for operation, each in operations.items():
        print(f"  {operation:18}{len(each):8}{statistics.median(each):9.3f}")


if __name__ == "__main__":
    main()
