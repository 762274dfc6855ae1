"""NAS FT as a user runs it: verified, documented, and refused if it cannot run."""

import os
import shutil

import pytest
from documents import check
from typed import Lapwing

from lapwing.errors import LapwingError
from lapwing.launch import Launch, parse
from lapwing.transforms.nas_ft import run_nas_ft
from lapwing.transforms.ways import SCHEDULES

MPIRUN = "mpirun.openmpi"


def test_document(lapwing: Lapwing) -> None:
    if shutil.which(MPIRUN) is None:
        pytest.skip(f"no {MPIRUN}")
    words = ["run", "ft", "--class", "S", "--schedule", "pencils", "--transport", "rma"]
    words += ["--effort", "estimate", "--on", "mpi:2", "--mpi", "openmpi", "--json"]
    result = lapwing(*words).document
    check("ft", result)
    assert result["verified"]
    assert len(result["checksums"]) == result["iterations"] == 6
    # Each of 32 planes has 32 rows for the other rank; Bell's share counts all 64.
    assert result["messages"] == 32 * 32
    assert result["overlap_share"] == pytest.approx(1 - 2 / (32 * 64))
    operations = 64**3 * (14.8157 + 7.19641 * 12.4766 + (5.23518 + 7.21113 * 12.4766) * 6)
    assert result["mops"] == pytest.approx(operations / result["seconds"] * 1e-6, rel=1e-4)
    parts = [result["setup"], result["evolution"], result["checksum"]]
    spent = sum(part["seconds"] for part in [*parts, *result["transforms"].values()])
    assert 0 < spent <= result["seconds"]
    assert all(part["most"] >= part["seconds"] for part in parts)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_simulated(lapwing: Lapwing, schedule: str) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    table = lapwing("run", "ft", "--schedule", schedule, "--on", "sim:ib4x:4").table
    assert " SUCCESSFUL" in table
    assert f"Schedule {schedule}" in table


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--class", "F"], "--class"),
        (["--schedule", "pencil"], "pencils"),
        (["--schedule", "pencils", "--transport", "collective"], "take two-sided or rma"),
        (["--schedule", "slabs", "--tile", "2"], "has no tiles"),
        (["--window", "0"], "--window"),
        (["--schedule", "auto"], "profile"),
        (["--schedule", "auto", "--tile", "2"], "leave them out"),
    ],
)
def test_refusals(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("run", "ft", *words, "--on", "mpi:2").complaint


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 4096}.get)
    with pytest.raises(LapwingError, match=r"--class C: takes 6\.4 GB of memory"):
        run_nas_ft(Launch(parse("mpi:2", None)), "C")
