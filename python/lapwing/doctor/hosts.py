"""Rules about hosts and processors: too many ranks, one host, other load."""

from ..units import show_share
from .case import Case, hosts
from .finding import Advice, Finding
from .row import FINE, USES, best

UNSURE = 0.25  # a larger error of a share means that the machine was disturbed
DISTURBED = 0.1  # so does a larger share of dropped samples


def oversubscribed(case: Case) -> list[Finding]:
    """More ranks than processors."""
    found = []
    for host, (ranks, processors) in hosts(case.places).items():
        if not processors or ranks <= len(processors):
            continue
        word = "processor" if len(processors) == 1 else "processors"
        share = f"{ranks} ranks share {len(processors)} {word}"
        found.append(
            Finding(
                "oversubscribed",
                "help",
                f"There are more ranks on {host} than processors: while one computes, another that "
                "should move its bytes waits for a turn.",
                f"{share}.",
                [
                    Advice(
                        f"Start at most {len(processors)} there, or give them more processors "
                        "(binding, --launch)."
                    )
                ],
            )
        )
    return found


def one_host(case: Case) -> list[Finding]:
    """Ranks on one host, so that nothing went over a network."""
    if not case.one_host or any(row[best(row)]["hidden"] < FINE for row in case.judged):
        return []
    return [
        Finding(
            "one-host",
            "note",
            "Both ranks are on one host: this says nothing about a network.",
            f"Both are on {case.places[0]['host']}.",
            [Advice("To see your network, put one rank on each of two hosts.")],
        )
    ]


def busy(case: Case) -> list[Finding]:
    """Measurements that other load disturbed."""
    errors = [row[use]["error"] for row in case.judged for use in USES]
    unsure = sum(error > UNSURE for error in errors)
    if not unsure and case.dropped <= DISTURBED:
        return []
    evidence = []
    if unsure:
        evidence.append(
            f"{unsure} of {len(errors)} shares are known no better than {show_share(UNSURE)} of "
            "the communication"
        )
    if case.dropped > DISTURBED:
        evidence.append(f"{show_share(case.dropped)} of the samples stood far outside the others")
    return [
        Finding(
            "busy",
            "note",
            "The machine was disturbed while it was measured: do not trust this too far.",
            "; ".join(evidence) + ".",
            [Advice("Run this again when nothing else runs there.")],
        )
    ]
