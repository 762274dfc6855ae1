"""`lapwing merge` as a user runs it."""

import json
from pathlib import Path

import pytest
from documents import check, kept
from typed import Lapwing


@pytest.fixture
def two(tmp_path: Path) -> list[str]:
    """Two profiles of one machine; only the second, which is later, has one-sided operations."""
    first, second = kept("full"), kept("full")
    first["machine"] |= {"date": "2026-01-01T00:00:00Z", "command": "lapwing calibrate"}
    second["machine"] |= {"date": "2026-01-02T00:00:00Z", "command": "... --only rma"}
    del first["operations"], second["plogp"]
    second["loggp"]["L"] = 6e-6
    for name, profile in (("first.json", first), ("second.json", second)):
        (tmp_path / name).write_text(json.dumps(profile))
    return ["first.json", "second.json"]


def test_merge(lapwing: Lapwing, two: list[str], tmp_path: Path) -> None:
    shown = lapwing("merge", *two, "-o", "whole.json").table
    assert "The profile is in whole.json." in shown
    whole = json.loads((tmp_path / "whole.json").read_text())
    check("profile", whole)
    assert whole["plogp"] == kept("full")["plogp"]
    assert whole["operations"] == kept("full")["operations"]
    assert whole["loggp"]["L"] == 6e-6
    assert "plogp" in whole["machine"]["from 2026-01-01T00:00:00Z"]
    assert whole["machine"]["command of 2026-01-01T00:00:00Z"] == "lapwing calibrate"
    assert lapwing("merge", *two, "--json").document == whole
    # Merging once more changes nothing.
    assert lapwing("merge", "whole.json", *two, "--json").document == whole


def test_prefer(lapwing: Lapwing, two: list[str]) -> None:
    document = lapwing("merge", *two, "--prefer", "first.json", "--json").document
    assert document["loggp"]["L"] == kept("full")["loggp"]["L"]
    said = lapwing("merge", *two, "--prefer", "third.json", "--json").complaint
    assert said == "--prefer third.json: is none of first.json, second.json"


def test_different_machines(lapwing: Lapwing, two: list[str], tmp_path: Path) -> None:
    other = kept("full")
    other["fingerprint"], other["machine"]["cores"] = "another", "128"
    (tmp_path / "other.json").write_text(json.dumps(other))
    words = ["merge", "first.json", "other.json", "--json"]
    said = lapwing(*words).complaint
    assert "not of the same machine as first.json" in said
    assert "with cores 64, here 128" in said
    assert "--different-machines" in said
    check("profile", lapwing(*words, "--different-machines").document)


def test_refusals(lapwing: Lapwing, two: list[str], tmp_path: Path) -> None:
    assert "two profiles or more" in lapwing("merge", two[0], "-o", "x.json").complaint
    assert "-o FILE" in lapwing("merge", *two).complaint
    assert "exists already" in lapwing("merge", *two, "-o", two[0]).complaint
    assert "cannot read" in lapwing("merge", *two, "no.json", "--json").complaint
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(two)
