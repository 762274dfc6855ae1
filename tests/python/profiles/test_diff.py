"""The changes between two profiles that `diff` reports."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lapwing.profiles.diff import diff
from lapwing.schema import schema

FULL = json.loads((Path(__file__).parents[2] / "data" / "profiles" / "full.json").read_text())


def changed(*place: Any, to: Any) -> dict[str, Any]:
    """The full profile with another value in one field."""
    profile = copy.deepcopy(FULL)
    inner = profile
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = to(inner[place[-1]]) if callable(to) else to
    return profile


def changes(a: dict[str, Any], b: dict[str, Any], **options: float) -> list[dict[str, Any]]:
    document = diff(a, b, **options)
    jsonschema.Draft202012Validator(schema("diff")).validate(document)
    found: list[dict[str, Any]] = document["changes"]
    return found


def test_nothing() -> None:
    document = diff(FULL, copy.deepcopy(FULL))
    assert (document["changes"], document["machine"]) == ([], [])
    assert (document["only_a"], document["only_b"]) == ([], [])
    assert document["compared"] > 80


@pytest.mark.parametrize(
    ("place", "section", "entry"),
    [
        (("loggp", "L"), "loggp", "L"),
        (("overhead", "send", 1, 1), "overhead", "send S=1 KB b=8"),
        (("overhead", "receive", 2), "overhead", "receive S=64 KB"),
        (("bandwidth", "bidirectional", 0), "bandwidth", "bidirectional S=8 B"),
        (("progress", "poll_interval"), "progress", "poll_interval"),
        (("queue_depth",), "queue_depth", ""),
        (("latency", "half_round_trip", 0), "latency", "half_round_trip S=8 B"),
        (("plogp", "L"), "plogp", "L"),
        (("plogp", "gap", 1), "plogp", "gap S=1 KB"),
        (("log3p", "l_mw", 1, 0), "log3p", "l_mw S=64 KB d=16 B"),
        (("protocol", "switch_costs", 1), "protocol", "switch_costs S=64 KB"),
        (("protocol", "outstanding"), "protocol", "outstanding"),
        (("operations", 0, "overhead", 0, 1), "operations rma put", "overhead S=8 B b=16"),
        (("operations", 0, "gap"), "operations rma put", "gap"),
        (("pairs", 0, "loggp", "g"), "pairs within a node", "loggp g"),
        (("patterns", 0, "slowest", 1, 0), "patterns cross-bisection", "slowest P=64 S=64 KB"),
        (("kernels", "fft"), "kernels", "fft"),
    ],
)
def test_one_number(place: tuple, section: str, entry: str) -> None:
    (change,) = changes(FULL, changed(*place, to=lambda value: 2 * value))
    assert (change["section"], change["entry"]) == (section, entry)
    # Relative to the absolute value of `a`, for shares and negative numbers too.
    assert abs(change["change"]) == pytest.approx(1)
    assert change["b"] == 2 * change["a"]
    assert change["unit"]
    smaller = changed(*place, to=lambda value: value * 1.04 if isinstance(value, float) else value)
    if section not in ("loggp", "pairs within a node"):
        assert changes(FULL, smaller) == []
        if smaller != FULL:
            assert len(changes(FULL, smaller, threshold=0.03)) == 1


def test_parameters_have_errors_of_their_own() -> None:
    # L has an error of 1.1 per cent in both; the threshold does not count.
    assert changes(FULL, changed("loggp", "L", to=lambda L: 1.02 * L)) == []
    (change,) = changes(FULL, changed("loggp", "L", to=lambda L: 1.03 * L), threshold=0.5)
    assert change["allowed"] == pytest.approx(0.011 + 1.03 * 0.011)
    unknown = changed("loggp", "L", to=lambda L: 1.03 * L)
    del unknown["error"]
    assert changes(FULL, unknown) == []


def test_shares_change_by_points() -> None:
    assert changes(FULL, changed("log3p", "ratio", 0, 1, to=1.06)) == []
    (change,) = changes(FULL, changed("log3p", "ratio", 0, 1, to=0.97))
    assert change["change"] == pytest.approx(-0.06)


def test_words_and_what_is_none() -> None:
    (change,) = changes(FULL, changed("nic", to="serialising"))
    assert (change["a"], change["b"]) == ("sharing", "serialising")
    assert "change" not in change
    (change,) = changes(FULL, changed("queue_depth", to=None))
    assert (change["a"], change["b"]) == (64, None)
    (change,) = changes(FULL, changed("log3p", "crossover", 0, to=1024))
    assert (change["entry"], change["a"], change["b"]) == ("crossover d=16 B", None, 1024)


def test_another_switch_is_seen() -> None:
    (change,) = changes(FULL, changed("protocol", "switches", 0, to=8192))
    assert (change["a"], change["b"]) == ("4 KB, 64 KB", "8 KB, 64 KB")


def test_tables_are_compared_at_common_sizes() -> None:
    other = copy.deepcopy(FULL)
    table = other["bandwidth"]
    table["sizes"].insert(1, 4095)
    table["unidirectional"].insert(1, 1.0)
    table["bidirectional"].insert(1, 1.0)
    assert changes(FULL, other) == []
    other["overhead"]["bursts"][1] = 16  # both have only b=1
    for row in other["overhead"]["send"]:
        row[1] *= 10
    assert changes(FULL, other) == []


def test_sections_that_one_has() -> None:
    other = copy.deepcopy(FULL)
    del other["plogp"], other["operations"]
    document = diff(FULL, other)
    assert document["only_a"] == ["plogp", "operations rma put"]
    assert document["only_b"] == []
    assert diff(other, FULL)["only_b"] == ["plogp", "operations rma put"]


def test_machine() -> None:
    other = changed("machine", "mpi", to="Another")
    other["machine"]["date"] = "today"
    assert diff(FULL, other)["machine"] == [
        {"field": "mpi", "a": "An MPI 1.0", "b": "Another"},
        {"field": "date", "a": None, "b": "today"},
    ]
