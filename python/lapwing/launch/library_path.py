"""Making ranks load the library of the MPI that starts them."""

import os
import re
from pathlib import Path

from .installed_mpi import LIBRARIES, LIBRARY_FOLDERS, InstalledMpi

# Where the loader looks by itself.
_SYSTEM = {os.path.realpath(f"{root}/{name}") for root in ("", "/usr") for name in LIBRARY_FOLDERS}
# Folders beside itself where a library has those that it needs.
_ORIGIN = re.compile(rb"\$ORIGIN(/[^:\0]*)")


def loading(mpi: InstalledMpi, interface: str, program: str, directory: str) -> list[str]:
    """Words before a program's command line with which it loads the library of `mpi`.

    Set for the ranks alone: launchers need libraries of their own.  interface: the program's binary
    interface.  directory: gets a link where the library has another name than the one that the
    program asks for.  Empty where the loader finds the library by itself.
    """
    library = mpi.libraries.get(interface)
    if not library:
        return []
    inherited = [name for name in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if name]
    folder, name = os.path.split(library)
    asked = _asked(program, interface)
    if os.path.realpath(folder) in _SYSTEM:
        folders = [folder] if _hidden(name, inherited) else []
    else:
        # With the libraries that it brings along: the program may need some of them as well.
        beside = dict.fromkeys(_ORIGIN.findall(Path(library).read_bytes()))
        folders = [folder, *(folder + name.decode() for name in beside)]
    if asked != name:
        Path(directory, asked).symlink_to(library)
        folders.insert(0, directory)
    if not folders:
        return []
    return ["env", f"LD_LIBRARY_PATH={os.pathsep.join([*folders, *inherited])}"]


def _asked(program: str, interface: str) -> str:
    """The name by which a program asks for its library of MPI."""
    content = Path(program).read_bytes()
    names = LIBRARIES[interface]
    return next((name for name in names if name.encode() + b"\0" in content), names[0])


def _hidden(name: str, folders: list[str]) -> bool:
    """Whether one of `folders` has another library of that name."""
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders)
