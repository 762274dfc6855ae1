"""The time line of an observed program: as a trace, in a record, and on a page."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

PROGRAMS = Path(__file__).parent / "programs"
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def built(folder: Path, mpi: str) -> str:
    """The C program of all kinds of exchanges."""
    if shutil.which(f"mpicc.{mpi}") is None or shutil.which(f"mpirun.{mpi}") is None:
        pytest.skip(f"no mpicc.{mpi}")
    program = str(folder / f"exchanges.{mpi}")
    words = [f"mpicc.{mpi}", "-g", "-w", "-o", program, str(PROGRAMS / "exchanges.c")]
    subprocess.run(words, check=True)
    return program


@pytest.mark.alone
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_trace_and_page(lapwing: Lapwing, tmp_path: Path, mpi: str) -> None:
    options = ["--oversubscribe"] if mpi == "openmpi" else []
    program = ["--", f"mpirun.{mpi}", *options, "-n", "2", built(tmp_path, mpi)]
    words = ["-o", "seen.json", "--trace", "trace.json", "--json"]
    document = lapwing("observe", *words, *program, **AS_ROOT).document
    check("observe", document)
    line = document["timeline"]
    assert line["recorded"] == line["kept"] > 0
    assert line["unmatched"] == 0
    assert {each["what"] for each in line["intervals"]} == {"computation", "initiation", "exposed"}
    for each in line["intervals"]:
        assert each["start"] <= each["end"]
        assert (each["call"] is None) == (each["what"] == "computation")
    for each in line["messages"]:
        assert each["from"] != each["to"]
        assert each["sent"] <= each["arrived"]
    # Of each rank: 4 exchanges of 1500 bytes twice, 5 of 35000 twice; one way 6 of 500 bytes.
    assert sum(each["bytes"] == 500 for each in line["messages"]) == 6
    assert len(line["messages"]) == 2 * 4 + 2 * 5 + 6

    trace = json.loads((tmp_path / "trace.json").read_text())
    check("trace", trace)
    events = trace["traceEvents"]
    begins = {each["id"]: each for each in events if each["ph"] == "s"}
    ends = {each["id"]: each for each in events if each["ph"] == "f"}
    assert begins.keys() == ends.keys()
    assert len(begins) == len(line["messages"])
    for number, begin in begins.items():
        assert begin["ts"] <= ends[number]["ts"]
        assert begin["args"]["to"] == ends[number]["pid"]
        busy = [
            each["name"]
            for each in events
            if each["ph"] == "X"
            and each["pid"] == begin["pid"]
            and each["ts"] - 1e-3 <= begin["ts"] <= each["ts"] + each["dur"] + 1e-3
        ]
        assert {"MPI_Send", "MPI_Isend", "MPI_Startall"} & set(busy)

    lapwing("report", "seen.json", "-o", "report.html")
    page = (tmp_path / "report.html").read_text()
    for part in ('id="observed"', 'id="time-seen"', ", tag ", "rank 1"):
        assert part in page
    assert "Time line of seen" in page


@pytest.mark.alone
def test_page_at_once(lapwing: Lapwing, tmp_path: Path) -> None:
    words = ["-o", "seen.html", "--", "mpirun.mpich", "-n", "2", built(tmp_path, "mpich")]
    ended = lapwing("observe", *words)
    assert ended.status == 0
    assert "Exchanges, by what overlapping each alone saves" in ended.out
    page = (tmp_path / "seen.html").read_text()
    assert page.startswith("<!doctype html>")
    assert 'id="time-seen"' in page
    # Without --trace or a page nothing is recorded but the table.
    plain = lapwing("observe", "--json", *words[2:]).document
    assert "timeline" not in plain


def test_page_of_a_record_without_events(lapwing: Lapwing, tmp_path: Path) -> None:
    record = Path(__file__).parents[2] / "data" / "results" / "observed" / "ft.json"
    assert lapwing("observe", "--from", str(record), "-o", "seen.html").status == 0
    page = (tmp_path / "seen.html").read_text()
    assert 'id="observed"' in page
    assert 'id="time-seen"' not in page
    assert (
        "exists already" in lapwing("observe", "--from", str(record), "-o", "seen.html").complaint
    )
