"""`lapwing fit` as a user runs it."""

import json
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

from lapwing import load_profile, predict

HEADER = "system,nodes,ranks_per_node,collective,algorithm,size,median_us\n"


def rows(system: str) -> str:
    """Times that a published machine is predicted to take, as a table."""
    lines = []
    for operation, algorithm in (
        ("allreduce", "ring"),
        ("allgather", "ring"),
        ("bcast", "binomial"),
    ):
        sizes = [64, 4096, 65536]
        for nodes in (2, 4, 8):
            times = predict(
                load_profile("ranger"), operation, ranks=[nodes], sizes=sizes, algorithm=algorithm
            )
            lines += [
                f"{system},{nodes},1,{operation},{algorithm},{size},{time * 1e6}"
                for size, time in zip(sizes, times.seconds[0], strict=True)
            ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def measured(lapwing: Lapwing, tmp_path: Path) -> str:
    (tmp_path / "table.csv").write_text(HEADER + rows("one"))
    assert lapwing("import", "table.csv", "-o", "measured.json").status == 0
    return "measured.json"


def test_fit(lapwing: Lapwing, measured: str, tmp_path: Path) -> None:
    shown = lapwing("fit", "elan4", measured, "-o", "fitted.json").table
    assert "The fitted profile is in fitted.json." in shown
    assert "nine of ten lie" in shown
    check("profile", json.loads((tmp_path / "fitted.json").read_text()))
    assert "Collectives, besides their messages" in lapwing("show", "fitted.json").table
    document = lapwing("fit", "elan4", measured, "--json").document
    check("fit", document)
    assert document["points"] == 27
    assert document["fitted"]["median"] < 0.1
    fewer = lapwing("fit", "elan4", measured, "--most-nodes", "4", "--json").document
    assert fewer["points"] == 18


def test_predictions_have_intervals(lapwing: Lapwing, measured: str) -> None:
    assert lapwing("fit", "elan4", measured, "-o", "fitted.json").status == 0
    words = ["predict", "fitted.json", "allreduce", "--ranks", "64", "--size", "4096"]
    document = lapwing(*words, "--json").document
    check("predict", document)
    told = document["predictions"][0]["predicted"]
    assert told["low"] <= told["high"]
    assert "nine of ten measured times lie between" in lapwing(*words).table
    plain = lapwing("predict", "elan4", "allreduce", "--ranks", "64", "--json").document
    assert "low" not in plain["predictions"][0]["predicted"]


def test_refusals(lapwing: Lapwing, measured: str, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text(HEADER + rows("two"))
    (tmp_path / "few.csv").write_text(HEADER + "one,4,1,allgather,ring,64,10\n")
    for name in ("other", "few"):
        assert lapwing("import", f"{name}.csv", "-o", f"{name}.json").status == 0
    (tmp_path / "mine.json").write_text("mine")
    for words, said in [
        ((measured,), "missing: -o FILE"),
        (("nowhere.json", "-o", "f.json"), "nowhere.json"),
        ((measured, "other.json", "-o", "f.json"), "of several machines: one, two"),
        (("few.json", "-o", "f.json"), "a fit needs 8"),
        ((measured, "-o", "mine.json"), "mine.json: exists already"),
        ((measured, "--most-nodes", "0", "-o", "f.json"), "is not a whole number from 1"),
    ]:
        assert said in lapwing("fit", "elan4", *words).complaint, words
    assert not (tmp_path / "f.json").exists()
    assert (tmp_path / "mine.json").read_text() == "mine"
