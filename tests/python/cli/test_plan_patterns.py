"""`lapwing plan` for every pattern, and what its sensitivity says."""

import pytest
from documents import check
from typed import Lapwing

import lapwing as package
from lapwing.patterns import PATTERNS

WORKLOAD = ["--volume", "64KB", "--compute", "200us", "--grain", "8"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern(lapwing: Lapwing, machine: str, pattern: str) -> None:
    words = ["plan", machine, *WORKLOAD, "--pattern", pattern]
    words += [] if pattern == "stream" else ["--ranks", "4"]
    document = lapwing(*words, "--json").document
    check("plan", document)
    assert document["pattern"] == pattern
    assert document["ranks"] == (2 if pattern == "stream" else 4)
    assert document["predicted"]["seconds"] <= document["blocking"]["seconds"]
    assert (document["dependence"] == "loose") == (pattern == "halo")
    assert pattern in lapwing(*words).table


def test_the_papers_all_to_all(lapwing: Lapwing, machine: str) -> None:
    words = ["plan", machine, *WORKLOAD, "--pattern", "alltoall", "--ranks", "8"]
    document = lapwing(*words, "--method", "paper", "--json").document
    check("plan", document)
    assert document["burst"] == 1


def test_sensitivity(lapwing: Lapwing, machine: str) -> None:
    words = ["plan", machine, *WORKLOAD, "--sensitivity"]
    document = lapwing(*words, "--json").document
    check("sensitivity", document)
    assert "overestimate that changes the plan" in lapwing(*words).table
    profile = package.load_profile(machine)
    assert document == package.sensitivity(profile, volume=65536, compute=200e-6, grain=8)


def test_uncertain(lapwing: Lapwing, machine: str) -> None:
    words = ["plan", machine, *WORKLOAD, "--uncertainty", "1", "--json"]
    document = lapwing(*words).document
    check("plan", document)
    assert document["uncertainty"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pattern", "alltoall"], "needs a number of ranks"),
        (["--pattern", "halo", "--ranks", "3", "--peers", "4"], "peers must be fewer"),
        (["--pattern", "multi", "--ranks", "-1"], "ranks must be a number from 0 on"),
        (["--stride", "64"], "is not BLOCK:STRIDE"),
        (["--stride", "64:8"], "at least the block"),
        (["--uncertainty", "nan"], "uncertainty must be a finite share"),
        (["--pattern", "ring"], "invalid choice"),
        (["--pattern", "buckets", "--ranks", "4", "--method", "paper"], "no model of buckets"),
    ],
)
def test_refused(lapwing: Lapwing, machine: str, words: list[str], said: str) -> None:
    assert said in lapwing("plan", machine, *WORKLOAD, *words).complaint
