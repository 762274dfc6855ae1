"""The command `convert`: what it writes, prints and refuses. Formats: tests/python/traces."""

import sys
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

sys.path.append(str(Path(__file__).parents[1] / "traces"))

from test_chakra import COMPUTE, allreduce, node, written

pytestmark = pytest.mark.alone

LOGGOPS = ["--parameters", "L=2500,o=1500,G=6"]


@pytest.fixture
def step(tmp_path: Path) -> list[str]:
    """The files of two ranks."""
    nodes = [node(1, COMPUTE, [], 100), allreduce(2, [1]), node(3, COMPUTE, [2], 50)]
    return [file.name for file in written(tmp_path, nodes, nodes)]


def test_a_trace_can_be_replayed(lapwing: Lapwing, step: list[str]) -> None:
    document = lapwing("convert", *step, "-o", "step.lwt", "--json").document
    check("recording", document)
    assert document["converted"] == {
        "from": "chakra",
        "file": "step.0.et to step.1.et",
        "notes": [],
    }
    assert (document["ranks"], document["calls"]) == (2, 4)
    assert document["time"]["seconds"] == pytest.approx(150e-6)
    assert lapwing("record", "--show", "step.lwt", "--json").document == document
    replayed = lapwing("replay", "step.lwt", *LOGGOPS, "--json").document
    check("replay", replayed)
    assert replayed["time"]["seconds"] > 150e-6


def test_the_table(lapwing: Lapwing, step: list[str]) -> None:
    table = lapwing("convert", *step, "-o", "step.lwt").table
    assert "step.0.et to step.1.et (chakra)" in table
    assert "150 us" in table


def test_as_a_schedule(lapwing: Lapwing, step: list[str], tmp_path: Path) -> None:
    document = lapwing("convert", *step, "-o", "step.goal", "--json").document
    check("recording", document)
    lapwing("convert", *step, "-o", "step.lwt")
    assert "step.lwt" not in lapwing("convert", "step.lwt", "-o", "again.goal").table
    text = (tmp_path / "step.goal").read_text()
    assert text.startswith("num_ranks 2")
    assert (tmp_path / "again.goal").read_text() == text
    words = [*LOGGOPS, "--json"]
    played = lapwing("replay", "step.goal", *words).document["rank_times"]
    assert played == lapwing("replay", "step.lwt", *words).document["rank_times"]
    already = lapwing("convert", "step.lwt", "-o", "other.lwt").complaint
    assert already == "step.lwt: is a recording already"


def test_nothing_is_left_behind(lapwing: Lapwing, step: list[str], tmp_path: Path) -> None:
    broken = tmp_path / step[1]
    broken.write_bytes(broken.read_bytes()[:-1])
    said = lapwing("convert", *step, "-o", "step.lwt").complaint
    assert said.startswith("step.1.et: rank 1, node 3: it is cut off")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(step)
    broken.unlink()
    assert lapwing("convert", *step, "-o", "step.lwt").complaint == (
        "step.1.et: cannot read: No such file or directory"
    )


def test_refusals(lapwing: Lapwing, step: list[str], tmp_path: Path) -> None:
    (tmp_path / "text").write_text("nothing of a trace")
    (tmp_path / "empty").mkdir()
    known = "is no trace of otf2, dumpi, kineto, chakra"
    assert lapwing("convert", "text", "-o", "x.lwt").complaint.startswith(f"text: {known}")
    assert lapwing("convert", "empty", "-o", "x.lwt").complaint.startswith(f"empty: {known}")
    assert lapwing("convert", step[0], "-o", "x.lwt", "--from", "otf2").complaint == (
        "step.0.et: is no trace of otf2"
    )
    assert "-o: missing" in lapwing("convert", *step).complaint
    assert ".lwt" in lapwing("convert", *step, "-o", "x.json").complaint
    (tmp_path / "there.lwt").touch()
    assert "exists already" in lapwing("convert", *step, "-o", "there.lwt").complaint
    assert lapwing("convert", *step, "-o", "there.lwt", "--force").status == 0
