"""`lapwing show`: all that a profile holds, one section, what benchmarks print, what changed."""

import copy
import json
from pathlib import Path

import pytest
from documents import check, kept
from typed import Lapwing

from lapwing import machines
from lapwing.tables.profile.sections import SECTIONS


@pytest.fixture
def full(tmp_path: Path) -> str:
    """The name of a profile with every section in the working directory."""
    (tmp_path / "full.json").write_text(json.dumps(kept("full")))
    return "full.json"


def test_essentials(lapwing: Lapwing, full: str) -> None:
    shown = lapwing("show", full).table
    for word in (
        "8.1 us for half a round trip",
        "3.8 us = L' + g'(1) - os(1) - or(1)",  # 4.4 + 1.43 - 1.01 - 1.02
        "Exposed time of a message both ways, computation 1 x wire, us",
        "14.3      25       8",
        "Exposed time of a message both ways, independent, computation 1 x wire, us",
        "  23      21      64",
        "log_3P at 64 KB",
        "o_mw 2.7, o_net 25.7",
        "above 4 KB (+2.2 us), above 64 KB (-100 ns)",
        "4 MB, then bandwidth drops",
        "none: none seen",
        "rma  put",
        "within a node",
        "cross-bisection",
        "4 GB/s",
        "2 GFlop/s",
        "warning: one",
        "More: --section latency, plogp, log3p, operations",
    ):
        assert word in shown
    for number in ("243.9", "476.2", "0.93"):  # 1 / 4.1e-9, 1 / 2.1e-9, fairness of the 64
        assert number in shown


def test_parts_that_were_measured_worse_off(lapwing: Lapwing, full: str, tmp_path: Path) -> None:
    assert "disturbed" not in lapwing("show", full).table.split()
    profile = kept("full")
    profile["environment"]["latency"]["syscall_seconds"]["value"] = 12e-6
    far = {"cache_line_seconds": {"value": 150e-9, "tolerance": 1.4}}
    profile["environment"]["log3p"] = far
    (tmp_path / "worse.json").write_text(json.dumps(profile))
    shown = " ".join(lapwing("show", "worse.json").table.split())
    assert "latency, log3p: measured while processors were worse off" in shown


@pytest.mark.parametrize("section", list(SECTIONS))
def test_without_one_section(lapwing: Lapwing, full: str, section: str, tmp_path: Path) -> None:
    profile = kept("full")
    del profile[section]
    (tmp_path / "less.json").write_text(json.dumps(profile))
    assert lapwing("show", "less.json").table != lapwing("show", full).table
    said = lapwing("show", "less.json", "--section", section).complaint
    assert said.startswith(f"less.json: {section} was not measured; there are ")


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("latency", ["half round trip, us", "31", "2900"]),
        ("plogp", ["os", "1.51", "1.92", "1.943"]),
        ("log3p", ["d=16 B", "119", "-8.0 %", "0.21"]),
        ("protocol", ["above 64 KB"]),
        ("operations", ["b=16", "asym.", "b=1/asym.", "1.45", "0.62", "33"]),
        ("pairs", ["half round trip, us", "8000"]),
        ("patterns", ["P=64", "243.9-476.2"]),
        ("kernels", ["GFlop/s"]),
        ("interpolated", ["overhead.send[2][1]"]),
    ],
)
def test_one_section(lapwing: Lapwing, full: str, section: str, words: list[str]) -> None:
    shown = lapwing("show", full, "--section", section).table
    for word in words:
        assert word in shown
    assert "LogGP\n" not in shown
    document = lapwing("show", full, "--section", section, "--json").document
    assert document == {"lapwing": "sections", section: kept("full")[section]}
    check("sections", document)


def test_several_sections(lapwing: Lapwing, full: str) -> None:
    shown = lapwing("show", full, "--section", "kernels", "--section", "plogp").table
    assert shown.index("GFlop/s") < shown.index("pLogP")
    said = lapwing("show", full, "--section", "operatons").complaint
    assert 'unknown section "operatons" (did you mean "operations"?)' in said


def test_many_operations_stay_readable(lapwing: Lapwing, tmp_path: Path) -> None:
    profile = kept("full")
    put = profile["operations"][0]
    bursts = [1, 2, 4, 8, 16, 32, 64]
    wide = {**put, "bursts": bursts, "overhead": [[1.234e-6] * 7, [123.4e-6] * 7]}
    ways = ["two-sided isend", "two-sided send", "rma put", "rma get", "rma rput", "rma rget"]
    ways += ["shmem put", "shmem get", "collective ialltoall"]
    profile["operations"] = [
        {**wide, "transport": way.split()[0], "name": way.split()[1]} for way in ways
    ]
    (tmp_path / "many.json").write_text(json.dumps(profile))
    for words in ([], ["--section", "operations"]):
        shown = lapwing("show", "many.json", *words).table  # at most 80 columns
        assert all(way.split()[1] in shown for way in ways)
        assert "…" not in shown


def test_what_benchmarks_print(lapwing: Lapwing, full: str) -> None:
    shown = lapwing("show", "--latency", "--bandwidth", full).table
    rows = [line.split() for line in shown.splitlines()[2:]]
    assert rows == [["8", "8.10", "6.00"], ["65536", "31.00", "2900.00"]]
    assert "31.00" not in lapwing("show", "--bandwidth", full).table
    assert "2900" not in lapwing("show", "--latency", full).table
    document = lapwing("show", "--latency", full, "--json").document
    assert document == {
        "lapwing": "benchmarks",
        "measured": True,
        "sizes": [8, 65536],
        "half_round_trip": [8.1e-6, 31e-6],
    }
    check("benchmarks", document)


def test_what_benchmarks_would_print(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    profile = json.loads((tmp_path / machine).read_text())
    profile.pop("latency", None)
    (tmp_path / "old.json").write_text(json.dumps(profile))
    shown = lapwing("show", "--latency", "--bandwidth", "old.json").table
    assert "this is what the profile's other tables imply" in " ".join(shown.split())
    document = lapwing("show", "--latency", "--bandwidth", "old.json", "--json").document
    assert document["measured"] is False
    check("benchmarks", document)
    # 5 + 1.5 + 1.5 us and 1.333 ns a byte
    for size, trip, rate in zip(
        document["sizes"], document["half_round_trip"], document["bandwidth"], strict=True
    ):
        assert trip == pytest.approx(8e-6 + size / 750e6, rel=0.02)
        if size >= 65536:
            assert rate == pytest.approx(750e6, rel=0.02)
    # Nothing but LogGP: of a published machine.
    document = lapwing("show", "--latency", "--bandwidth", "ranger", "--json").document
    trips = dict(zip(document["sizes"], document["half_round_trip"], strict=True))
    assert trips[1024] == pytest.approx(1.95e-6 + 2 * 0.65e-6 + 1024e-9)


def test_diff(lapwing: Lapwing, full: str, tmp_path: Path) -> None:
    other = copy.deepcopy(kept("full"))
    other["overhead"]["send"][0][1] *= 1.5
    other["machine"]["mpi"] = "Another\x1b[31m"
    del other["plogp"]
    (tmp_path / "other.json").write_text(json.dumps(other))
    shown = lapwing("show", full, "--diff", "other.json").table
    for word in ("Another?[31m", "send S=8 B b=8", "1.2 us", "1.8 us", "+50.0 %", "A has: plogp"):
        assert word in shown
    document = lapwing("show", full, "--diff", "other.json", "--json").document
    check("diff", document)
    assert [change["entry"] for change in document["changes"]] == ["send S=8 B b=8"]
    words = ["show", full, "--diff", "other.json", "--threshold", "0.6", "--json"]
    assert lapwing(*words).document["changes"] == []
    assert "0 of" in lapwing("show", full, "--diff", full).table
    assert "--threshold" in lapwing("show", full, "--threshold", "0.1").complaint
    assert "cannot read" in lapwing("show", full, "--diff", "no.json").complaint


def test_published_machines(lapwing: Lapwing) -> None:
    shown = lapwing("show", "--list").table
    document = lapwing("show", "--list", "--json").document
    assert document == {"lapwing": "machines", "machines": machines.names()}
    check("machines", document)
    for name in machines.names():
        assert name in shown
        assert "source" in lapwing("show", name).table
        check("profile", lapwing("show", name, "--json").document)
    words = ["plan", "titan", "--volume", "1MB", "--compute", "5ms", "--json"]
    check("plan", lapwing(*words).document)
    said = lapwing("show", "rangr").complaint
    assert 'no machine of that name (did you mean "ranger"?)' in said
    assert lapwing("show").complaint.startswith("missing: machine.json")


def test_a_published_machine_where_it_is_simulated(lapwing: Lapwing) -> None:
    stream = ["--volume", "1MB", "--ratio", "1"]
    words = ["run", "stream", "--on", "sim:ranger", "ranger-nonblocking", *stream, "--json"]
    document = lapwing(*words).document
    check("sweep", document)
    plan = document["plan"]
    assert plan["predicted"]["seconds"] == pytest.approx(plan["seconds"], rel=0.02)
    assert "warnings" not in document


@pytest.mark.parametrize(
    ("words", "columns"),
    [
        ([], "size,burst,send,receive"),
        (["--section", "operations"], "section,name,transport"),
        (["--latency", "--bandwidth"], "size,half_round_trip,bandwidth"),
        (["--diff", "ranger"], "section,entry,"),
    ],
)
def test_what_is_shown_can_be_kept(
    lapwing: Lapwing, full: str, tmp_path: Path, words: list[str], columns: str
) -> None:
    kept = lapwing("show", full, *words, "--csv", "-o", "kept.json")
    lines = kept.out.splitlines()
    assert lines[0].startswith(columns)
    assert len(lines) > 1
    document = json.loads((tmp_path / "kept.json").read_text())
    document.pop("provenance", None)
    assert document == lapwing("show", full, *words, "--json").document
