"""UCX: measured beside MPI, planned, swept, and looked at by the doctor, where it is built in."""

from pathlib import Path

import pytest
from documents import check
from typed import Lapwing, run

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile of this machine with UCX's operations."""
    path = tmp_path_factory.mktemp("ucx") / "machine.json"
    words = ["calibrate", "--on", "mpi:2", "--quick", "--only", "loggp,operations", "-o", path.name]
    document = run(path.parent, *words, "--json").document
    named = {(entry["transport"], entry["name"]) for entry in document["operations"]}
    if ("ucx", "put") not in named:
        pytest.skip("no UCX")
    assert ("ucx", "get") in named
    return path


@pytest.mark.parametrize("transport", ["ucx-put", "ucx-get"])
def test_planned_and_swept(lapwing: Lapwing, measured: Path, transport: str) -> None:
    words = ["--volume", "256KB", "--transport", transport, "--json"]
    plan = lapwing("plan", str(measured), "--compute", "1ms", *words).document
    check("plan", plan)
    assert plan["transport"] == transport
    words += ["--on", "mpi:2", "--ratio", "1", "--repeat", "1"]
    document = lapwing("sweep", str(measured), "--smallest", "64KB", *words).document
    check("sweep", document)
    assert document["transport"] == transport
    assert document["plan"]["transport"] == transport
    for pattern in ("stream", "halo"):
        ended = lapwing("run", pattern, str(measured), *words)
        assert ended.status in (0, 1)  # whether the plan pays does not matter
