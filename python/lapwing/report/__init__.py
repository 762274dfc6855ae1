"""The report: results as one page, for which a browser is enough."""

from .page import page

__all__ = ["page"]
