"""Merging profiles: properties that hold for all profiles."""

import copy
import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lapwing import Profile
from lapwing.profiles.merge import KEYS, merge
from lapwing.schema import schema

FULL = json.loads((Path(__file__).parents[2] / "data" / "profiles" / "full.json").read_text())
OPTIONAL = [
    "latency",
    "plogp",
    "log3p",
    "protocol",
    "topology",
    *KEYS,
    "kernels",
    "interpolated",
    "warnings",
]


def measured(seed: int, **machine: str) -> dict[str, Any]:
    """A profile with some of all sections, and random numbers and date."""
    chance = random.Random(seed)
    profile = copy.deepcopy(FULL)
    profile["machine"] = {
        "hosts": f"n{seed}",
        "date": f"2026-01-{seed % 28 + 1:02}T00:00:{seed % 60:02}Z",
        "command": f"calibrate {seed}",
        **machine,
    }
    scale = chance.uniform(0.5, 2)
    profile["loggp"]["L"] *= scale
    profile["latency"]["half_round_trip"][0] *= scale
    profile["plogp"]["L"] *= scale
    profile["kernels"] = {name: 1e9 * scale for name in chance.sample(["add", "copy", "fft"], 2)}
    names = chance.sample(["put", "get", "rput", "rget"], chance.randint(1, 4))
    first = profile["operations"][0]
    profile["operations"] = [{**first, "name": name, "gap": scale * 1e-6} for name in names]
    profile["patterns"] = [
        {**profile["patterns"][0], "pattern": pattern}
        for pattern in chance.sample(["gather", "alltoall", "cross-bisection"], 2)
    ]
    places = [f"operations[{chance.randrange(len(names))}].overhead[1][{seed}]"]
    profile["interpolated"] = [f"overhead.send[{seed}][0]", *places]
    profile["warnings"] = chance.sample(["one", "two", "three", "four"], chance.randint(0, 3))
    for name in OPTIONAL:
        if chance.random() < 0.3:
            del profile[name]
            profile["environment"].pop(name, None)
    if "operations" not in profile:
        profile.pop("interpolated", None)
    tables = ["bandwidth.bidirectional", "latency.half_round_trip", "pairs[0].half_round_trip"]
    profile["imported"] = [
        {**FULL["imported"][0], "table": table, "low": [scale * 1e-6, 3e-5]}
        for table in tables
        if re.split(r"\W", table)[0] in profile
    ]
    return profile


def require_whole(document: dict[str, Any]) -> None:
    """Assert that a document follows the schema, and loads."""
    jsonschema.Draft202012Validator(schema("profile")).validate(document)
    Profile.from_json(json.dumps(document))


@pytest.mark.parametrize("seed", range(40))
def test_with_itself_it_is_itself(seed: int) -> None:
    profile = measured(seed)
    before = copy.deepcopy(profile)
    assert merge([profile]) == profile
    assert merge([profile, profile]) == profile
    assert profile == before


@pytest.mark.parametrize("seed", range(60))
def test_associative(seed: int) -> None:
    a, b, c = measured(seed), measured(seed + 100), measured(seed + 211)
    whole = merge([a, b, c])
    require_whole(whole)
    assert merge([merge([a, b]), c]) == whole
    assert merge([a, merge([b, c])]) == whole


@pytest.mark.parametrize("seed", range(20))
def test_holds_all_that_any_holds_the_later_of_each(seed: int) -> None:
    profiles = [measured(seed + 7 * place) for place in range(3)]
    for order in itertools.permutations(profiles):
        whole = merge(order)
        require_whole(whole)
        for name in ("latency", "plogp", "log3p", "protocol", "topology"):
            having = [profile for profile in profiles if name in profile]
            latest = max(having, key=lambda profile: profile["machine"]["date"], default={})
            assert whole.get(name) == latest.get(name)
        for name, key in KEYS.items():
            expected: dict[tuple, dict] = {}
            for profile in sorted(profiles, key=lambda profile: profile["machine"]["date"]):
                for entry in profile.get(name, []):
                    expected[tuple(entry[field] for field in key)] = entry
            found = {tuple(e[field] for field in key): e for e in whole.get(name, [])}
            assert found == expected
        lines = {line for profile in profiles for line in profile.get("warnings", [])}
        assert set(whole.get("warnings", [])) == lines


def test_what_was_imported_stays_with_its_table() -> None:
    earlier, later = measured(1), measured(2)
    for profile in (earlier, later):
        profile["latency"] = copy.deepcopy(FULL["latency"])
        profile["pairs"] = copy.deepcopy(FULL["pairs"])
    entry = copy.deepcopy(FULL["imported"][0])
    earlier["imported"] = [
        {**entry, "table": table}
        for table in ("bandwidth.unidirectional", "latency.half_round_trip", "pairs[0].bandwidth")
    ]
    earlier["pairs"] = [{**FULL["pairs"][0], "name": "0,1"}]
    later.pop("imported")
    later["pairs"] = [{**FULL["pairs"][0], "name": "0,5"}]
    whole = merge([later, earlier])
    # Latency and bandwidth are the later ones, which were measured; the pairs are both there.
    assert [pair["name"] for pair in whole["pairs"]] == ["0,5", "0,1"]
    assert whole["imported"] == [{**entry, "table": "pairs[1].bandwidth"}]


def test_what_is_interpolated_moves_with_its_operation() -> None:
    a, b = copy.deepcopy(FULL), copy.deepcopy(FULL)
    a["machine"]["date"], b["machine"]["date"] = "2026-01-01", "2026-01-02"
    b["operations"].insert(0, {**b["operations"][0], "name": "get"})
    b["interpolated"] = ["operations[0].latency[1]", "operations[1].bandwidth[0]", "log3p.o_mw[0]"]
    whole = merge([a, b])
    assert [operation["name"] for operation in whole["operations"]] == ["put", "get"]
    assert whole["interpolated"] == [
        "log3p.o_mw[0]",
        "operations[0].bandwidth[0]",
        "operations[1].latency[1]",
    ]
    # The older profile's own note is about a piece that was not kept.
    assert "overhead.send[2][1]" not in whole["interpolated"]


def test_machine_says_what_came_from_where() -> None:
    a = measured(1, date="2026-02-01", command="first")
    b = measured(2, date="2026-01-01", command="second")
    for name in ("plogp", "operations"):
        a.pop(name, None)
        b[name] = FULL[name]
    whole = merge([a, b])
    assert whole["machine"]["date"] == "2026-02-01"
    names = whole["machine"]["from 2026-01-01"].split(", ")
    assert {"plogp", "operations rma put"} <= set(names)
    assert whole["machine"]["command of 2026-01-01"] == "second"
    assert whole["loggp"] == a["loggp"]


def test_preferred() -> None:
    old, new = measured(3, date="2026-01-01"), measured(4, date="2026-02-01")
    assert merge([old, new])["loggp"] == new["loggp"]
    assert merge([old, new], prefer=0)["loggp"] == old["loggp"]
    assert merge([new, old], prefer=1)["loggp"] == old["loggp"]


def test_a_look_in_passing_replaces_no_measurement() -> None:
    careful = measured(5, date="2026-01-01")
    passing = measured(6, date="2026-02-01", parts="rma,patterns")
    passing["operations"] = FULL["operations"]
    whole = merge([careful, passing])
    assert whole["loggp"] == careful["loggp"]
    assert whole["operations"][-1]["name"] or whole["operations"]
    assert "operations rma put" in whole["machine"]["from 2026-02-01"]
    meant = measured(6, date="2026-02-01", parts="loggp,rma")
    assert merge([careful, meant])["loggp"] == meant["loggp"]


def test_environments_go_with_what_was_measured_in_them() -> None:
    a, b = measured(9, date="2026-01-01"), measured(10, date="2026-02-01")
    near, far = (
        {"cache_line_seconds": {"value": seconds, "tolerance": 1.4}} for seconds in (27e-9, 150e-9)
    )
    a["environment"] = {"loggp": near, "latency": near, "log3p": near, "operations": near}
    b["environment"] = {"loggp": far, "latency": far}
    a["log3p"] = FULL["log3p"]
    b.pop("log3p", None)
    a["latency"] = b["latency"] = FULL["latency"]
    for profile in (a, b):
        for name in ("plogp", "protocol"):
            profile.pop(name, None)
    whole = merge([a, b])
    assert whole["environment"] == {"loggp": far, "latency": far, "log3p": near}
    assert merge([whole, whole]) == whole


def test_without_dates() -> None:
    a, b = measured(7), measured(8)
    del a["machine"]["date"]
    del b["machine"]["date"]
    assert merge([a, b])["loggp"] == a["loggp"]
    assert merge([a, measured(8)])["loggp"] == measured(8)["loggp"]
    whole = merge([a, measured(8)])
    assert merge([whole, whole]) == whole
    assert merge([whole, measured(8)]) == whole
