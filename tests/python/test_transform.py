"""lapwing.fft as programs use it: under mpirun, with mpi4py."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_NATIVE = Path(__file__).parents[2] / "build" / "bin"
_PROGRAM = Path(__file__).with_name("transforms.py")
# Containers run tests as root, without the right to read the memory of other processes.
_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
_OPTIONS = {"openmpi": ["--oversubscribe", "--bind-to", "none"], "mpich": []}


def _run(mpi: str, ranks: int, *words: str, **changed: str) -> subprocess.CompletedProcess[str]:
    launcher = shutil.which(f"mpiexec.{mpi}")
    if launcher is None or not (_NATIVE / f"liblapwing-fft.{mpi}.so").exists():
        pytest.skip(f"no {mpi}, or no FFTW")
    environment = {**_ENVIRONMENT, "MPI4PY_MPIABI": mpi, "LAPWING_NATIVE_DIR": str(_NATIVE)}
    return subprocess.run(
        [launcher, *_OPTIONS[mpi], "-n", str(ranks), sys.executable, *words],
        env={**os.environ, **environment, **changed},
        capture_output=True,
        text=True,
        timeout=120,
    )


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


@pytest.mark.parametrize(("mpi", "ranks"), [("openmpi", 1), ("openmpi", 3), ("mpich", 2)])
def test_transforms_are_numpys(tmp_path: Path, mpi: str, ranks: int) -> None:
    # mpi4py looks for MPICH by the common name of MPIs with its ABI; Debian uses another name.
    if mpi == "mpich" and not _loads("libmpi.so.12"):
        own = next(Path("/usr/lib").glob("*/libmpich.so.12"), None)
        if own is None:
            pytest.skip("no library of MPICH")
        (tmp_path / "libmpi.so.12").symlink_to(own)
    ended = _run(mpi, ranks, str(_PROGRAM), str(tmp_path / "wisdom"), LD_LIBRARY_PATH=str(tmp_path))
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
    ended = _run("openmpi", 1, "-c", program, LAPWING_NATIVE_DIR=str(tmp_path), PATH=path)
    assert ended.returncode != 0
    assert "liblapwing-fft.openmpi.so is neither in $LAPWING_NATIVE_DIR" in ended.stderr
