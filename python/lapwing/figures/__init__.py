"""Figures of results, each a Vega-Lite specification: what a report, `lapwing plot` and notebooks
draw.

`figures(results)` makes all of them. A function of a module here makes one family from documents,
such as `workloads.hidden([("", sweep)])`, and needs no library to draw.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..results.comparison import changes
from ..results.documents import Result, naming_files
from . import (
    applications,
    comparison,
    installations,
    measurements,
    predictions,
    profile,
    timeline,
    workloads,
)
from .spec import Spec, choices, rows_of, title_of, titled

__all__ = ["Spec", "choices", "figures", "rows_of", "title_of", "titled"]

# Messages of a plan that a figure can show apart.
_LEGIBLE = 40

_ORDER = ("comparison", "hidden", "loss", "application", "prediction", "machine", "timeline")

_TOGETHER: dict[str, Callable[[list[tuple[str, dict[str, Any]]]], list[Spec]]] = {
    "sweep": workloads.figures,
    "doctor": installations.overlap_shares,
    "observe": applications.observed_exchanges,
    "compress-sweep": applications.compression,
    "ft": applications.nas_ft_times,
    "fft": applications.transform_times,
    "predict": predictions.prediction_curves,
    "validate": predictions.validation,
    "measurements": measurements.figures,
    "tune": installations.tuning_gains,
    "profile": profile.figures,
}
_ALONE = {"observe": timeline.observed, "trace": timeline.traced}


def figures(results: list[Result]) -> list[Spec]:
    """All figures of the results. Results of one kind share a figure.

    Raises LapwingError with the file whose content cannot be drawn.
    """
    found = comparison.compared(changes(results))
    for kind, together in _TOGETHER.items():
        of_kind = [result for result in results if result.kind == kind]
        if of_kind:
            with naming_files(*of_kind):
                found += together([(result.label, result.document) for result in of_kind])
    for result in results:
        if result.kind in _ALONE:
            with naming_files(result):
                found += _ALONE[result.kind](result.label, result.document)
    found += _plan_timeline(results)
    found.sort(key=lambda spec: _ORDER.index(spec["usermeta"]["section"]))
    return _named(found)


def _plan_timeline(results: list[Result]) -> list[Spec]:
    """The time line of one plan on the profile of its machine.

    It is a plan document if there is one, else the plan of a sweep. Of several, it is the one whose
    number of messages is nearest to what a figure can show apart.
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


def _named(found: list[Spec]) -> list[Spec]:
    """The figures with unique names of letters, digits and dashes."""
    taken: set[str] = set()
    for spec in found:
        plain = re.sub(r"[^a-z0-9]+", "-", spec["name"].lower()).strip("-") or "figure"
        name, number = plain, 2
        while name in taken:
            name, number = f"{plain}-{number}", number + 1
        taken.add(name)
        spec["name"] = name
    return found
