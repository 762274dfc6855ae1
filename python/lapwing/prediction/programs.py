"""Programs for other machines: recordings, and message schedules."""

import os

from .. import _core
from .._core import Recording, Schedule
from ..errors import LapwingError
from .recordings import read_recording
from .schedules import read

Program = Recording | Schedule


def read_program(path: str | os.PathLike[str]) -> Program:
    """The recording, or the GOAL schedule, in a file; which of them it is, its content says.

    Raises LapwingError if it is neither.
    """
    try:
        schedule = _core.is_goal(os.fspath(path))
    except ValueError as error:
        raise LapwingError(str(error)) from None
    return read(path) if schedule else read_recording(path)
