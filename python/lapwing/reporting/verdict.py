"""The verdict of a report: about three sentences, and what to do."""

from dataclasses import dataclass

from .finding import Finding

_MOST_SENTENCES = 3
_MOST_TASKS = 3

# What to do with a machine that was measured, and nothing else.
_NEXT = "Time a workload on it: lapwing sweep says whether overlap pays there."


@dataclass(frozen=True)
class Verdict:
    """What the results amount to. sentences: the answer first.  todo: what to do, never empty."""

    sentences: list[str]
    todo: list[str]


def verdict(found: list[Finding]) -> Verdict:
    """The verdict of findings, which come with the most telling first.

    Each subject has a sentence, then comes what calls for a change, then what a machine is like.
    """
    firsts = {finding.subject: finding for finding in reversed(found)}.values()

    def rank(finding: Finding) -> int:
        if any(finding is first for first in firsts) and finding.subject != "profile":
            return 0
        return 1 if finding.todo else 2

    sentences = [finding.found for finding in sorted(found, key=rank)]
    todo = list(dict.fromkeys(finding.todo for finding in found if finding.todo))
    if {finding.subject for finding in found} == {"profile"}:
        todo.append(_NEXT)
    return Verdict(
        sentences[:_MOST_SENTENCES] or ["These results have nothing to judge."],
        todo[:_MOST_TASKS] or ["Nothing: no result here calls for a change."],
    )
