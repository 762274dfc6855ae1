"""Examining a target: measure what overlaps, judge it, and try settings that may help."""

from dataclasses import asdict, replace
from typing import Any

from ..errors import LapwingError, RunFailed
from ..launch import Launch
from ..measure.overlap import measure_overlap
from .case import Case
from .finding import Finding, Outcome, Trial, failed_outcome, outcome, with_outcomes
from .findings import findings
from .row import BROKEN, FINE, HELPED, JUDGED_FROM, TURNS, verdict

_MEASURING = 0.75  # share of the progress; the rest is for trials
_TRIAL_SECONDS = 3.0  # of measurements in a trial, about
_TRIAL_TIMEOUT = 20.0  # seconds; a setting can make a program hang


def examine(launch: Launch) -> dict[str, Any]:
    """The document of `lapwing doctor`: the measurements of a target, findings and verdict."""
    measured = measure_overlap(launch.part(0, _MEASURING))
    rate = launch.target.rate
    case = Case.of(measured, rate)
    if not case.judged:
        raise LapwingError(f"{launch.target.text}: no message was measured that could be judged")
    found = findings(case)
    trials = [
        (finding, place, advice.trial)
        for finding in found
        for place, advice in enumerate(finding.advice)
        if advice.trial is not None
    ]
    outcomes: dict[str, dict[int, Outcome]] = {finding.name: {} for finding in found}
    for number, (finding, place, trial) in enumerate(trials):
        first, step = _MEASURING, (1 - _MEASURING) / len(trials)
        part = launch.part(first + number * step, first + (number + 1) * step)
        outcomes[finding.name][place] = _try(part, trial)
    return {
        "lapwing": "doctor",
        "target": launch.target.text,
        "verdict": verdict(case.judged),
        "thresholds": {
            "broken": BROKEN,
            "fine": FINE,
            "from": JUDGED_FROM,
            "helped": HELPED,
            "turns": TURNS,
        },
        "findings": [
            _document(with_outcomes(finding, outcomes[finding.name])) for finding in found
        ],
        "measured": measured,
    }


def _try(launch: Launch, trial: Trial) -> Outcome:
    """The outcome of one more launch with the setting of a trial."""
    settings = {**(launch.settings or {}), **trial.environment}
    launch = replace(launch, settings=settings, timeout=_TRIAL_TIMEOUT)
    try:
        measured = measure_overlap(
            launch, transports=[trial.transport], sizes=[trial.size], seconds=_TRIAL_SECONDS
        )
    except RunFailed as error:
        return failed_outcome(trial, str(error))
    return outcome(trial, measured["measurements"], measured["both_ways"])


def _document(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "severity": finding.severity,
        "what": finding.what,
        "evidence": finding.evidence,
        "advice": [
            {
                "do": advice.do,
                "recommended": advice.recommended,
                "setting": advice.trial.environment if advice.trial else None,
                "tried": asdict(advice.tried) if advice.tried else None,
            }
            for advice in finding.advice
        ],
    }
