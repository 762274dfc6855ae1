"""Partitioned messages: measured, planned and run under an MPI that has them; refused elsewhere."""

from pathlib import Path

import pytest
from documents import check
from typed import Lapwing, run

pytestmark = pytest.mark.alone

MPICH = ["--on", "mpi:2", "--mpi", "mpich"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile of this machine with the cost of a partition."""
    path = tmp_path_factory.mktemp("partitioned") / "machine.json"
    words = ["calibrate", *MPICH, "--quick", "--only", "loggp,operations", "-o", path.name]
    document = run(path.parent, *words, "--json").document
    named = {(entry["transport"], entry["name"]) for entry in document["operations"]}
    if ("partitioned", "pready") not in named:
        pytest.skip("no partitioned messages")
    return path


@pytest.mark.parametrize("direction", ["fetch", "produce"])
def test_planned_and_swept(lapwing: Lapwing, measured: Path, direction: str) -> None:
    words = ["--volume", "256KB", "--transport", "partitioned", "--direction", direction, "--json"]
    plan = lapwing("plan", str(measured), "--compute", "1ms", *words).document
    check("plan", plan)
    assert plan["transport"] == "partitioned"
    words += [*MPICH, "--ratio", "1", "--repeat", "1"]
    document = lapwing("sweep", str(measured), "--smallest", "64KB", *words).document
    check("sweep", document)
    assert document["transport"] == "partitioned"
    assert document["plan"]["transport"] == "partitioned"
    for pattern in ("stream", "multi"):
        ended = lapwing("run", pattern, str(measured), *words)
        assert ended.status in (0, 1)  # whether the plan pays does not matter


def test_one_way_alone(lapwing: Lapwing, measured: Path) -> None:
    words = ["--volume", "64KB", "--ratio", "1", "--transport", "partitioned"]
    ended = lapwing("run", "halo", str(measured), *MPICH, *words)
    assert "halo sends both ways: partitioned messages are for" in ended.complaint


def test_an_mpi_without(lapwing: Lapwing, measured: Path) -> None:
    words = ["--volume", "64KB", "--ratio", "1", "--transport", "partitioned"]
    words += ["--on", "mpi:2", "--mpi", "openmpi"]
    ended = lapwing("run", "stream", str(measured), *words)
    if ended.status != 2:
        pytest.skip("this Open MPI has partitioned messages")
    assert "this MPI has no partitioned messages" in ended.complaint
