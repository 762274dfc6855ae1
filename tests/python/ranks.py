"""Running a Python program on several ranks, under any MPI that is here, with mpi4py."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

# Containers run tests as root, without the right to read the memory of other processes.
_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
_OPTIONS = {"openmpi": ["--oversubscribe", "--bind-to", "none"], "mpich": []}


def run_ranks(
    mpi: str, ranks: int, folder: Path, *words: str, **changed: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with `words` on `ranks` ranks of an MPI, "openmpi" or "mpich"; skips without it.

    folder: for what mpi4py needs to find that.  changed: environment variables.
    """
    launcher = shutil.which(f"mpiexec.{mpi}")
    if launcher is None:
        pytest.skip(f"no {mpi}")
    environment = {**_ENVIRONMENT, "MPI4PY_MPIABI": mpi, "LD_LIBRARY_PATH": str(folder)}
    # mpi4py looks for MPICH by the common name of MPIs with its ABI; Debian uses another name.
    if mpi == "mpich" and not _loads("libmpi.so.12") and not (folder / "libmpi.so.12").exists():
        own = next(Path("/usr/lib").glob("*/libmpich.so.12"), None)
        if own is None:
            pytest.skip("no library of MPICH")
        (folder / "libmpi.so.12").symlink_to(own)
    # Of two launchers of Open MPI that begin at once, one fails to make a folder that both want.
    # The names of sockets in it must be short.
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp") as temporary:
        return subprocess.run(
            [launcher, *_OPTIONS[mpi], "-n", str(ranks), sys.executable, *words],
            env={**os.environ, **environment, "TMPDIR": temporary, **changed},
            capture_output=True,
            text=True,
            timeout=60,
        )


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
