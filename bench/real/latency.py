"""Collectives predicted from messages between two ranks alone: nothing is fitted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lapwing import Measurements, Profile, import_logs
from lapwing.fitting.model import predicted
from lapwing.fitting.points import Point, on_fewer_nodes, points_of

from .predictions import (
    Vector,
    chosen_by,
    errors,
    measured,
    median_and_nine_of_ten,
)

MATCHING = ("hybrid", "hardware", "software")  # of tags, as the logs' names say
MOST_NODES = 32
RANKS_PER_NODE = 8  # of the logs of collectives
# Whose rules choose the algorithms of those logs, by the folder of the library.
_LIBRARIES = {"craype": "mpich", "ompi": "openmpi"}
# Bytes a second of a node, by the folder of the system: LUMI's processor has eight channels of
# DDR4-3200, of whose 205 GB/s STREAM reaches about 175.
MEMORY_BANDWIDTH = {"lumi": 175e9}


@dataclass(frozen=True)
class Logs:
    """OSU logs that were measured alike, in `osu/LIBRARY/SYSTEM`.

    Their names are `osu_latency_H_H_cxi_multinode_hybrid.txt`, and alike for others. variant:
    between benchmark and place, "H_H_cxi_".  matching: of tags.
    """

    folder: Path
    variant: str
    matching: str

    @property
    def name(self) -> str:
        """The library's folder and, if there are several, the network layer: "ompi cxi"."""
        layer = re.sub(r"^[HD]_[HD]_", "", self.variant).strip("_")
        return f"{self.folder.parent.name} {layer}".strip()

    @property
    def library(self) -> str:
        """Whose rules chose the algorithms of collectives: "mpich" or "openmpi"."""
        return _LIBRARIES[self.folder.parent.name]

    def profile(self) -> Profile:
        """What `lapwing import` makes of the messages between two nodes and within one."""
        found = import_logs(
            self._messages("multinode"),
            within_node=self.within_node(),
            nodes=2,
            memory_bandwidth=MEMORY_BANDWIDTH.get(self.folder.name),
        )
        assert found.profile is not None  # there is a log of latencies
        return found.profile

    def within_node(self) -> list[Path]:
        """The logs of messages within a node."""
        return self._messages("singlenode")

    def collectives(self) -> list[Point]:
        """The times of collectives whose algorithms the library chose."""
        logs = sorted(self.folder.glob(f"osu_*_{self.variant}n[0-9]*_{self.matching}*.txt"))
        if not logs:
            return []
        found = import_logs(logs, names="*_n{ranks}_*", ranks_per_node=RANKS_PER_NODE)
        assert found.measurements is not None
        return chosen_by(self.library, found.measurements)

    def _messages(self, place: str) -> list[Path]:
        return sorted(self.folder.glob(f"osu_*_{self.variant}{place}_{self.matching}*.txt"))


def logs_of(data: Path, matching: str) -> list[Logs]:
    """All logs below `data` with latencies between two nodes."""
    name = re.compile(rf"osu_latency_(\w*?)multinode_{matching}\w*\.txt")
    return [
        Logs(path.parent, match[1], matching)
        for path in sorted(data.glob("osu/*/*/osu_latency_*.txt"))
        if path.parent.parent.name in _LIBRARIES and (match := name.fullmatch(path.name))
    ]


def report(data: Path, systems: Mapping[str, Measurements], matching: str) -> None:
    """Print errors by the logs that predictions come from, and by operation.

    systems: measured collectives with forced algorithms; those with logs of the system's name.
    """
    logs = logs_of(data, matching)
    if not logs:
        print(f"left out: no osu_latency_*multinode_{matching}*.txt in {data}/osu/craype/SYSTEM")
        return
    print(f"{matching} tag matching; ratio: predicted / measured, the median")
    print(
        f"{'system':8}{'logs':11}{'collectives':32}{'cells':>6}{'median':>9}{'90 %':>9}{'ratio':>8}"
    )
    for each in logs:
        profile = each.profile()
        head = f"{each.folder.name:7} {each.name:10} "
        if each.folder.name in systems:
            few = on_fewer_nodes(systems[each.folder.name], MOST_NODES)
            _report(f"{head}{f'forced, up to {MOST_NODES} nodes':32}", profile, points_of(few)[0])
        what = f"{each.library}'s, {RANKS_PER_NODE} ranks a node"
        chosen = each.collectives()
        if chosen and each.within_node():
            _report(f"{head}{what:32}", profile, chosen)
        elif chosen:
            print(f"{head}{what}: left out, no logs of messages within a node")


def _report(head: str, profile: Profile, points: Sequence[Point]) -> None:
    """A line of all points, and one of each operation."""
    seconds = predicted(profile, points)
    operations = [point.group.operation for point in points]
    _line(head, seconds, points)
    for operation in sorted(set(operations)):
        some = [place for place, name in enumerate(operations) if name == operation]
        _line(f"{'':19}  {operation:30}", seconds[some], [points[place] for place in some])


def _line(head: str, seconds: Vector, points: Sequence[Point]) -> None:
    ratio = np.median(seconds / measured(points))
    wrong = median_and_nine_of_ten(errors(seconds, points))
    print(f"{head}{len(points):6}{wrong}{ratio:8.2f}")
