"""bench/diagnosis.py: what it reads off a map, what it counts, and a map run small."""

import json
import os
from pathlib import Path

import diagnosis
import pytest

from lapwing import Profile, load_profile

ROOT = Path(__file__).parents[3]


@pytest.fixture
def ib4x(monkeypatch: pytest.MonkeyPatch) -> Profile:
    if "LAPWING_NATIVE_DIR" not in os.environ:
        monkeypatch.setenv("LAPWING_NATIVE_DIR", str(ROOT / "build" / "bin"))
    return load_profile(ROOT / "tests" / "data" / "profiles" / "ib4x.json")


def cell(message: int, burst: int, seconds: float, order: str = "contiguous") -> dict:
    return {
        "message": message,
        "burst": burst,
        "order": order,
        "staggered": True,
        "seconds": seconds,
    }


def chosen(message: int, burst: int, order: str = "contiguous") -> dict:
    return {
        "messages": [message, message, 8],
        "burst": burst,
        "order": order,
        "staggered": True,
    }


def test_a_plan_is_found_on_the_map() -> None:
    cells = [cell(64, 1, 3.0), cell(64, 2, 2.0), cell(128, 1, 1.0)]
    assert diagnosis.cell_of(cells, chosen(64, 2)) is cells[1]
    # Where the map has one order, the plan's word for it does not matter.
    assert diagnosis.cell_of(cells, chosen(64, 2, "interleaved")) is cells[1]
    both = [*cells, cell(64, 2, 9.0, "interleaved")]
    assert diagnosis.cell_of(both, chosen(64, 2, "interleaved")) is both[3]
    with pytest.raises(ValueError):
        diagnosis.cell_of(cells, chosen(256, 1))


def test_two_bursts_fit_the_queue(ib4x: Profile) -> None:
    cells = [cell(1024 // (2 * burst), burst, 1.0) for burst in (1, 2, 4, 8)]
    cells.append(cell(8, 8, 1.0))  # more than two
    assert diagnosis.two_bursts(cells, 1024, ib4x)["burst"] == 8
    document = json.loads(ib4x.to_json())
    document["queue_depth"] = 4
    shallow = Profile.from_json(json.dumps(document))
    assert diagnosis.two_bursts(cells, 1024, shallow)["burst"] == 2


def test_a_stream_of_few_messages(ib4x: Profile) -> None:
    for bound in diagnosis.RATIOS:
        found = diagnosis.losses(diagnosis.Case("ib4x", "stream", 256, bound), ib4x)
        names = {"model", "equations", "computation", "half", "double"}
        assert found["loss"].keys() == names | (
            {"unbounded"} if bound == "communication" else set()
        )
        assert all(value >= 0 for value in found["loss"].values())
        for name, (size, burst, _) in found["chosen"].items():
            assert 8 <= size <= 2048, name
            assert burst * size <= 2048, name
        if "unbounded" in found["chosen"]:
            size, burst, _ = found["chosen"]["unbounded"]
            assert 2 * burst * size == 2048


def test_an_all_to_all_has_bursts(ib4x: Profile) -> None:
    case = diagnosis.Case("ib4x", "alltoall", 2048, "communication")
    found = diagnosis.losses(case, ib4x)
    assert found["chosen"]["model"][1] == 1
    assert found["loss"]["bursts"] >= 0


def losing(pattern: str, bound: str, **loss: float) -> dict:
    names = ("model", "equations", "computation", "half", "double")
    return {
        "cluster": "ib4x",
        "pattern": pattern,
        "doubles": 2048,
        "bound": bound,
        "loss": dict.fromkeys(names, 0.0) | loss,
    }


def test_lessons_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    results = [
        losing("stream", "communication", equations=0.2),
        losing("stream", "communication", equations=0.005),
        losing("stream", "communication", model=0.07),
        losing("stream", "computation", equations=0.3),
    ]
    diagnosis.summary(results)
    said = capsys.readouterr().out
    assert "| stream | communication | 3 | 0.023, 0.070 | 0.068, 0.200 |" in said
    assert "| equation 5 where communication takes longer | stream | 1 | 1 | 1 |" in said
    assert "| equation 5 where computation takes longer | stream | 0 | 0 | 1 |" in said


def test_the_table_is_in_per_cent(capsys: pytest.CaptureFixture[str]) -> None:
    diagnosis.table([losing("halo", "computation", model=0.12, equations=0.004)])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "| ib4x | halo | computation | 2K | 12% | * | * |  |"
