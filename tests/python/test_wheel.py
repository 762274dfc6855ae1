"""The wheel in a fresh environment: with Python and an MPI of pip, and with nothing else.

It has one binary interface of MPI, that of the system's MPICH. `scripts/try-packages wheel` tries
the wheel with all of them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests" / "data" / "profiles" / "ib4x.json"
# What the launchers of pip's MPIs and Lapwing's ranks need of a system.
TOOLS = ("env", "sh", "bash", "taskset")

pytestmark = [
    pytest.mark.package,
    pytest.mark.skipif(
        not shutil.which("mpicc.mpich"), reason="no MPICH here to compile the wheel against"
    ),
]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside of the tree: `venv` with the wheel and pip's MPICH, and `tools`."""
    folder = tmp_path_factory.mktemp("bare")
    pip = [folder / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    needed = subprocess.run(
        [*pip, "install", "--quiet", "--retries", "1", "mpich", "rich>=13", "numpy>=1.24"],
        capture_output=True,
        text=True,
    )
    if needed.returncode != 0:
        pytest.skip(f"pip cannot install mpich: {needed.stderr.strip().splitlines()[-1]}")
    built = subprocess.run(
        [ROOT / "scripts" / "build-wheel", folder / "dist", "mpich"], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    (wheel,) = (folder / "dist").iterdir()
    subprocess.run([*pip, "install", "--quiet", "--no-index", wheel], check=True)
    (folder / "tools").mkdir()
    for tool in TOOLS:
        (folder / "tools" / tool).symlink_to(shutil.which(tool) or f"no {tool} here")
    return folder


def lapwing(bare: Path, *words: str, statuses: tuple[int, ...] = (0,), errors: bool = False) -> str:
    """What the wheel's command prints, or says of errors; it sees no path but those of `bare`."""
    path = os.pathsep.join([str(bare / "venv" / "bin"), str(bare / "tools")])
    done = subprocess.run(
        [bare / "venv" / "bin" / "lapwing", *words],
        cwd=bare,
        env={"HOME": str(bare), "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in statuses, (words, done.stdout[-500:], done.stderr[-1500:])
    assert "Traceback" not in done.stderr
    return done.stderr if errors else done.stdout


def test_the_one_mpi_is_pips(bare: Path) -> None:
    listed = lapwing(bare, "doctor", "--list")
    # Of "this Python", which is wrapped.
    assert "(this" in listed
    assert "lapwing-mpi.mpich" in listed


def test_doctor_and_run(bare: Path) -> None:
    # Whether messages overlap here is the machine's business.
    found = json.loads(lapwing(bare, "doctor", "--on", "mpi:2", "--json", statuses=(0, 1)))
    assert found["measured"]["machine"]["mpi"].startswith("MPICH")
    words = ["stream", "--on", "mpi:2", str(PROFILE), "--volume", "64KB", "--compute", "1ms"]
    ran = json.loads(lapwing(bare, "run", *words, "--json", statuses=(0, 1)))
    assert ran["provenance"]["target"] == "mpi:2"


def test_what_the_wheel_is_without(bare: Path) -> None:
    said = lapwing(bare, "run", "ft", "--on", "mpi:2", statuses=(1, 2), errors=True)
    assert said.count("\n") == 1
    assert "this build of Lapwing has no FFTW, which this command needs" in said


def test_the_native_program_needs_no_library_but_cs_and_mpis(bare: Path) -> None:
    (program,) = bare.glob("venv/lib/python3*/site-packages/lapwing/native/lapwing-mpi.*")
    # Its own needs: the system's MPICH, which it was linked with, has more.
    dynamic = subprocess.run(["readelf", "--dynamic", program], check=True, capture_output=True)
    needed = re.findall(r"NEEDED.*\[(.+?)\.so", dynamic.stdout.decode())
    assert {"libmpich", "libc"} <= set(needed) <= {"libmpich", "libc", "libm", "ld-linux-x86-64"}
