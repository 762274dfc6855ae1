"""Applying all rules to a case."""

from .case import Case
from .finding import Finding
from .hosts import busy, one_host, oversubscribed
from .progress import processor, progress, settings
from .wire import interface, mtu, shortcut, taking_turns


def findings(case: Case) -> list[Finding]:
    """All findings of a case, the worst first. Advice with a trial has not been tried yet."""
    found = [
        *oversubscribed(case),
        *progress(case),
        *processor(case),
        *settings(case),
        *taking_turns(case),
        *shortcut(case),
        *interface(case),
        *mtu(case),
        *one_host(case),
        *busy(case),
    ]
    order = ["broken", "help", "note"]
    return sorted(found, key=lambda finding: order.index(finding.severity))
