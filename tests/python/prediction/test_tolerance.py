"""What programs tolerate, against the linear programs of LLAMP (Shen et al. 2024)."""

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

sys.path.append(str(Path(__file__).parents[1] / "traces"))

from programs import recording_of

from lapwing.prediction.paths import paths

LATENCY, OVERHEAD, GAP = 2000, 500, 2  # nanoseconds
VARIED = {"L": "seconds", "G": "seconds_per_byte", "o": "seconds"}


@dataclass
class LinearProgram:
    """Times of events, each at least a sum of others: variables are x, then the events' times.

    x: by how much the varied parameter is larger.
    """

    varied: str
    rows: list[dict[int, float]] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    events: int = 0

    def event(self, *after: tuple[int | None, float, float]) -> int:
        """An event after each of these others (None: the start), by a time and so many x."""
        self.events += 1
        for before, time, count in after:
            row = {self.events: -1.0, 0: float(count)}
            if before is not None:
                row[before] = 1.0
            self.rows.append(row)
            self.limits.append(-time)
        return self.events

    def _solve(self, objective: list[float], **more: Any) -> Any:
        matrix = np.zeros((len(self.rows), self.events + 1))
        for number, row in enumerate(self.rows):
            for column, value in row.items():
                matrix[number, column] = value
        solved = linprog(objective, A_ub=matrix, b_ub=self.limits, method="highs", **more)
        assert solved.status in (0, 3)
        return solved

    def least_time(self, last: int, x: float) -> float:
        """The least time of an event, for a value of x."""
        objective = [0.0] * (self.events + 1)
        objective[last] = 1.0
        return float(self._solve(objective, bounds=[(x, x)] + [(0, None)] * self.events).fun)

    def largest_x(self, last: int, most: float) -> float | None:
        """The largest x with which an event comes in time; None: there is none."""
        bounds: list[tuple[float, float | None]] = [(0, None)] * (self.events + 1)
        bounds[last] = (0, most)
        solved = self._solve([-1.0] + [0.0] * self.events, bounds=bounds)
        return None if solved.status == 3 else float(solved.x[0])


Step = tuple[Any, ...]
Program = list[list[Step]]


def linear(program: Program, varied: str) -> tuple[LinearProgram, int]:
    """LLAMP's program, and its last event."""
    made = LinearProgram(varied)
    ready: dict[tuple[int, int, int], int] = {}
    clocks: list[int | None] = [None] * len(program)
    places = [0] * len(program)
    o = float(varied == "o")
    while any(place < len(steps) for place, steps in zip(places, program, strict=True)):
        for rank, steps in enumerate(program):
            while places[rank] < len(steps):
                kind, *rest = steps[places[rank]]
                clock = clocks[rank]
                if kind == "compute":
                    clocks[rank] = made.event((clock, rest[0], 0))
                elif kind == "send":
                    to, tag, _ = rest
                    clocks[rank] = ready[rank, to, tag] = made.event((clock, OVERHEAD, o))
                else:
                    of, tag, size = rest
                    if (of, rank, tag) not in ready:
                        break
                    flies = LATENCY + GAP * (size - 1)
                    times = {"L": 1.0, "G": size - 1.0, "o": 0.0}[varied]
                    clocks[rank] = made.event(
                        (clock, OVERHEAD, o), (ready[of, rank, tag], flies + OVERHEAD, times + o)
                    )
                places[rank] += 1
    return made, made.event(*((clock, 0, 0) for clock in clocks))


def records_of(steps: list[Step]) -> list[dict[str, Any]]:
    """The same, as it would be recorded."""
    records, computed = [], 0
    for kind, *rest in steps:
        if kind == "compute":
            computed += rest[0]
            continue
        message = dict(zip(("peer", "tag", "bytes"), rest, strict=True))
        end = "sent" if kind == "send" else "received"
        call = {"computed": computed, "duration": 0, "site": 0, "communicator": 0}
        records.append({"kind": kind, **call, end: message})
        computed = 0
    return [*records, {"kind": "finish", "computed": computed}]


def random_program(seed: int) -> Program:
    """Ranks that compute for random times, and send round a ring at random distances."""
    draw = random.Random(seed)
    ranks = draw.randint(2, 6)
    program: Program = [[] for _ in range(ranks)]
    for tag in range(draw.randint(1, 8)):
        distance = draw.randint(1, ranks - 1)
        size = draw.randint(1, 5000)
        for rank, steps in enumerate(program):
            steps.append(("compute", draw.randint(0, 9000)))
            steps.append(("send", (rank + distance) % ranks, tag, size))
            steps.append(("compute", draw.randint(0, 9000)))
            steps.append(("receive", (rank - distance) % ranks, tag, size))
    return program


@pytest.mark.parametrize("seed", range(12))
def test_zones_are_those_of_the_linear_program(seed: int, tmp_path: Path) -> None:
    program = random_program(seed)
    recording = recording_of(tmp_path, [records_of(steps) for steps in program])
    told = paths(
        recording,
        parameters={"L": LATENCY, "o": OVERHEAD, "g": 0, "G": GAP},
        tolerance=True,
        by_site=False,
    )
    for varied, unit in VARIED.items():
        solver, last = linear(program, varied)
        time = solver.least_time(last, 0)
        found = told["tolerance"][varied]
        assert told["critical_path"]["time"]["seconds"] == pytest.approx(time * 1e-9, rel=1e-9)
        for zone in found["zones"]:
            most = solver.largest_x(last, (1 + zone["share"]) * time)
            if most is None:
                assert zone[unit] is None
            else:
                assert zone[unit] == pytest.approx(most * 1e-9, rel=1e-7)
        for piece in found["curve"]:
            there = solver.least_time(last, piece[unit] * 1e9)
            assert piece["time"]["seconds"] == pytest.approx(there * 1e-9, rel=1e-9)


def test_the_example_of_llamp(tmp_path: Path) -> None:
    """A message of 4 bytes, o = 1500, G = 6, computation beside it: T turns at L = 482 ns."""
    program: Program = [
        [("compute", 1000), ("send", 1, 1, 4), ("compute", 2000)],
        [("compute", 3000), ("receive", 0, 1, 4), ("compute", 2000)],
    ]
    recording = recording_of(tmp_path, [records_of(steps) for steps in program])
    told = paths(recording, parameters={"L": 0, "o": 1500, "g": 0, "G": 6}, tolerance=True)
    flat, rising = told["tolerance"]["L"]["curve"]
    assert (flat["slope"], rising["slope"]) == (0, 1)
    assert flat["time"]["seconds"] == pytest.approx(6500e-9)
    assert rising["seconds"] == pytest.approx(482e-9)
