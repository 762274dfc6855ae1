"""Output on a terminal: colour, width, progress."""

import io
import json
import re
import sys
import time
from pathlib import Path

import pytest
from documents import kept
from typed import Lapwing, on_terminal

from lapwing.cli import output

# Bold and dim are no colours.
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:[349]\d|10[0-7])(?:;\d+)*m")
STYLE = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def warned(tmp_path: Path) -> str:
    """The name of a profile with a warning, which is what has a colour."""
    (tmp_path / "warned.json").write_text(json.dumps(kept("full") | {"warnings": ["busy"]}))
    return "warned.json"


def test_colour_on_a_terminal_alone(lapwing: Lapwing, warned: str, tmp_path: Path) -> None:
    status, drawn = on_terminal(tmp_path, "show", warned)
    assert status == 0
    assert COLOUR.search(drawn)
    assert not STYLE.search(lapwing("show", warned, TERM="xterm").out)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(
    environment: dict[str, str], warned: str, tmp_path: Path
) -> None:
    status, drawn = on_terminal(tmp_path, "show", warned, **environment)
    assert status == 0
    assert "busy" in drawn
    assert not COLOUR.search(drawn)


@pytest.mark.parametrize("columns", [50, 80, 200])
def test_tables_are_as_wide_as_the_terminal_or_80(
    columns: int, warned: str, tmp_path: Path
) -> None:
    _, drawn = on_terminal(tmp_path, "show", warned, COLUMNS=str(columns))
    lines = STYLE.sub("", drawn).splitlines()
    assert max(map(len, lines)) <= min(columns, 80)


def test_progress_bar(machine: str, tmp_path: Path) -> None:
    words = ["sweep", "--on", "sim:ib4x", machine, "--volume", "64KB", "--ratio", "1"]
    status, drawn = on_terminal(tmp_path, *words, COLUMNS="80")
    assert status == 0
    assert "sweep on sim:ib4x" in drawn
    assert re.search(r"\d %", drawn)
    assert "The plan hides" in drawn


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_how_long_it_has_been_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_PATIENCE", 0.001)
    monkeypatch.setattr(sys, "stderr", told := _Terminal())
    with output.waiting("playing"):
        while "playing, 0 s" not in told.getvalue():
            time.sleep(0.001)
    # The line is wiped out in the end.
    assert re.fullmatch(r"(\rplaying, \d+ s)+\r +\r", told.getvalue())


def test_nothing_is_said_where_nobody_watches_or_it_is_over_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for said in (_Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", said)
        with output.waiting("playing"):
            pass
        assert said.getvalue() == ""
