"""OpenSHMEM, which Open MPI's launcher starts (the family "oshmem"), and its settings."""

import os
import shutil

from ..errors import LapwingError
from .installed_mpi import InstalledMpi

# MPI uses the messaging layer of OpenSHMEM too. With the layer that MPI would choose beside it,
# Open MPI 4.1 ends in a segmentation fault.
_LAYER = {
    "pml": "ucx",
    "osc": "ucx",
    "btl": "self",
    # The layer is used over everything that it finds, TCP and shared memory included.
    "pml_ucx_tls": "any",
    "pml_ucx_devices": "any",
    # Where ranks share memory, the heap must be made by the layer itself, or a put waits until its
    # target calls the library.
    "sshmem": "ucx",
}
_HEAP = 64 << 20  # bytes


def shmem_launcher() -> InstalledMpi:
    """Open MPI as OpenSHMEM. Raises LapwingError if its launcher is not on the PATH."""
    launcher = shutil.which("oshrun")
    if launcher is None:
        raise LapwingError("oshrun is not on the PATH: install openmpi-bin")
    return InstalledMpi("oshmem", "", launcher)


def belongs_to(mpi: InstalledMpi) -> bool:
    """Whether `mpi` is the Open MPI whose OpenSHMEM is on the PATH."""
    launcher = shutil.which("oshrun")
    folders = [os.path.dirname(path) for path in (launcher or "", mpi.launcher)]
    return mpi.family == "openmpi" and folders[0] == folders[1]


def layer_options() -> list[str]:
    """Options of the launcher that choose the messaging layer."""
    return [word for name, value in _LAYER.items() for word in ("--mca", name, value)]


def heap_settings(size: int) -> dict[str, str]:
    """Environment variables for a symmetric heap of `size` bytes: the standard's name, and the one
    that Open MPI 4 reads."""
    return {"SHMEM_SYMMETRIC_SIZE": str(size), "SHMEM_SYMMETRIC_HEAP_SIZE": str(size)}


def shmem_environment(transports: str | None) -> dict[str, str]:
    """Environment variables of the launcher.

    transports: names of UCX's transports, such as "tcp,self"; None lets UCX choose.
    """
    environment = {f"OMPI_MCA_{name}": value for name, value in _LAYER.items()}
    environment |= heap_settings(_HEAP)
    if transports is not None:
        environment["UCX_TLS"] = transports
    return environment
