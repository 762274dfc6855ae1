"""Running the native program where a target says: under MPI, simulated, or on a shaped link."""

from .run import run
from .target import Target, parse, resized

__all__ = ["Target", "parse", "resized", "run"]
