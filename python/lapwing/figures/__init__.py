"""Figures of results, in the order in which a page shows them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..results.documents import Result, naming_files
from . import applications, measurements, predictions, profile, timeline, workloads
from .figure import Figure

__all__ = ["Figure", "figures"]

# Messages of a plan that a figure can show apart.
_LEGIBLE = 40

_ORDER = ("machine", "prediction", "loss", "hidden", "application", "timeline")


def figures(results: list[Result]) -> list[Figure]:
    """All figures of the results. Results that are compared share a figure.

    Raises LapwingError with the file whose content cannot be drawn.
    """
    found = [each for result in results for each in _alone(result)]
    for kind, together in (("sweep", workloads.figures), ("ft", applications.nas_ft_times)):
        of_kind = [result for result in results if result.kind == kind]
        if of_kind:
            with naming_files(*of_kind):
                found += together([(result.label, result.document) for result in of_kind])
    found += _plan_timeline(results)
    found.sort(key=lambda figure: _ORDER.index(figure.section))
    return _named(found)


def _observed(document: dict[str, Any], label: str) -> list[Figure]:
    return [
        *applications.observed_exchanges(document, label),
        *timeline.observed_timeline(document, label),
    ]


_ALONE = {
    "profile": profile.figures,
    "predict": predictions.prediction_curves,
    "measurements": measurements.figures,
    "validate": predictions.validation_errors,
    "compress-sweep": applications.compression,
    "fft": applications.transform_times,
    "observe": _observed,
    "doctor": applications.overlap_shares,
    "tune": applications.tuning_gains,
    "trace": timeline.figures,
}


def _alone(result: Result) -> list[Figure]:
    if result.kind not in _ALONE:
        return []
    with naming_files(result):
        return _ALONE[result.kind](result.document, result.label)


def _plan_timeline(results: list[Result]) -> list[Figure]:
    """The time line of one plan on the profile of its machine.

    It is a plan document if there is one, else the plan of a sweep, and the one with the number of
    messages nearest to what a figure can show apart.
    """
    from .._core import Profile

    for result, plan in sorted(_plans(results), key=_first):
        profile = _profile_for(result, results)
        if profile is None:
            continue
        with naming_files(profile):
            read = Profile.from_json(json.dumps(profile.document))
        with naming_files(result):
            if made := timeline.plan_timeline(read, plan, result.label):
                return made
    return []


def _plans(results: list[Result]) -> Iterator[tuple[Result, dict[str, Any]]]:
    for result in results:
        if result.kind == "plan":
            yield result, result.document
        elif result.kind == "sweep" and "plan" in result.document:
            yield result, result.document["plan"]


def _first(planned: tuple[Result, dict[str, Any]]) -> tuple[bool, int]:
    result, plan = planned
    with naming_files(result):
        return result.kind != "plan", abs(int(plan["count"]) - _LEGIBLE)


def _profile_for(result: Result, results: list[Result]) -> Result | None:
    """The profile whose label begins as the result's, or the only profile."""
    profiles = [each for each in results if each.kind == "profile"]
    place = result.label.partition(".")[0]
    same = [each for each in profiles if each.label.partition(".")[0] == place]
    return same[0] if same else profiles[0] if len(profiles) == 1 else None


def _named(found: list[Figure]) -> list[Figure]:
    """The figures with unique names of letters, digits and dashes."""
    taken: set[str] = set()
    named: list[Any] = []
    for figure in found:
        plain = re.sub(r"[^a-z0-9]+", "-", figure.name.lower()).strip("-") or "figure"
        name, number = plain, 2
        while name in taken:
            name, number = f"{plain}-{number}", number + 1
        taken.add(name)
        named.append(replace(figure, name=name))
    return named
