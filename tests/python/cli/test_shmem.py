"""OpenSHMEM in a profile: measured where its program is, and said so where it fails."""

import shutil
from pathlib import Path

import pytest
from documents import check
from typed import COMMAND, Lapwing

from lapwing.errors import LapwingError
from lapwing.launch import Launch, parse
from lapwing.measure.calibrate import _moved
from lapwing.measure.overlap import measure_overlap

pytestmark = pytest.mark.alone

CALIBRATE = ["calibrate", "--on", "mpi:2", "--quick", "--only", "operations", "--json"]
OPERATIONS = ["put", "get", "put_nbi", "get_nbi"]


@pytest.fixture(autouse=True)
def program() -> Path:
    built = COMMAND.parent / "lapwing-shmem"
    if not built.exists() or shutil.which("oshrun") is None:
        pytest.skip("no OpenSHMEM")
    return built


def test_beside_the_others(lapwing: Lapwing) -> None:
    words = [*CALIBRATE, "--mpi", "openmpi"]
    document = lapwing(*words).document
    measured = [entry for entry in document["operations"] if entry["transport"] == "shmem"]
    assert [entry["name"] for entry in measured] == OPERATIONS
    assert len(document["operations"]) > len(OPERATIONS)
    assert not [line for line in document["warnings"] if "not measured" in line]
    for entry in measured:
        assert len(entry["latency"]) == len(entry["sizes"])
        assert min(entry["latency"]) > 0


def test_not_beside_another_mpi(lapwing: Lapwing) -> None:
    if shutil.which("mpiexec.mpich") is None:
        pytest.skip("no mpiexec.mpich")
    words = [*CALIBRATE, "--mpi", "mpich"]
    document = lapwing(*words).document
    assert "shmem" not in [entry["transport"] for entry in document.get("operations", [])]
    assert "OpenSHMEM" not in " ".join(document["warnings"])


def test_a_failure_is_a_warning(lapwing: Lapwing, tmp_path: Path) -> None:
    folder = tmp_path / "native"
    folder.mkdir()
    (folder / "lapwing-mpi.openmpi").symlink_to(COMMAND.parent / "lapwing-mpi.openmpi")
    broken = folder / "lapwing-shmem"
    broken.write_text("#!/bin/sh\necho 'lapwing-shmem: rank 0: no such network' >&2\nexit 1\n")
    broken.chmod(0o755)
    words = [*CALIBRATE, "--mpi", "openmpi"]
    document = lapwing(*words, LAPWING_NATIVE_DIR=str(folder)).document
    assert "shmem" not in [entry["transport"] for entry in document["operations"]]
    assert "OpenSHMEM was not measured: mpi:2: rank 0: no such network" in document["warnings"]


def test_interpolated_entries_move_with_their_operations() -> None:
    assert _moved("operations[1].overhead[3][1]", 6) == "operations[7].overhead[3][1]"
    assert _moved("overhead.send[2]", 6) == "overhead.send[2]"


def test_swept(lapwing: Lapwing) -> None:
    words = ["calibrate", "--on", "mpi:2", "--quick", "--only", "loggp,operations", "--json"]
    assert lapwing(*words, "-o", "machine.json").document
    for pattern in ("stream", "halo"):
        words = ["sweep", "--on", "mpi:2", "machine.json", "--pattern", pattern, "--ratio", "1"]
        words += ["--volume", "256KB", "--smallest", "64KB", "--repeat", "1", "--json"]
        document = lapwing(*words, "--transport", "shmem").document
        check("sweep", document)
        assert document["transport"] == document["plan"]["transport"] == "shmem"


def test_no_stream_among_three(lapwing: Lapwing, machine: str) -> None:
    words = ["sweep", "--on", "mpi:3", machine, "--volume", "8KB", "--ratio", "1"]
    said = lapwing(*words, "--transport", "shmem").complaint
    assert "a stream is run by 2 ranks, not by 3" in said


@pytest.mark.parametrize("transports", [["shmem"], ["two-sided", "shmem"]])
def test_examined(transports: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(COMMAND.parent))
    launch = Launch(parse("mpi:2"), mpi="openmpi")
    document = measure_overlap(launch, transports=transports, sizes=[32 << 10], seconds=2)
    rows = document["measurements"]
    assert [row["operation"] for row in rows if row["transport"] == "shmem"] == [
        "put_nbi",
        "get_nbi",
    ]
    assert sorted({row["transport"] for row in rows}) == sorted(transports)
    assert not [line for line in document["warnings"] if "not measured" in line]


def test_not_examined_beside_another_mpi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(COMMAND.parent))
    if shutil.which("mpiexec.mpich") is None:
        pytest.skip("no mpiexec.mpich")
    launch = Launch(parse("mpi:2"), mpi="mpich")
    with pytest.raises(LapwingError, match="no transport of that name is here"):
        measure_overlap(launch, transports=["shmem"], sizes=[1024], seconds=1)


def test_transformed(lapwing: Lapwing) -> None:
    words = ["run", "fft", "--size", "12x10x8", "--on", "mpi:2", "--repeat", "1", "--json"]
    document = lapwing(*words, "--compare", "slabs,pencils", "--transport", "shmem").document
    check("fft", document)
    assert {way["transport"] for way in document["ways"]} == {"shmem"}
    assert all(way["verified"] for way in document["ways"])
    words = ["run", "ft", "--schedule", "pencils", "--transport", "shmem", "--on", "mpi:2"]
    assert lapwing(*words, "--json").document["verified"]
    words = ["run", "fft", "--size", "8", "--on", "mpi:2", "--compare", "slabs:shmem,slabs:ucx"]
    said = lapwing(*words).complaint
    assert "OpenSHMEM and UCX are not in one program" in said
