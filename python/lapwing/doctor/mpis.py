"""Which MPIs are installed here, and which native program serves each."""

from typing import Any

from ..launch.find_mpi import installed_mpis
from ..launch.installed_mpi import InstalledMpi
from ..launch.native import native_for, why_none_serves


def list_mpis() -> dict[str, Any]:
    """The document of `lapwing doctor --list`."""
    return {"lapwing": "mpis", "mpis": [_entry(mpi) for mpi in installed_mpis()]}


def _entry(mpi: InstalledMpi) -> dict[str, Any]:
    native = native_for(mpi)
    return {
        "family": mpi.family,
        "version": mpi.version,
        "launcher": mpi.launcher,
        "libraries": dict(mpi.libraries),
        "found": mpi.found,
        "program": native.path if native else None,
        "reason": None if native else why_none_serves(mpi),
    }
