"""The report: one page that shows results, and needs nothing but a browser."""

from .page import page

__all__ = ["page"]
