"""`lapwing doctor` as a user runs it."""

import json
import os
import shutil
from pathlib import Path

import jsonschema
import pytest
from test_cli_commands import check
from typed import Ended, Lapwing

from lapwing.doctor import JUDGED_FROM


def examined(ended: Ended) -> dict:
    """The document of a command that ran to its end, whatever its verdict."""
    assert ended.status in (0, 1), ended.err
    assert ended.err == ""
    document = json.loads(ended.out)
    check("doctor", document)
    assert (ended.status == 1) == (document["verdict"] == "broken")
    assert {row["computes"] for row in document["measured"]["measurements"]} == {
        "initiator",
        "target",
    }
    assert any(
        row["transport"] == "two-sided" and row["size"] >= JUDGED_FROM
        for row in document["measured"]["measurements"]
    )
    return document


@pytest.mark.parametrize("cluster", ["elan4:4", "hdr"])
def test_simulated_clusters_overlap(lapwing: Lapwing, cluster: str, tmp_path: Path) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    ended = lapwing("doctor", "--on", f"sim:{cluster}", "--json")
    assert ended.status == 0
    document = examined(ended)
    assert document["verdict"] == "fine"
    assert document["findings"] == []
    both_ways = document["measured"]["both_ways"]
    assert {row["in_flight"] for row in both_ways} == {1, 2}
    assert all(0.99 < row["slowdown"] < 1.3 for row in both_ways)
    transports = {row["transport"] for row in document["measured"]["measurements"]}
    assert {"two-sided", "rma", "collective"} <= transports
    assert os.listdir(tmp_path) == []


def test_table(lapwing: Lapwing) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    shown = lapwing("doctor", "--on", "sim:ib4x").table
    assert "Overlap is fine on sim:ib4x" in shown
    assert "two-sided" in shown


# The C++ tests run its measurements under both MPIs, and those of the wheel all of it.
@pytest.mark.alone
@pytest.mark.nightly
def test_this_machine(lapwing: Lapwing) -> None:
    if not (shutil.which("mpirun.openmpi") or shutil.which("mpiexec.mpich")):
        pytest.skip("no MPI")
    document = examined(lapwing("doctor", "--on", "mpi:2", "--json"))
    assert [place["host"] for place in document["measured"]["places"]] == [os.uname().nodename] * 2
    # On one host there is always a finding.
    assert document["findings"]
    assert {"shared-memory", "one-host"} & {finding["name"] for finding in document["findings"]}


def test_refusals(lapwing: Lapwing, tmp_path: Path) -> None:
    assert "--on" in lapwing("doctor").complaint
    assert "unknown target" in lapwing("doctor", "--on", "here").complaint
    assert "unknown argument" in lapwing("doctor", "--on", "mpi", "--sizes", "8").complaint
    assert "unknown MPI" in lapwing("doctor", "--on", "mpi", "--mpi", "lam").complaint
    if shutil.which("smpirun") is not None:
        assert "needs 2 ranks" in lapwing("doctor", "--on", "sim:ib4x:1").complaint
    assert os.listdir(tmp_path) == []


def test_the_schema_refuses() -> None:
    from lapwing.schema import schema

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"verdict": "well"}, schema("doctor"))


def test_list(lapwing: Lapwing, tmp_path: Path) -> None:
    launcher = tmp_path / "bin" / "mpiexec"
    launcher.parent.mkdir()
    launcher.write_text("#!/bin/sh\necho 'mpiexec (Open MPI) 5.0.11'\n")
    launcher.chmod(0o755)
    changed = {"PATH": f"{launcher.parent}:{os.environ['PATH']}"}
    document = lapwing("doctor", "--list", "--json", **changed).document
    check("mpis", document)
    first = document["mpis"][0]
    assert (first["family"], first["version"]) == ("openmpi", "5.0.11")
    assert first["launcher"] == str(launcher)
    assert (first["program"] is None) == (first["reason"] is not None)
    shown = lapwing("doctor", "--list", **changed).table
    assert "5.0.11" in shown


def test_an_mpi_that_no_program_serves(lapwing: Lapwing, tmp_path: Path) -> None:
    launcher = tmp_path / "mpiexec"
    launcher.write_text("#!/bin/sh\necho an MPI\n")
    launcher.chmod(0o755)
    said = lapwing("doctor", "--on", "mpi", "--mpi", "./mpiexec").complaint
    assert "which MPI this is" in said
