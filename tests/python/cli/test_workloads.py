"""Patterns of many ranks: run, swept, printed, kept, drawn, and refused if impossible."""

import json
from pathlib import Path

import jsonschema
import pytest
from documents import check
from typed import Lapwing

from lapwing.planning.patterns import PATTERNS
from lapwing.schema import schema

SMALL = ["--volume", "24KB", "--ratio", "1"]


WAYS = [
    *((pattern, ()) for pattern in PATTERNS if pattern != "stream"),
    ("stream", ("--direction", "produce")),
    ("multi", ("--direction", "produce")),
    ("congested", ("--direction", "fetch")),
    ("alltoall", ("--direction", "both")),
    ("collective", ("--direction", "both")),
    ("collective", ("--unknown-sizes", "--direction", "fetch")),
    ("collective", ("--unknown-sizes", "--direction", "produce")),
    ("halo", ("--dependence", "tight", "--direction", "produce")),
]


@pytest.mark.parametrize(("pattern", "more"), WAYS)
def test_run(lapwing: Lapwing, machine: str, pattern: str, more: tuple[str, ...]) -> None:
    target = "sim:ib4x:2" if pattern == "stream" else "sim:ib4x:3"
    words = ["run", pattern, "--on", target, machine, *SMALL, *more]
    document = lapwing(*words, "--json").document
    check("sweep", document)
    assert document["pattern"] == pattern
    if "--direction" in more:
        assert document["direction"] == more[-1]
    assert document["plan"]["seconds"] <= document["blocking"]["seconds"] * 1.001
    assert document["computation"]["seconds"] == pytest.approx(
        document["plan"]["compute"]["seconds"], rel=1e-3
    )
    # No run is faster than the bound.
    assert 0 < document["reached"] <= 1.0001


def test_sweep(lapwing: Lapwing, machine: str) -> None:
    words = ["sweep", "--on", "sim:ib4x:4", machine, "--pattern", "alltoall", *SMALL]
    document = lapwing(*words, "--smallest", "1KB", "--json").document
    check("sweep", document)
    ways = {(cell["order"], cell["staggered"]) for cell in document["cells"]}
    assert ways == {("contiguous", True), ("contiguous", False), ("interleaved", True)}
    assert {cell["message"] for cell in document["cells"]} == {1024, 2048, 4096, 8192}
    assert all(cell["window"] == 2 * cell["burst"] for cell in document["cells"])
    best = min(document["cells"], key=lambda cell: cell["seconds"])
    assert document["best"]["seconds"] == best["seconds"]
    assert document["loss"] == pytest.approx(
        (document["plan"]["seconds"] - best["seconds"]) / document["blocking"]["seconds"]
    )


def test_schedules_beside_each_other(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    words = ["sweep", "--on", "sim:ib4x:3", machine, "--pattern", "multi", *SMALL]
    words += ["--smallest", "1KB", "--schedules"]
    shown = lapwing(*words, "A,c,D,E", "--plot", "map.svg", "-o", "result.json").table
    assert all(f"schedule {letter}" in shown for letter in "ACDE")
    assert "schedule B" not in shown
    assert (tmp_path / "map.svg").read_text().count("<svg") == 1
    document = json.loads((tmp_path / "result.json").read_text())
    check("sweep", document)
    cells: dict[str, dict] = {letter: {} for letter in "ACDE"}
    for cell in document["cells"]:
        way = (cell["message"], cell["burst"], cell["order"])
        assert way not in cells[cell["template"]]
        cells[cell["template"]][way] = cell
    assert {cell["burst"] for cell in cells["A"].values()} == {1}
    assert cells["C"].keys() == cells["D"].keys() == cells["E"].keys()
    # In a burst of one, C has nothing to overlap: it is the blocking schedule.
    for way, cell in cells["A"].items():
        assert cells["C"][way]["seconds"] == pytest.approx(cell["seconds"])
    in_flight = {letter: cells[letter][2048, 2, "contiguous"]["window"] for letter in "CDE"}
    assert in_flight == {"C": 2, "D": 2, "E": 4}
    # E alone is what a sweep runs, unless it is asked for more.
    alone = lapwing(*words[:-1], "--json").document["cells"]
    assert [cell["seconds"] for cell in alone] == pytest.approx(
        [cell["seconds"] for cell in document["cells"] if cell["template"] == "E"]
    )


def test_several_volumes_and_a_picture(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    words = ["sweep", "--on", "sim:ib4x:3", machine, "--pattern", "buckets"]
    words += ["--volume", "4KB:16KB", "--ratio", "1", "--smallest", "1KB"]
    shown = lapwing(*words, "--plot", "map.svg", "-o", "result.json").table
    assert "Buckets on 3 ranks" in shown
    assert "16 KB" in shown
    document = json.loads((tmp_path / "result.json").read_text())
    jsonschema.validate(document, schema("sweeps"))
    assert [one["volume"] for one in document["sweeps"]] == [4096, 8192, 16384]
    assert all(cell["burst"] is None for one in document["sweeps"] for cell in one["cells"])
    drawn = (tmp_path / "map.svg").read_text()
    assert drawn.startswith("<svg")
    assert "<svg" in drawn


def test_a_plan_that_is_given_is_run(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    words = ["run", "congested", "--on", "sim:ib4x:3", machine, *SMALL, "--json"]
    plan = lapwing(*words).document["plan"]
    plan["compact"] = {"volume": 24576, "grain": 8, "count": 3, "runs": [[8192, 3]]}
    plan["window"] = 3
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    document = lapwing(*words, "--plan", "plan.json").document
    assert document["plan"]["messages"] == [8192, 8192, 8192]
    assert document["plan"]["window"] == 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "multi", "--transport", "pigeon"], "pigeon"),
        (["run", "halo", "--peers", "3"], "peers must be fewer than the ranks, 3"),
        (["run", "halo", "--peers", "1"], "a rank has 2 neighbours (a ring) or 4 (a grid)"),
        (["run", "alltoall", "--peers", "1"], "leave peers out"),
        (["run", "multi", "--direction", "both"], "multi cannot be run in direction both"),
        (["run", "multi", "--dependence", "loose"], "a halo with either"),
        (["run", "buckets", "--transport", "put"], "a transport of its own, collectives"),
        (["run", "multi", "--transport", "ucx-get"], "simulated clusters have no UCX"),
        (["sweep", "--transport", "ucx-put"], "simulated clusters have no UCX"),
        (["run", "multi", "--transport", "partitioned"], "have no partitioned messages"),
        (["run", "multi", "--transport", "shmem"], "no OpenSHMEM in simulated time"),
        (["run", "multi", "--unknown-sizes"], "are for pattern collective, not for multi"),
        (["run", "stream", "--stride", "64:56"], "stride must be at least the block, 64 bytes"),
        (["run", "stream", "--stride", "12:64"], "block and stride must be multiples of 8 bytes"),
        (["run", "stream", "--stride", "64:128", "--grain", "8"], "whole blocks, 64 bytes"),
        (["run", "multi", "--stride", "8:64"], "is run as a stream one way"),
        (["run", "multi", "--plan", "machine.json"], "no plan"),
        (["run", "multi", "--plan", "nowhere.json"], "nowhere.json"),
        (["sweep", "--pattern", "ring"], "ring"),
        (["sweep", "--schedules", "C,F"], 'unknown schedule "F": it is A, B, C, D, E'),
        (["sweep", "--schedules", ""], "unknown schedule"),
        (["sweep", "--schedules", "C,c"], "a schedule is named twice"),
        (["sweep", "--pattern", "alltoall", "--schedules", "C"], "stream, multi or congested"),
        (["sweep", "--pattern", "multi", "--direction", "produce", "--schedules", "D"], "fetch"),
        (["sweep", "--plot", "map.pdf"], "ends in .png or .svg"),
    ],
)
def test_refusals(lapwing: Lapwing, machine: str, words: list[str], says: str) -> None:
    asked = [*words, "--on", "sim:ib4x:3", machine, *SMALL]
    assert says in lapwing(*asked).complaint


def test_one_sided(lapwing: Lapwing, machine: str) -> None:
    words = ["run", "multi", "--on", "sim:ib4x:3", machine, *SMALL, "--transport", "get"]
    ended = lapwing(*words, "--json")
    assert ended.status in (0, 1)  # whether the plan pays does not matter
    document = json.loads(ended.out)
    check("sweep", document)
    assert document["transport"] == "get"
    assert document["plan"]["seconds"] > 0


@pytest.fixture
def copying(lapwing: Lapwing, tmp_path: Path) -> list[str]:
    """A cluster whose receivers copy what arrives, and its profile: target and machine."""
    words = ["latency", "bandwidth", "serialising", "eager_limit", "topology"]
    values = ["5e-6", "750e6", "true", "0", '"flat"']
    network = "\n".join(f"{word} = {value}" for word, value in zip(words, values, strict=True))
    (tmp_path / "copying.toml").write_text(
        f'name = "copying"\nhosts = 2\n[network]\n{network}\n'
        "[network.send_overhead]\nbase = 1.5e-6\nper_byte = 0.0\n"
        "[network.receive_overhead]\nbase = 1.5e-6\nper_byte = 0.5e-9\n"
        "[kernels]\nadd = 4e9\ncopy = 5e9\n"
    )
    words = ["calibrate", "--on", "sim:./copying.toml:2", "--quick", "-o", "copying.json"]
    assert lapwing(*words, "--only", "operations,log3p").status == 0
    return ["--on", "sim:./copying.toml:2", "copying.json"]


def test_the_plan_chooses_how_messages_move(lapwing: Lapwing, copying: list[str]) -> None:
    words = ["run", "stream", *copying, "--volume", "1MB", "--ratio", "1.3", "--json"]
    chosen = lapwing(*words).document
    check("sweep", chosen)
    assert (chosen["transport"], chosen["plan"]["transport"]) == ("two-sided", "put")
    two_sided = lapwing(*words, "--transport", "two-sided").document
    assert two_sided["plan"]["transport"] == "two-sided"
    assert chosen["blocking"]["seconds"] == pytest.approx(
        two_sided["blocking"]["seconds"], rel=1e-12
    )
    assert chosen["plan"]["seconds"] < 0.9 * two_sided["plan"]["seconds"]
    assert chosen["plan"]["predicted"]["seconds"] == pytest.approx(
        chosen["plan"]["seconds"], rel=0.06
    )
    shown = lapwing("plan", "copying.json", "--volume", "1MB", "--compute", "4ms").table
    assert "transport  put: two-sided messages would take longer" in shown


@pytest.mark.parametrize("direction", ["fetch", "produce"])
def test_strided_data(lapwing: Lapwing, copying: list[str], direction: str) -> None:
    words = ["sweep", *copying, "--volume", "64KB", "--ratio", "1", "--stride", "16:64"]
    result = lapwing(*words, "--direction", direction, "--smallest", "8KB", "--json").document
    check("sweep", result)
    assert {cell["packing"] for cell in result["cells"]} == {"derived", "blocked", "copy"}
    assert result["plan"]["packing"] == "derived"  # derived types are free in simulation
    assert result["best"]["packing"] == "derived"
    assert result["loss"] <= 0.01
