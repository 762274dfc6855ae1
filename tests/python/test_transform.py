"""lapwing.fft as programs use it: under mpirun, with mpi4py."""

import os
import subprocess
from pathlib import Path

import pytest
from ranks import run_ranks

_NATIVE = Path(__file__).parents[2] / "build" / "bin"
_PROGRAM = Path(__file__).with_name("transforms.py")


def _run(
    mpi: str, ranks: int, folder: Path, *words: str, **changed: str
) -> subprocess.CompletedProcess[str]:
    if not (_NATIVE / f"liblapwing-fft.{mpi}.so").exists():
        pytest.skip("no FFTW")
    return run_ranks(mpi, ranks, folder, *words, **{"LAPWING_NATIVE_DIR": str(_NATIVE), **changed})


@pytest.mark.parametrize(("mpi", "ranks"), [("openmpi", 1), ("openmpi", 3), ("mpich", 2)])
def test_transforms_are_numpys(tmp_path: Path, mpi: str, ranks: int) -> None:
    ended = _run(mpi, ranks, tmp_path, str(_PROGRAM), str(tmp_path / "wisdom"))
    assert (ended.returncode, ended.stdout) == (0, f"{ranks} ranks: all as numpy has it\n"), (
        ended.stderr
    )


def test_without_the_library_there_is_one_line(tmp_path: Path) -> None:
    program = (
        "import lapwing.fft, mpi4py.MPI; lapwing.fft.Transform(mpi4py.MPI.COMM_WORLD, (4, 4, 4))"
    )
    path = os.pathsep.join(
        folder
        for folder in os.environ["PATH"].split(os.pathsep)
        if Path(folder).resolve() != _NATIVE.resolve()
    )
    ended = _run("openmpi", 1, tmp_path, "-c", program, LAPWING_NATIVE_DIR=str(tmp_path), PATH=path)
    assert ended.returncode != 0
    assert "liblapwing-fft.openmpi.so is neither in $LAPWING_NATIVE_DIR" in ended.stderr
