"""The measured times that a fit goes by."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from .. import _core
from ..measurements.cell import Measurements, Typical
from ..prediction.algorithm_names import algorithm_named


class Group(NamedTuple):
    """What is predicted at once: an algorithm by Lapwing's name, on so many ranks."""

    operation: str
    algorithm: str
    ranks: int
    ranks_per_node: int


class Point(NamedTuple):
    """One measured time. size: bytes, as `lapwing.predict` counts them.  seconds: its median."""

    group: Group
    size: int
    seconds: float


def points_of(measurements: Measurements) -> tuple[list[Point], list[str]]:
    """The points with a prediction, and notes on the others, one line for each reason.

    What several libraries took for one algorithm counts once, by its median.
    """
    known = {name: set(_core.predicted_algorithms(name)) for name in _core.predicted_operations()}
    times: dict[tuple[Group, int], list[float]] = {}
    left_out: Counter[str] = Counter()
    for typical in measurements.typical():
        reason = _reason(typical, known)
        if reason is None:
            group = _group(typical)
            times.setdefault((group, typical.setup.size), []).append(typical.seconds)
        else:
            left_out[reason] += 1
    points = [Point(group, size, median(each)) for (group, size), each in times.items()]
    return points, [f"left out, {reason}: {count}" for reason, count in left_out.most_common()]


def on_fewer_nodes(measurements: Measurements, most: int) -> Measurements:
    """What was measured on at most so many nodes."""
    cells = [cell for cell in measurements.cells if cell.nodes is not None and cell.nodes <= most]
    return replace(measurements, cells=cells)


def _reason(typical: Typical, known: dict[str, set[str]]) -> str | None:
    """Why a setup cannot be predicted; None if it can."""
    setup = typical.setup
    if setup.operation not in known:
        return f"no model of {setup.operation}"
    if setup.is_default:
        return "chosen by the library, which does not say what it chose"
    name = algorithm_named(setup.operation, setup.algorithm, setup.mpi or "")
    if name not in known[setup.operation]:
        return f"no model of {setup.operation} {setup.algorithm}"
    if setup.ranks is None:
        return "the number of ranks is unknown"
    if setup.ranks < 2:
        return "of a single rank"
    return None


def _group(typical: Typical) -> Group:
    setup = typical.setup
    name = algorithm_named(setup.operation, setup.algorithm, setup.mpi or "")
    assert name is not None and setup.ranks is not None
    return Group(setup.operation, name, setup.ranks, setup.ranks_per_node or 1)


def by_group(points: Iterable[Point]) -> dict[Group, Sequence[int]]:
    """The places of the points of each group."""
    groups: dict[Group, list[int]] = {}
    for place, point in enumerate(points):
        groups.setdefault(point.group, []).append(place)
    return dict(groups)
