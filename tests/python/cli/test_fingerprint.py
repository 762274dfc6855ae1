"""A fingerprint is the same on the same machine; a difference is named."""

import json
import shutil
from pathlib import Path

import pytest
from clusters import as_toml, random_cluster
from documents import check
from typed import Lapwing

STREAM = ["--volume", "64KB", "--ratio", "1"]


def calibrated(lapwing: Lapwing, target: str, *words: str, **changed: str) -> dict:
    document = lapwing(
        "calibrate", "--on", target, "--only", "loggp", "--json", *words, **changed
    ).document
    check("profile", document)
    assert len(document["fingerprint"]) == 16
    return document


@pytest.mark.alone
@pytest.mark.parametrize(("mpi", "launcher"), [("openmpi", "mpirun"), ("mpich", "mpiexec")])
def test_real_ranks(lapwing: Lapwing, mpi: str, launcher: str, tmp_path: Path) -> None:
    if shutil.which(f"{launcher}.{mpi}") is None:
        pytest.skip(f"no {launcher}.{mpi}")
    once = calibrated(lapwing, "mpi:2", "--mpi", mpi)
    again = calibrated(lapwing, "mpi", "--mpi", mpi, TMPDIR=str(tmp_path))
    assert once["fingerprint"] == again["fingerprint"]
    for text in once["machine"].values():
        assert "lapwing-" not in text  # temporary names
    assert "\t" not in once["machine"]["mpi"]
    # A setting that changes how bytes move.
    other = calibrated(lapwing, "mpi", "--mpi", mpi, UCX_TLS="self,sm,tcp")
    assert other["fingerprint"] != once["fingerprint"]
    (tmp_path / "machine.json").write_text(json.dumps(other))
    words = ["run", "stream", "--on", "mpi:2", "--mpi", mpi, "machine.json", *STREAM]
    ended = lapwing(*words, "--json")
    (warning,) = json.loads(ended.out)["warnings"]
    check("sweep", json.loads(ended.out))
    assert "with MPI settings UCX_TLS=self,sm,tcp, here none: calibrate again" in warning
    assert "calibrate again" in " ".join(lapwing(*words).out.split())
    (tmp_path / "machine.json").write_text(json.dumps(once))
    assert "warnings" not in json.loads(lapwing(*words, "--json").out)


@pytest.mark.alone
def test_the_other_mpi(lapwing: Lapwing, tmp_path: Path) -> None:
    if not (shutil.which("mpirun.openmpi") and shutil.which("mpiexec.mpich")):
        pytest.skip("needs two MPIs")
    document = calibrated(lapwing, "mpi", "--mpi", "openmpi")
    (tmp_path / "machine.json").write_text(json.dumps(document))
    ended = lapwing(
        *["run", "stream", "--on", "mpi", "--mpi", "mpich", "machine.json", *STREAM, "--json"]
    )
    (warning,) = json.loads(ended.out)["warnings"]
    assert warning.startswith("the profile was measured with Open MPI v")
    assert ", this is MPICH " in warning


def test_simulated(lapwing: Lapwing, tmp_path: Path) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    cluster = as_toml(random_cluster(3))
    (tmp_path / "mine.toml").write_text(cluster)
    (tmp_path / "copy.toml").write_text(cluster.replace('name = "', 'name = "copy of '))
    changed = cluster.replace("eager_limit = ", "eager_limit = 1")
    mine = calibrated(lapwing, "sim:./mine.toml")
    assert calibrated(lapwing, "sim:./copy.toml:4")["fingerprint"] == mine["fingerprint"]
    (tmp_path / "machine.json").write_text(json.dumps(mine))
    words = ["run", "stream", "--on", "sim:./mine.toml", "machine.json", *STREAM, "--json"]
    assert "warnings" not in json.loads(lapwing(*words).out)
    (tmp_path / "mine.toml").write_text(changed)
    (warning,) = json.loads(lapwing(*words).out)["warnings"]
    assert "on sim:./mine.toml as it was described then: calibrate again" in warning
