"""Findings: what stands in the way of overlap, advice, and the trials of advice."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from .row import HELPED, Row, bandwidth, helped

Severity = Literal["broken", "help", "note"]
Quantity = Literal["hidden", "bandwidth", "slowdown"]


@dataclass(frozen=True)
class Outcome:
    """The result of a trial: a quantity before and after an advice was followed.

    quantity: "hidden", a share of the communication; "bandwidth", bytes per second; "slowdown", the
    time of both ways at once over the time of one way.  after: None if the trial failed; `reason`
    says why.
    """

    quantity: Quantity
    before: float
    after: float | None
    helped: bool
    reason: str = ""


@dataclass(frozen=True)
class Trial:
    """A launch that shows whether a setting helps.

    environment: variables to set; a value of None unsets the variable.  transport, side, size: of
    the measurements to compare.  quantity, before: what is compared, and its value without the
    setting.
    """

    environment: dict[str, str | None]
    transport: str
    side: str
    size: int
    quantity: Quantity
    before: float
    limit: float = math.inf  # bytes per second; a larger bandwidth is impossible
    in_flight: int = 1  # messages each way, for a slowdown


@dataclass(frozen=True)
class Advice:
    """do: the advice in words.  tried: the outcome of a trial.  trial: how to try it."""

    do: str
    tried: Outcome | None = None
    trial: Trial | None = None

    @property
    def recommended(self) -> bool:
        """False if the advice was tried and did not help."""
        return self.tried is None or self.tried.helped


@dataclass(frozen=True)
class Finding:
    """name: of the rule.  what: stands in the way of overlap.  evidence: shows it."""

    name: str
    severity: Severity
    what: str
    evidence: str
    advice: list[Advice] = field(default_factory=list)


def outcome(trial: Trial, rows: Sequence[Row], both_ways: Sequence[Row] = ()) -> Outcome:
    """The outcome of a trial. rows, both_ways: the measurements with its setting."""
    if trial.quantity == "slowdown":
        slowed = [row["slowdown"] for row in both_ways if same_exchange(row, trial)]
        if not slowed:
            return failed_outcome(trial, "nothing comparable was measured")
        return slowdown_outcome(trial.before, max(slowed))
    matching = [
        row
        for row in rows
        if (row["transport"], row["computes"], row["size"])
        == (trial.transport, trial.side, trial.size)
    ]
    if not matching:
        return failed_outcome(trial, "nothing comparable was measured")
    if trial.quantity == "hidden":
        after = max(row["unattended"]["hidden"] for row in matching)
        return Outcome("hidden", trial.before, after, helped(trial.before, after))
    after = max(map(bandwidth, matching))
    if math.isfinite(trial.limit):  # the bandwidth was too large to be of the wire
        return Outcome("bandwidth", trial.before, after, after <= trial.limit)
    return Outcome("bandwidth", trial.before, after, after > (1 + HELPED) * trial.before)


def same_exchange(row: Row, trial: Trial) -> bool:
    return bool((row["size"], row["in_flight"]) == (trial.size, trial.in_flight))


def slowdown_outcome(before: float, after: float) -> Outcome:
    """The outcome of a slowdown. A setting helps if it saves a tenth of one way's time."""
    return Outcome("slowdown", before, after, after <= before - HELPED)


def failed_outcome(trial: Trial, reason: str) -> Outcome:
    """The outcome of a trial that did not run to its end."""
    return Outcome(trial.quantity, trial.before, None, False, reason)


def with_outcomes(finding: Finding, outcomes: dict[int, Outcome]) -> Finding:
    """The finding with the outcomes of its trials, by the index of the advice."""
    advice = [
        replace(advice, tried=outcomes.get(place, advice.tried))
        for place, advice in enumerate(finding.advice)
    ]
    return replace(finding, advice=advice)


def hidden_trial(row: Row, setting: dict[str, str | None], side: str | None = None) -> Trial:
    """A trial whether a setting hides more of a row. side: that computes; None, the row's."""
    before = row["unattended"]["hidden"]
    return Trial(setting, row["transport"], side or row["computes"], row["size"], "hidden", before)


def slowdown_trial(row: Row, setting: dict[str, str | None]) -> Trial:
    """A trial whether both ways at once are faster with a setting."""
    size, in_flight, before = row["size"], row["in_flight"], row["slowdown"]
    return Trial(setting, "two-sided", "", size, "slowdown", before, in_flight=in_flight)
