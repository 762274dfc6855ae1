"""Collectives predicted from messages between two ranks alone: nothing is fitted."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from lapwing import Measurements, Profile, import_logs
from lapwing.fitting.points import Point, on_fewer_nodes, points_of

from .predictions import (
    Vector,
    chosen_by,
    errors,
    measured,
    median_and_nine_of_ten,
    predicted,
)

MATCHING = ("hybrid", "hardware", "software")  # tags, of which the logs' names say how
MOST_NODES = 32
RANKS_PER_NODE = 8  # of the logs of collectives
# Whose rules choose the algorithms of those logs, by the folder of the library.
_LIBRARIES = {"craype": "mpich", "ompi": "openmpi"}


def report(data: Path, systems: Mapping[str, Measurements], matching: str) -> None:
    """Print the errors for each system whose logs of messages are in `osu/craype/SYSTEM`.

    systems: measured collectives with forced algorithms, by the system.
    """
    folders = [folder for folder in sorted(data.glob("osu/craype/*")) if _trips(folder, matching)]
    if not folders:
        print(f"left out: no osu_latency*multinode*{matching}*.txt in {data}/osu/craype/SYSTEM")
        return
    print(f"profile: messages between two ranks, {matching} tag matching")
    print(f"{'system':8}{'collectives':32}{'cells':>6}{'median':>9}{'90 %':>9}{'ratio':>8}")
    for folder in folders:
        profile = imported_profile(folder, matching)
        if folder.name in systems:
            few = on_fewer_nodes(systems[folder.name], MOST_NODES)
            what = f"forced, up to {MOST_NODES} nodes"
            _report(folder.name, what, profile, points_of(few)[0])
        for place, library in _LIBRARIES.items():
            points = _own_choices(data / "osu" / place / folder.name, library, matching)
            if points:
                what = f"{library}'s, {RANKS_PER_NODE} ranks a node"
                _report(folder.name, what, profile, points)


def imported_profile(folder: Path, matching: str) -> Profile:
    """What `lapwing import` makes of the logs between two nodes and within one."""
    between = [*_trips(folder, matching), *folder.glob(f"osu_b*multinode*{matching}*.txt")]
    within = folder.glob(f"osu_*singlenode*{matching}*.txt")
    profile = import_logs(between, within_node=sorted(within), nodes=2).profile
    assert profile is not None  # without a log of messages import_logs raises an error
    return profile


def _trips(folder: Path, matching: str) -> list[Path]:
    return sorted(folder.glob(f"osu_latency*multinode*{matching}*.txt"))


def _own_choices(folder: Path, library: str, matching: str) -> list[Point]:
    """What OSU measured of collectives for which the library chose the algorithms."""
    # Over "lnx" Open MPI uses shared memory, too, which is how Cray MPICH does it.
    logs = sorted(folder.glob(f"osu_all*_n*_{matching}*.txt"))
    logs = [path for path in logs if "_cxi_" not in path.name]
    if not logs:
        return []
    cells = import_logs(logs, names="*_n{ranks}_*", ranks_per_node=RANKS_PER_NODE).measurements
    assert cells is not None
    return chosen_by(library, cells)


def _report(system: str, what: str, profile: Profile, points: Sequence[Point]) -> None:
    """A line of all points, and one of each operation and of short, middling and long ones."""
    seconds = predicted(profile, points).seconds
    operations = [point.group.operation for point in points]
    _line(f"{system:8}{what:32}", seconds, points)
    for operation in sorted(set(operations)):
        some = [place for place, name in enumerate(operations) if name == operation]
        _line(f"{'':8}  {operation:30}", seconds[some], [points[place] for place in some])


def _line(head: str, seconds: Vector, points: Sequence[Point]) -> None:
    ratio = np.median(seconds / measured(points))
    wrong = median_and_nine_of_ten(errors(seconds, points))
    print(f"{head}{len(points):6}{wrong}{ratio:8.2f}")
