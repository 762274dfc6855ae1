"""An MPI that is installed here: its launcher, and the library that its ranks load."""

import os
import re
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

CALLED = {"openmpi": "Open MPI", "mpich": "MPICH", "intel": "Intel MPI"}

# The binary interfaces of MPI, and what libraries that have one are called: the standard one of MPI
# 5, MPICH's, which Intel MPI, MVAPICH and Cray MPICH share, and Open MPI's. Debian renames MPICH's.
LIBRARIES = {
    "abi": ("libmpi_abi.so.1",),
    "mpich": ("libmpi.so.12", "libmpich.so.12"),
    "openmpi": ("libmpi.so.40",),
}
# The binary interfaces, in words.
INTERFACES = {
    "abi": "the standard ABI",
    "mpich": "MPICH's ABI",
    "openmpi": "Open MPI's ABI",
    "any": "an ABI that its file does not tell",
}
# Those that an MPI may have. One whose library is not found is taken to have the last.
_INTERFACES = {"openmpi": ["abi", "openmpi"], "mpich": ["abi", "mpich"], "intel": ["abi", "mpich"]}

# Launchers, the most specific names first.
LAUNCHERS = ("mpirun.openmpi", "mpiexec.mpich", "mpiexec", "mpirun", "mpiexec.hydra")
# How launchers tell their family and version.
_SAID = {
    "intel": re.compile(r"Intel\(R\) MPI Library.*?Version ([0-9]+(?:\.[0-9]+)*)"),
    "openmpi": re.compile(r"(?:OpenRTE\)|Open MPI\)) ?v?([0-9]+(?:\.[0-9]+)*)"),
    "mpich": re.compile(r"HYDRA build details:\s+Version:\s*([0-9]+(?:\.[0-9]+)*)"),
}
# Folders of libraries below a prefix, as systems have them; Intel MPI has one of its own.
LIBRARY_FOLDERS = ("lib", "lib64", f"lib/{sysconfig.get_config_var('MULTIARCH') or ''}")
_SUFFIXES = (*LIBRARY_FOLDERS, "lib/release")


@dataclass(frozen=True)
class InstalledMpi:
    """An MPI.

    family: "openmpi", "mpich", "intel", "oshmem" (Open MPI's OpenSHMEM), or "any" if its launcher
    does not tell.  version: as the launcher says it; empty if it does not.  launcher: its path.
    libraries: the path of the library of each binary interface, by its key in LIBRARIES; empty
    where only the loader knows it.  found: where the launcher was found, in words.
    """

    family: str
    version: str
    launcher: str
    libraries: Mapping[str, str] = field(default_factory=dict)
    found: str = "PATH"

    def __str__(self) -> str:
        return f"{CALLED.get(self.family, 'an MPI')} {self.version}".rstrip()

    @property
    def interfaces(self) -> list[str]:
        """The binary interfaces that it has, the most general first."""
        return list(self.libraries) or _INTERFACES.get(self.family, ["any"])[-1:]


def described_by(launcher: str, found: str) -> InstalledMpi:
    """The MPI that a launcher belongs to. found: where, in words."""
    family, version = family_of(launcher)
    libraries: dict[str, str] = {}
    for path in dict.fromkeys([launcher, os.path.realpath(launcher)]):
        for interface in _INTERFACES.get(family, []):
            library = _library(Path(path).parent.parent, interface)
            if library and interface not in libraries:
                libraries[interface] = library
    return InstalledMpi(family, version, launcher, libraries, found)


@cache
def family_of(launcher: str) -> tuple[str, str]:
    """The family and the version of a launcher's MPI, which is run to ask; "any" if unknown."""
    try:
        done = subprocess.run(
            [launcher, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "any", ""
    for family, pattern in _SAID.items():
        if said := pattern.search(done.stdout):
            return family, said[1]
    return "any", ""


def launchers_in(folder: str) -> list[str]:
    """The paths of the launchers in a folder."""
    paths = [os.path.join(folder, name) for name in LAUNCHERS]
    return [path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)]


def _library(prefix: Path, interface: str) -> str:
    for suffix in _SUFFIXES:
        for name in LIBRARIES[interface]:
            path = prefix / suffix / name
            if path.is_file():
                return str(path)
    return ""
