"""What all commands with a result have in common: -o, --json, --csv."""

import json
from pathlib import Path

import pytest
from typed import Lapwing

COMMANDS = {
    "predict": "predict ranger bcast --ranks 2,4 --size 8,64KB",
    "plan": "plan {machine} --volume 1MB --compute 2ms",
    "sensitivity": "plan {machine} --volume 1MB --compute 2ms --sensitivity",
    "simulate": "simulate --collective barrier --ranks 8",
}


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest, machine: str) -> list[str]:
    return COMMANDS[request.param].format(machine=machine).split()


def test_a_file_has_what_json_prints(lapwing: Lapwing, command: list[str], tmp_path: Path) -> None:
    shown = lapwing(*command, "-o", "result.json").table
    assert "The result is in result.json." in shown
    kept = json.loads((tmp_path / "result.json").read_text())
    assert kept.pop("provenance")["command"]
    assert kept == lapwing(*command, "--json").document


def test_a_table(lapwing: Lapwing, command: list[str], tmp_path: Path) -> None:
    printed = lapwing(*command, "--csv", "-o", "result.csv")
    assert (printed.status, printed.err) == (0, "")
    header, *rows = printed.out.splitlines()
    assert rows and "," in header
    assert (tmp_path / "result.csv").read_text() == printed.out


def test_nothing_is_overwritten(lapwing: Lapwing, command: list[str], tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("mine")
    assert "exists already" in lapwing(*command, "-o", "result.json").complaint
    assert (tmp_path / "result.json").read_text() == "mine"
    assert lapwing(*command, "-o", "result.json", "--force").status == 0
    assert json.loads((tmp_path / "result.json").read_text())


def test_one_form_at_a_time(lapwing: Lapwing, command: list[str]) -> None:
    assert "not allowed with" in lapwing(*command, "--json", "--csv").complaint
