"""The schema of profiles against written profiles, and the page that is made from it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from documents import DATA, check, kept, upgraded
from typed import Lapwing

from lapwing import Profile, plan
from lapwing.schema import NAMES, schema
from lapwing.schema.markdown import markdown

ROOT = Path(__file__).parents[3]
WHOLE = schema("profile")


def fields() -> Iterator[tuple[str, dict, dict]]:
    """Every field that holds a value: its place, its definition, and what it inherits."""

    def below(name: str, field: dict, inherited: dict) -> Iterator[tuple[str, dict, dict]]:
        if "$ref" in field:
            field = {**WHOLE["$defs"][field["$ref"].rpartition("/")[2]], **field}
        inner = field.get("items", {}) if field.get("type") == "array" else field
        said = {**inherited, **{key: field[key] for key in ("method", "source") if key in field}}
        if "properties" not in inner:
            yield name, field, said
        for key, value in inner.get("properties", {}).items():
            yield from below(f"{name}.{key}", value, said)

    for key, value in WHOLE["properties"].items():
        yield from below(key, value, {})


def test_every_field_says_unit_method_and_source() -> None:
    found = list(fields())
    assert len(found) > 80
    for name, field, said in found:
        for key in ("description", "unit"):
            assert field.get(key), f"{name} has no {key}"
        for key in ("method", "source"):
            assert said.get(key), f"{name} has no {key}"


def test_a_profile_with_every_field() -> None:
    # tests/io/profile_json.cpp holds this file against what C++ writes of every field there is.
    document = kept("full")
    check("profile", document)
    assert document.keys() == WHOLE["properties"].keys()
    assert json.loads(Profile.from_json(json.dumps(document)).to_json()) == document


@pytest.mark.parametrize(
    "section", [name for name in kept("full") if name not in ("lapwing", "schema_version")]
)
def test_tables_lie_along_their_axes(section: str) -> None:
    definition, value = WHOLE["properties"][section], kept("full")[section]
    entries = value if isinstance(value, list) else [value]
    properties = definition.get("items", definition).get("properties", {})
    for name, field in properties.items():
        for entry in entries:
            rows = entry[name]
            for axis in field.get("axes", ()):
                assert len(rows) == len(entry[axis]), f"{section}.{name}"
                rows = rows[0]
            assert not isinstance(rows, list) or "axes" not in field


@pytest.mark.parametrize("section", [n for n in kept("full") if n not in WHOLE["required"]])
def test_what_was_not_measured_may_be_absent(section: str) -> None:
    document = kept("full")
    del document[section]
    check("profile", document)
    Profile.from_json(json.dumps(document))


def test_schema_refuses_what_cannot_be() -> None:
    validator = jsonschema.Draft202012Validator(WHOLE)
    for place, value in [
        (("log3p", "T_mem"), [-1.0]),
        (("log3p", "crossover"), [1.5]),
        (("plogp", "L"), "fast"),
        (("protocol", "outstanding"), -1),
        (("operations",), [{"name": "put"}]),
        (("kernels", "add"), 0),
    ]:
        document = kept("full")
        inner = document
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        assert not validator.is_valid(document), place


def test_a_profile_from_before_the_sections(lapwing: Lapwing) -> None:
    words = ["plan", str(DATA / "earlier.json"), "--volume", "1MB", "--compute", "1.4ms"]
    assert lapwing(*words, "--json").document == kept("earlier.plan")
    document = upgraded("earlier")
    check("profile", document)
    assert lapwing("show", str(DATA / "earlier.json"), "--json").document == {
        "lapwing": "profile",
        **document,
    }
    shown = lapwing("show", str(DATA / "earlier.json")).table
    assert "More" not in shown
    assert shown == (DATA / "earlier.txt").read_text()


def test_sections_change_no_plan() -> None:
    def planned(document: dict) -> dict:
        profile = Profile.from_json(json.dumps(document))
        made = plan(profile, volume=1 << 20, compute=1.4e-3)
        return json.loads(made.to_json())

    earlier = upgraded("earlier")
    measured = {name: value for name, value in kept("full").items() if name not in earlier}
    assert len(measured) > 8
    # Where messages straddle the eager limit, another evaluator predicts the same plan.
    measured["protocol"]["eager"] = None
    assert planned({**earlier, **measured}) == planned(earlier)


def test_the_page_is_up_to_date(lapwing: Lapwing) -> None:
    page = lapwing("schema", "profile", "--markdown").out
    assert page == (ROOT / "docs" / "profile.md").read_text(encoding="utf-8")
    for name, _, _ in fields():
        section, _, field = name.partition(".")
        assert f"`{field or section}`" in page


@pytest.mark.parametrize("name", NAMES)
def test_every_document_has_a_page(name: str) -> None:
    page = markdown(schema(name))
    assert page.startswith(f"# {schema(name)['title']}\n")
    for field in schema(name)["properties"]:
        assert f"`{field}`" in page


def test_what_a_tuner_learnt() -> None:
    # tests/io/tuner_state_json.cpp holds this file against what C++ writes.
    check("learnt", json.loads((DATA.parent / "learnt.json").read_text(encoding="utf-8")))


def test_the_page_of_results_has_all_of_them() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rows = "\n".join(re.findall(r"^\| (`[^|]*`) \|", page, re.MULTILINE))
    assert sorted(re.findall(r"`([a-z-]+)`", rows)) == sorted(["lapwing", *NAMES])
