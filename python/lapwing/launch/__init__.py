"""Running native programs where a target says: under MPI, simulated, or over a shaped link."""

from .launch import Launch, as_arguments
from .run import run
from .target import Target, parse, resized

__all__ = ["Launch", "Target", "as_arguments", "parse", "resized", "run"]
