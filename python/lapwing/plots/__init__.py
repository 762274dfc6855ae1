"""Figures as files, drawn by matplotlib."""

from .draw import draw

__all__ = ["draw"]
