"""Loading a profile from a file, or that of a published machine by its name."""

import os
from pathlib import Path

from .. import machines
from .._core import Profile
from ..errors import LapwingError, did_you_mean


def load_profile(path: str | os.PathLike[str]) -> Profile:
    """Load the profile that `lapwing calibrate` wrote to the file `path`.

    A plain name that is no file, such as "ranger", loads the profile of that published machine.
    Raises LapwingError; its one line names the file and what is wrong with it.
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
    """The file: `path` itself, or that of a published machine."""
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
