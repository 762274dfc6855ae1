"""NAS MG, CG and IS as a user runs them: verified, documented, planned, and refused."""

import json
import os
import shutil
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

from lapwing.errors import LapwingError
from lapwing.launch import Launch, parse
from lapwing.nas.benchmarks import BENCHMARKS, CLASSES
from lapwing.nas.run import run_nas

MPIRUN = "mpirun.openmpi"


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_document(lapwing: Lapwing, benchmark: str, tmp_path: Path) -> None:
    if shutil.which(MPIRUN) is None:
        pytest.skip(f"no {MPIRUN}")
    trace = tmp_path / "trace.json"
    words = ["run", benchmark, "--class", "S", "--on", "mpi:2", "--mpi", "openmpi", "--json"]
    result = lapwing(*words, "--transport", "put", "--trace", str(trace)).document
    check("nas", result)
    assert result["verified"] and not result["planned"]
    assert result["benchmark"] == benchmark
    assert (result["schedule"], result["transport"]) == ("overlapped", "put")
    assert set(result["settings"]) == set(BENCHMARKS[benchmark].settings)
    assert result["forecasts"] == []
    loops = sum(loop["seconds"] for loop in result["kernels"].values())
    assert loops == pytest.approx(result["phases"]["computation"]["seconds"])
    assert all(loop["elements"] > 0 for loop in result["kernels"].values() if loop["seconds"])
    events = json.loads(trace.read_text())
    check("trace", events)
    assert events["provenance"]["command"].startswith("lapwing run ")
    assert {event["pid"] for event in events["traceEvents"]} == {0, 1}
    # The time line is not overwritten unasked.
    assert "--force" in lapwing(*words, "--trace", str(trace)).complaint


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_planned(lapwing: Lapwing, machine: str, benchmark: str) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    words = ["run", benchmark, machine, "--schedule", "auto", "--on", "sim:ib4x:16"]
    result = lapwing(*words, "--json").document
    check("nas", result)
    assert result["planned"] and result["verified"]
    forecasts = [forecast["seconds"] for forecast in result["forecasts"]]
    assert len(forecasts) > 1
    assert forecasts == sorted(forecasts)
    assert result["settings"] == result["forecasts"][0]["settings"]
    # Simulated time is the same on every machine.
    assert result["seconds"] == pytest.approx(forecasts[0], rel=0.1)
    blocking = lapwing("run", benchmark, "--schedule", "blocking", "--on", "sim:ib4x:16", "--json")
    assert result["seconds"] <= blocking.document["seconds"]
    table = lapwing(*words).table
    assert f"{BENCHMARKS[benchmark].name} Benchmark Completed." in table
    assert " SUCCESSFUL" in table
    assert "as planned" in table
    assert "Ways considered" in table


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_predicted(lapwing: Lapwing, machine: str, benchmark: str) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    words = ["run", benchmark, machine, "--schedule", "blocking", "--on", "sim:ib4x:4"]
    result = lapwing(*words, "--json").document
    (forecast,) = result["forecasts"]
    assert result["seconds"] == pytest.approx(forecast["seconds"], rel=0.1)
    assert "Predicted " in lapwing(*words).table


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mg", "--class", "F"], "--class"),
        (["mg", "--schedule", "exchange"], "overlapped"),
        (["mg", "--transport", "ucx"], "two-sided"),
        (["mg", "--agglomerate", "0"], "--agglomerate"),
        (["mg", "--schedule", "auto"], "profile"),
        (["cg", "--agglomerate", "4"], "--agglomerate"),
        (["is", "--tiles", "0"], "--tiles"),
        (["is", "--class", "E"], "class"),
    ],
)
def test_refusals(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("run", *words, "--on", "mpi:2").complaint


@pytest.mark.parametrize("benchmark", ["mg", "cg"])
def test_ranks_are_a_power_of_two(lapwing: Lapwing, benchmark: str) -> None:
    if shutil.which(MPIRUN) is None:
        pytest.skip(f"no {MPIRUN}")
    words = ["run", benchmark, "--on", "mpi:3", "--mpi", "openmpi"]
    assert "power of two" in lapwing(*words).complaint


def test_auto_chooses_everything(lapwing: Lapwing, machine: str) -> None:
    words = ["run", "mg", machine, "--schedule", "auto", "--agglomerate", "4", "--on", "mpi:2"]
    assert "leave them out" in lapwing(*words).complaint


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(set(each.memory) == set(CLASSES) for each in BENCHMARKS.values())
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 4096}.get)
    with pytest.raises(LapwingError, match=r"--class D: takes [0-9.]+ GB of memory"):
        run_nas(Launch(parse("mpi:2", None)), "mg", "D")
