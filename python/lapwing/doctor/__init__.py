"""What stands in the way of overlap.

Rules are in `progress`, `wire` and `machine`, a function each, from a `Case` to its findings: from
measurements alone. Only `examine` launches anything.
"""

from .case import Case
from .finding import Advice, Finding, Outcome, Trial, failed, outcome, settled
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
    "failed",
    "findings",
    "outcome",
    "settled",
    "verdict",
]
