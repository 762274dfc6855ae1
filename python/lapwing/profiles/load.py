"""Reading a profile out of a file, or that of a published machine by its name."""

import os
from pathlib import Path

from .. import machines
from .._core import Profile
from ..errors import LapwingError, did_you_mean


def load_profile(path: str | os.PathLike[str]) -> Profile:
    """The profile in the file at `path`, as `lapwing calibrate` wrote it.

    A plain name that is no file, say "ranger", is that of a published machine. A LapwingError says
    in one line which file, and what is wrong with it.
    """
    try:
        document = _file(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        raise LapwingError(f"{os.fspath(path)}: cannot read the profile: {reason}") from None
    try:
        return Profile.from_json(document.decode("utf-8", "replace"))
    except ValueError as error:
        raise LapwingError(f"{os.fspath(path)}: {error}") from None


def _file(path: str | os.PathLike[str]) -> Path:
    """Where a profile is: a file, or a machine that comes with Lapwing."""
    file, name = Path(path), os.fspath(path)
    if not name or os.sep in name or name.endswith(".json") or os.path.lexists(file):
        return file
    machine = machines.find(name)
    if machine is None:
        known = machines.names()
        raise LapwingError(
            f"{name}: no such file, and no machine of that name{did_you_mean(name, known)}: "
            f"there are {', '.join(known)}"
        )
    return machine
