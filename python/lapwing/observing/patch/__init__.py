"""Skeletons in C++ that overlap the exchanges of an observed program."""

from .patch import Patch, make_patch

__all__ = ["Patch", "make_patch"]
