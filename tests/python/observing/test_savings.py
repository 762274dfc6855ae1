"""What exchanges of an observed program save: as their plans say, or as the program was played."""

from pathlib import Path
from typing import Any

import pytest

from lapwing import load_profile
from lapwing.observing.run import load
from lapwing.observing.savings import rank

DATA = Path(__file__).parents[2] / "data"
PROFILE = load_profile(str(DATA / "profiles" / "ib4x.json"))


def ranked(observed: dict[str, Any]) -> dict[str, Any]:
    """The first exchange."""
    return rank(observed, PROFILE)[0]


def spent(exchange: dict[str, Any]) -> float:
    """Seconds in all calls."""
    each = exchange["initiating"]["seconds"] + exchange["waiting"]["seconds"]
    return float(each * exchange["count"])


def observed(name: str, exchange: dict[str, Any], saved: float, off: float) -> dict[str, Any]:
    """A record whose program saved that when it was played with these exchanges overlapped."""
    sizes = list(range(64))
    of_it = {"call": exchange["call"], "size_classes": sizes}
    played = [{**of_it, "saved": {"seconds": saved}, "off": {"seconds": off}}]
    return {**load(str(DATA / "results" / "observed" / name)), "played": played}


def test_one_saves_its_part_of_what_all_save() -> None:
    planned = ranked(load(str(DATA / "results" / "observed" / "jacobi.json")))
    saved = planned["saved_in_all"]["seconds"] / 2
    found = ranked(observed("jacobi.json", planned, saved, saved / 10))
    in_all = found["saved_in_all"]
    assert in_all["seconds"] == pytest.approx(saved)  # no rank has both kinds that begin there
    assert found["saved"]["seconds"] * found["count"] == pytest.approx(in_all["seconds"])
    assert in_all["low"] <= in_all["seconds"] - saved / 10
    assert in_all["high"] >= in_all["seconds"] + saved / 10
    assert found["plan"] == planned["plan"]


def test_no_more_than_was_spent_where_it_ran() -> None:
    planned = ranked(load(str(DATA / "results" / "observed" / "jacobi.json")))
    found = ranked(observed("jacobi.json", planned, 1e6, 0.0))
    assert found["saved_in_all"]["seconds"] == pytest.approx(spent(found))


def test_another_machine_may_save_more_than_was_spent_here() -> None:
    planned = ranked(load(str(DATA / "results" / "observed" / "ft.json")))
    saved = 10 * max(spent(planned), planned["saved_in_all"]["seconds"])
    found = ranked(observed("ft.json", planned, saved, 1e6))
    assert found["saved_in_all"]["seconds"] == pytest.approx(saved)
    # How far off playing it is, only the machine that it ran on could tell.
    assert found["saved_in_all"]["high"] < 10 * saved
