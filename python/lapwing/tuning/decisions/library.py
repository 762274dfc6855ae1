"""Naming the MPI library that a file is for, and finding the version of the one that is here."""

import re
from dataclasses import dataclass

from ...errors import LapwingError, did_you_mean
from ...launch.find_mpi import installed_mpis
from ...launch.installed_mpi import CALLED

# The first version that files are written for.
_FIRST = {"openmpi": (4, 0), "mpich": (4, 0), "intel": (2019,)}


@dataclass(frozen=True)
class Library:
    """An MPI library: "openmpi", "mpich" or "intel", and as much of its version as is known."""

    family: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        return f"{CALLED[self.family]} {'.'.join(str(number) for number in self.version)}"

    @property
    def text(self) -> str:
        """As it is written on a command line: "openmpi-5.0.7"."""
        return f"{self.family}-{'.'.join(str(number) for number in self.version)}"

    def at_least(self, *version: int) -> bool:
        """Whether all releases that match have that version or a later one."""
        width = max(len(version), len(self.version))
        mine = self.version + (0,) * (width - len(self.version))
        return mine >= version + (0,) * (width - len(version))

    def may_be(self, *version: int) -> bool:
        """Whether some release that matches has that version or a later one."""
        return self.version >= version[: len(self.version)]


def parse_library(text: str) -> Library:
    """The library that `text` names: "openmpi", of the version that is here, or "openmpi-5.0".

    Raises LapwingError for an unknown one, and for one without a version that is not here.
    """
    family, dash, version = text.partition("-")
    if family not in CALLED:
        near = did_you_mean(family, list(CALLED))
        raise LapwingError(
            f'unknown library "{text}"{near}: choose from {", ".join(CALLED)}, with a version '
            "unless it is the installed one, e.g. openmpi-5.0"
        )
    if not dash:
        found = installed(family)
        if found is None:
            raise LapwingError(
                f"there is no {CALLED[family]} here that tells its version: name it, e.g. "
                f"{family}-{'.'.join(str(number) for number in _FIRST[family])}"
            )
        return _known(found)
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){0,3}", version):
        raise LapwingError(
            f'"{text}": {version or "nothing"} is no version; write e.g. {family}-5.0.7'
        )
    return _known(Library(family, tuple(int(number) for number in version.split("."))))


def installed(family: str) -> Library | None:
    """The library of `family` that is here, in its version; None if there is none that tells it."""
    for mpi in installed_mpis():
        if mpi.family == family:
            return Library(family, tuple(int(number) for number in mpi.version.split(".")))
    return None


def _known(library: Library) -> Library:
    first = _FIRST[library.family]
    if not library.may_be(*first):
        least = Library(library.family, first)
        raise LapwingError(f"{library}: files are written for {least} and later")
    return library
