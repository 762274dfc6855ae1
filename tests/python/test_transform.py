"""lapwing.fft as a program uses it: under mpirun, beside mpi4py."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_NATIVE = Path(__file__).parents[2] / "build" / "bin"
_PROGRAM = Path(__file__).with_name("transforms.py")
# Containers are run as root, and have no right to read another process's memory.
_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "MPI4PY_MPIABI": "openmpi",
}


def _mpirun(ranks: int, *words: str, **changed: str) -> subprocess.CompletedProcess[str]:
    launcher = shutil.which("mpirun.openmpi")
    if launcher is None or not (_NATIVE / "liblapwing-fft.openmpi.so").exists():
        pytest.skip("no Open MPI, or no FFTW")
    return subprocess.run(
        [
            launcher,
            "--oversubscribe",
            "--bind-to",
            "none",
            "-n",
            str(ranks),
            sys.executable,
            *words,
        ],
        env={**os.environ, **_ENVIRONMENT, "LAPWING_NATIVE_DIR": str(_NATIVE), **changed},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.alone
@pytest.mark.parametrize("ranks", [1, 3])
def test_transforms_are_numpys(tmp_path: Path, ranks: int) -> None:
    ended = _mpirun(ranks, str(_PROGRAM), str(tmp_path / "wisdom"))
    assert (ended.returncode, ended.stdout) == (0, f"{ranks} ranks: all as numpy has it\n"), (
        ended.stderr
    )


@pytest.mark.alone
def test_without_the_library_there_is_one_line(tmp_path: Path) -> None:
    program = (
        "import lapwing.fft, mpi4py.MPI; lapwing.fft.Transform(mpi4py.MPI.COMM_WORLD, (4, 4, 4))"
    )
    path = os.pathsep.join(
        folder
        for folder in os.environ["PATH"].split(os.pathsep)
        if Path(folder).resolve() != _NATIVE.resolve()
    )
    ended = _mpirun(1, "-c", program, LAPWING_NATIVE_DIR=str(tmp_path), PATH=path)
    assert ended.returncode != 0
    assert "liblapwing-fft.openmpi.so is neither in $LAPWING_NATIVE_DIR" in ended.stderr
