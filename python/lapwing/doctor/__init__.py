"""Diagnosing an installation: what stands in the way of overlap, and what helps.

The rules are functions from a `Case` to its findings, in `progress`, `wire` and `machine`. They use
measurements alone; only `examine` launches anything.
"""

from .case import Case
from .finding import Advice, Finding, Outcome, Trial, failed_outcome, outcome, with_outcomes
from .findings import findings
from .row import BROKEN, FINE, HELPED, JUDGED_FROM, USES, verdict

__all__ = [
    "BROKEN",
    "FINE",
    "HELPED",
    "JUDGED_FROM",
    "USES",
    "Advice",
    "Case",
    "Finding",
    "Outcome",
    "Trial",
    "failed_outcome",
    "findings",
    "outcome",
    "verdict",
    "with_outcomes",
]
