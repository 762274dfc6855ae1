"""The report: results as one page, for which a browser is enough."""

from .page import page
from .report import Report, report, report_of

__all__ = ["Report", "page", "report", "report_of"]
