"""What stands in the way, what to do about it, and how that is tried."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from .row import HELPED, Row, bandwidth, helped

Severity = Literal["broken", "help", "note"]
Quantity = Literal["hidden", "bandwidth", "slowdown"]


@dataclass(frozen=True)
class Outcome:
    """An advice with and without: a share hidden ("hidden"), bytes per second ("bandwidth"), or how
    many times as long both ways at once take as one ("slowdown").

    after is None where the trial failed; `reason` then says why.
    """

    quantity: Quantity
    before: float
    after: float | None
    helped: bool
    reason: str = ""


@dataclass(frozen=True)
class Trial:
    """A launch that would show whether a setting helps.

    side, transport, size: of the rows to compare.  environment: what to set; None, to unset.
    """

    environment: dict[str, str | None]
    transport: str
    side: str
    size: int
    quantity: Quantity
    before: float
    limit: float = math.inf  # a bandwidth above this is impossible
    in_flight: int = 1  # messages each way, of a slowdown


@dataclass(frozen=True)
class Advice:
    """do: in words.  tried: what it brought, if it was.  trial: how to try it, if it can be."""

    do: str
    tried: Outcome | None = None
    trial: Trial | None = None

    @property
    def recommended(self) -> bool:
        """Not where it was tried and did not help."""
        return self.tried is None or self.tried.helped


@dataclass(frozen=True)
class Finding:
    """name: of the rule.  what: stands in the way.  evidence: how one sees it."""

    name: str
    severity: Severity
    what: str
    evidence: str
    advice: list[Advice] = field(default_factory=list)


def outcome(trial: Trial, rows: Sequence[Row], both_ways: Sequence[Row] = ()) -> Outcome:
    """What a trial brought; rows, both_ways: measured with its setting."""
    if trial.quantity == "slowdown":
        slowed = [row["slowdown"] for row in both_ways if same_exchange(row, trial)]
        if not slowed:
            return failed(trial, "nothing comparable was measured")
        return sped_up(trial.before, max(slowed))
    matching = [
        row
        for row in rows
        if (row["transport"], row["computes"], row["size"])
        == (trial.transport, trial.side, trial.size)
    ]
    if not matching:
        return failed(trial, "nothing comparable was measured")
    if trial.quantity == "hidden":
        after = max(row["unattended"]["hidden"] for row in matching)
        return Outcome("hidden", trial.before, after, helped(trial.before, after))
    after = max(map(bandwidth, matching))
    if math.isfinite(trial.limit):  # too fast before
        return Outcome("bandwidth", trial.before, after, after <= trial.limit)
    return Outcome("bandwidth", trial.before, after, after > (1 + HELPED) * trial.before)


def same_exchange(row: Row, trial: Trial) -> bool:
    return bool((row["size"], row["in_flight"]) == (trial.size, trial.in_flight))


def sped_up(before: float, after: float) -> Outcome:
    """Of a slowdown; it helped where it won a tenth of one way's time or more."""
    return Outcome("slowdown", before, after, after <= before - HELPED)


def failed(trial: Trial, reason: str) -> Outcome:
    """A trial that did not run to its end."""
    return Outcome(trial.quantity, trial.before, None, False, reason)


def settled(finding: Finding, outcomes: dict[int, Outcome]) -> Finding:
    """The finding with what its trials brought, by the place of the advice."""
    advice = [
        replace(advice, tried=outcomes.get(place, advice.tried))
        for place, advice in enumerate(finding.advice)
    ]
    return replace(finding, advice=advice)


def hidden_trial(row: Row, setting: dict[str, str | None], side: str | None = None) -> Trial:
    """Whether more of a row is hidden with a setting; side: that computes, if not the row's."""
    before = row["unattended"]["hidden"]
    return Trial(setting, row["transport"], side or row["computes"], row["size"], "hidden", before)


def slowdown_trial(row: Row, setting: dict[str, str | None]) -> Trial:
    """Whether both ways at once take less of one way's time with a setting."""
    size, in_flight, before = row["size"], row["in_flight"], row["slowdown"]
    return Trial(setting, "two-sided", "", size, "slowdown", before, in_flight=in_flight)
