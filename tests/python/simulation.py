"""Runs of the test programs of tests/mpi in simulation."""

import os
import shutil
import subprocess
from pathlib import Path

from lapwing.launch.sim import sim_job
from lapwing.testbed import Cluster, hostfile, platform_xml


def program(name: str) -> Path:
    """The module of tests/mpi/NAME.cpp."""
    return Path(__file__).parents[2] / "build" / "bin" / f"test-{name}.smpi"


def can_simulate(name: str) -> bool:
    """Whether there is a simulator, and the program to run."""
    return shutil.which("smpirun") is not None and program(name).exists()


def simulated(
    name: str,
    arguments: list[str],
    ranks: int,
    cluster: Cluster,
    folder: Path,
    hosts: str | None = None,
) -> str:
    """What the program prints, which must end well.

    folder: for the files that describe the hosts.  hosts: one for each rank, a line each; None,
    those that `lapwing` takes.
    """
    (folder / "platform.xml").write_text(platform_xml(cluster))
    (folder / "hosts").write_text(hosts or hostfile(cluster, ranks))
    job = sim_job(
        str(program(name)),
        arguments,
        ranks,
        cluster=cluster,
        platform=str(folder / "platform.xml"),
        hostfile=str(folder / "hosts"),
        options=[],
    )
    ended = subprocess.run(
        job.command,
        env={**os.environ, **job.environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
