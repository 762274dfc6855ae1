"""Figures of results, in the order in which a page shows them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..results.documents import Result, whole
from . import applications, machine, predictions, timeline, workloads
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
    for kind, together in (("sweep", workloads.figures), ("ft", applications.transforms)):
        of_kind = [result for result in results if result.kind == kind]
        if of_kind:
            with whole(*of_kind):
                found += together([(result.label, result.document) for result in of_kind])
    found += _played(results)
    found.sort(key=lambda figure: _ORDER.index(figure.section))
    return _named(found)


_ALONE = {
    "profile": machine.figures,
    "predict": predictions.predicted,
    "validate": predictions.validated,
    "compress-sweep": applications.compression,
    "fft": applications.transform_times,
    "observe": applications.observed,
    "doctor": applications.overlaps,
    "tune": applications.tuned,
    "trace": timeline.figures,
}


def _alone(result: Result) -> list[Figure]:
    if result.kind not in _ALONE:
        return []
    with whole(result):
        return _ALONE[result.kind](result.document, result.label)


def _played(results: list[Result]) -> list[Figure]:
    """The time line of one plan on the profile of its machine.

    It is a plan document if there is one, else the plan of a sweep, and the one with the number of
    messages nearest to what a figure can show apart.
    """
    from .._core import Profile

    for result, plan in sorted(_plans(results), key=_first):
        profile = _profile_for(result, results)
        if profile is None:
            continue
        with whole(profile):
            read = Profile.from_json(json.dumps(profile.document))
        with whole(result):
            if made := timeline.played(read, plan, result.label):
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
    with whole(result):
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
