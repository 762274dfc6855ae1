"""MPI test programs on more ranks than the machine has cores, in simulation."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lapwing.launch.sim import sim_job
from lapwing.testbed import load_cluster
from lapwing.testbed.platform import hostfile, platform_xml

_PROGRAMS = Path(__file__).parents[2] / "build" / "bin"


@pytest.mark.parametrize(("ranks", "cases"), [(2, 20), (4, 4), (16, 1), (32, 0)])
def test_whatever_is_pipelined(tmp_path: Path, ranks: int, cases: int) -> None:
    """Run tests/mpi/property.cpp with `cases` cases; 0 runs one collective of each kind."""
    program = _PROGRAMS / "test-property.smpi"
    if shutil.which("smpirun") is None or not program.exists():
        pytest.skip("no smpirun")
    cluster = load_cluster("ib4x")
    (tmp_path / "platform.xml").write_text(platform_xml(cluster))
    (tmp_path / "hostfile").write_text(hostfile(cluster, ranks))
    job = sim_job(
        str(program),
        [str(cases)],
        ranks,
        cluster=cluster,
        platform=str(tmp_path / "platform.xml"),
        hostfile=str(tmp_path / "hostfile"),
        options=[],
    )
    ended = subprocess.run(
        job.command,
        env={**os.environ, **job.environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
