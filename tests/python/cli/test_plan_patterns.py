"""`lapwing plan` for every pattern, and what its sensitivity says."""

from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

import lapwing as package
from lapwing.planning.methods import METHODS
from lapwing.planning.patterns import PATTERNS

MACHINE = str(Path(__file__).parents[2] / "data" / "profiles" / "earlier.json")
WORKLOAD = ["--volume", "64KB", "--compute", "200us", "--grain", "8"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern(lapwing: Lapwing, pattern: str) -> None:
    words = ["plan", MACHINE, *WORKLOAD, "--pattern", pattern]
    words += [] if pattern == "stream" else ["--ranks", "4"]
    document = lapwing(*words, "--json").document
    check("plan", document)
    assert document["pattern"] == pattern
    assert document["ranks"] == (2 if pattern == "stream" else 4)
    assert document["predicted"]["seconds"] <= document["blocking"]["seconds"]
    assert (document["dependence"] == "loose") == (pattern == "halo")
    assert pattern in lapwing(*words).table


def test_the_papers_all_to_all(lapwing: Lapwing) -> None:
    words = ["plan", MACHINE, *WORKLOAD, "--pattern", "alltoall", "--ranks", "8"]
    document = lapwing(*words, "--method", "paper", "--json").document
    check("plan", document)
    assert document["burst"] == 1


@pytest.mark.parametrize("method", [name for name in METHODS if name != "lapwing"])
def test_every_way_of_the_paper(lapwing: Lapwing, method: str) -> None:
    words = ["plan", MACHINE, *WORKLOAD, "--pattern", "alltoall", "--ranks", "8"]
    document = lapwing(*words, "--method", method, "--json").document
    check("plan", document)
    assert document["method"] == method
    assert (document["burst"] == 1) or method == "paper-bursts"
    assert f"({method})" in lapwing(*words, "--method", method).table


def test_sensitivity(lapwing: Lapwing) -> None:
    words = ["plan", MACHINE, *WORKLOAD, "--sensitivity"]
    document = lapwing(*words, "--json").document
    check("sensitivity", document)
    assert "overestimate that changes the plan" in lapwing(*words).table
    profile = package.load_profile(MACHINE)
    assert document == package.sensitivity(profile, volume=65536, compute=200e-6, grain=8)


def test_uncertain(lapwing: Lapwing) -> None:
    words = ["plan", MACHINE, *WORKLOAD, "--uncertainty", "1", "--json"]
    document = lapwing(*words).document
    check("plan", document)
    assert document["uncertainty"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pattern", "alltoall"], "needs a number of ranks"),
        (["--pattern", "halo", "--ranks", "3", "--peers", "4"], "peers must be fewer"),
        (["--pattern", "multi", "--ranks", "-1"], '--ranks: "-1" is not a whole number from 1'),
        (["--stride", "64"], "is not BLOCK:STRIDE"),
        (["--stride", "64:8"], "at least the block"),
        (["--uncertainty", "nan"], '--uncertainty: "nan" is not a number'),
        (["--pattern", "ring"], "invalid choice"),
        (["--pattern", "buckets", "--ranks", "4", "--method", "paper"], "no model of buckets"),
    ],
)
def test_refused(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("plan", MACHINE, *WORKLOAD, *words).complaint
