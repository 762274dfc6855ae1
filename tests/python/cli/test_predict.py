"""`lapwing predict`: tables, plots, documents, and what it refuses."""

import json
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import numpy
import pytest
from documents import check, kept
from typed import Lapwing

import lapwing as library
from lapwing import load_profile


@pytest.fixture
def full(tmp_path: Path) -> str:
    """The name of a profile with every table in the working directory."""
    (tmp_path / "full.json").write_text(json.dumps(kept("full")))
    return "full.json"


def predicted(document: dict[str, Any]) -> dict[tuple[str, int, int], float]:
    """Seconds by algorithm, ranks and size."""
    return {
        (each["algorithm"], each["ranks"], each["size"]): each["predicted"]["seconds"]
        for each in document["predictions"]
    }


def test_ranger_as_printed(lapwing: Lapwing) -> None:
    words = ("--ranks", "256", "--model", "printed", "--json")
    barrier = lapwing("predict", "ranger", "barrier", *words).document
    check("predict", barrier)
    assert predicted(barrier) == {("dissemination", 256, 1): pytest.approx(26e-6)}
    alltoall = lapwing(
        "predict", "ranger", "alltoall", *words, "--size", "2", "--algorithm", "all"
    ).document
    assert predicted(alltoall) == {
        ("linear", 256, 2): pytest.approx(3.25e-6),
        ("pairwise", 256, 2): pytest.approx(255 * 3.25e-6),
        ("bruck", 256, 2): pytest.approx(26.32e-6),
    }
    assert {each["model"] for each in alltoall["predictions"]} == {"printed"}


def test_titan_as_printed(lapwing: Lapwing) -> None:
    words = ("--size", "16KB", "--stride", "1KB", "--json", "--model", "printed")
    send = lapwing("predict", "titan", "send", *words).document
    check("predict", send)
    assert predicted(send) == {("direct", 2, 16384): pytest.approx(580e-6)}
    assert send["packing"][0]["derived"]["seconds"] == pytest.approx(580e-6)
    assert send["packing"][0]["log_3P"] == "pack"
    bcast = lapwing(
        "predict", "titan", "bcast", *words, "--ranks", "4,16", "--algorithm", "all"
    ).document
    check("predict", bcast)
    assert predicted(bcast)["linear", 16, 16384] == pytest.approx(3723e-6)
    assert predicted(bcast)["binomial", 16, 16384] == pytest.approx(2320e-6)
    # LogGP knows no stride, so it does not see what the root has to pack.
    assert [(each["LogGP"], each["log_3P"]) for each in bcast["choices"]] == [
        ("binomial", "linear"),
        ("binomial", "binomial"),
    ]


def test_a_million_processes(lapwing: Lapwing) -> None:
    ended = lapwing("predict", "ranger", "bcast", "--ranks", "2:1048576", "--size", "1:1MB")
    assert "1,048,576" in ended.table
    assert "scatter-recursive-doubling" in ended.table
    assert "by closed forms" in ended.table and "event by event" in ended.table


def test_all_algorithms_side_by_side(lapwing: Lapwing) -> None:
    words = ("predict", "ranger", "alltoall", "--ranks", "2:64", "--algorithm", "all")
    shown = lapwing(*words).table
    for name in ("linear", "pairwise", "bruck", "ring", "staggered", "< the fastest"):
        assert name in shown
    document = lapwing(*words, "--json").document
    check("predict", document)
    times = predicted(document)
    best = predicted(lapwing(*words[:-1], "best", "--json").document)
    for (_, ranks, size), seconds in best.items():
        assert seconds == min(t for (_, r, s), t in times.items() if (r, s) == (ranks, size))


def test_tables_choose(lapwing: Lapwing) -> None:
    words = ("predict", "ranger", "alltoall", "--ranks", "4,16", "--size", "8,1MB", "--json")
    chosen = lapwing(*words, "--algorithm", "mvapich2").document["predictions"]
    assert [each["algorithm"] for each in chosen] == ["linear", "pairwise", "bruck", "pairwise"]


def test_what_leaves_the_measured_range_is_marked(lapwing: Lapwing, full: str) -> None:
    words = ("predict", full, "bcast", "--ranks", "8", "--algorithm", "binomial")
    shown = lapwing(*words, "--size", "64KB,128KB").table
    assert "* 1 with messages beyond what the profile has tables for" in shown
    document = lapwing(*words, "--size", "64KB,128KB", "--json").document
    assert [each["measured_range"] for each in document["predictions"]] == [True, False]
    assert "*" not in lapwing(*words, "--size", "64KB").table
    near = lapwing(*words, "--size", "8", "--ppn", "8", "--json").document
    far = lapwing(*words, "--size", "8", "--json").document
    assert predicted(near)["binomial", 8, 8] < predicted(far)["binomial", 8, 8] / 5


def test_plots(lapwing: Lapwing, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    words = ("predict", "ranger", "allreduce", "--ranks", "2:16", "--size", "8,64KB")
    ended = lapwing(*words, "--algorithm", "all", "--plot", "a.svg")
    assert "The plot is in a.svg." in ended.table
    drawn = xml.etree.ElementTree.parse(tmp_path / "a.svg").getroot()
    assert drawn.tag.endswith("svg")
    assert "exists already" in lapwing(*words, "--plot", "a.svg").complaint
    check("predict", lapwing(*words, "--plot", "a.png", "--json").document)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ranger", "bcas"), "did you mean 'bcast'"),
        (("ranger", "bcast", "--algorithm", "binomail"), "did you mean 'binomial'"),
        (("ranger", "bcast", "--algorithm", "mpcih"), "did you mean 'mpich'"),
        (("ranger", "bcast", "--ranks", "0"), "is not a whole number from 1"),
        (("ranger", "bcast", "--ranks", "99999999"), "is not a whole number from 1"),
        (("ranger", "bcast", "--ranks", "8:2"), "write the smaller one first"),
        (("ranger", "bcast", "--size", "99999MB"), "a size must be from 0"),
        (("ranger", "bcast", "--ppn", "4"), "--ppn 2 or more measures it"),
        (("ranger", "bcast", "--stride", "64"), "calibrate --only log3p"),
        (("titan", "alltoall", "--model", "printed"), "--only kernels measures it"),
        (("ranger", "allreduce", "--model", "printed"), "no paper prints a formula"),
        (("ranger", "reduce", "--algorithm", "mvapich2"), "no rule of mvapich2"),
        (("ranger", "send", "--ranks", "4"), "a send has two ranks"),
        (("ranger", "bcast", "--plot", "a.pdf"), "ends in .png or .svg"),
        (("ranger", "bcast", "--plot", "nowhere/a.png"), "no directory"),
        (("nowhere.json", "bcast"), "cannot read the profile"),
        (("bcast", "ranger"), "the profile comes first: lapwing predict ranger bcast"),
    ],
)
def test_refusals(lapwing: Lapwing, words: tuple[str, ...], said: str) -> None:
    assert said in lapwing("predict", *words).complaint


def test_from_python() -> None:
    machine = load_profile("ranger")
    grid = library.predict(
        machine, "bcast", ranks=[2, 8], sizes=numpy.array([1, 1024, 1 << 20])
    ).seconds
    assert grid.shape == (2, 3) and grid.dtype == numpy.float64
    one = library.predict(machine, "bcast", ranks=8, sizes=1024).seconds
    assert one.shape == (1, 1) and one[0, 0] == grid[1, 1]
    assert library.predict(machine, "bcast", ranks=[], sizes=[1]).seconds.shape == (0, 1)
    with pytest.raises(ValueError, match="whole numbers"):
        library.predict(machine, "bcast", ranks=[2.5], sizes=[1])
    with pytest.raises(ValueError, match="list of numbers"):
        library.predict(machine, "bcast", ranks=[[2]], sizes=[1])
    with pytest.raises(ValueError, match="did you mean"):
        library.predict(machine, "bcats", ranks=[2], sizes=[1])
