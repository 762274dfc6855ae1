"""All rules, in turn."""

from .case import Case
from .finding import Finding
from .machine import busy, one_host, oversubscribed
from .progress import processor, progress, settings
from .wire import interface, mtu, shortcut, taking_turns


def findings(case: Case) -> list[Finding]:
    """What stands in the way, the worst first; advice that takes another launch is untried."""
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
