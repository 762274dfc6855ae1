"""One profile out of several launches of the same calibration.

A launch is fast or slow as a whole, because pages, ports and interrupts are placed once for
everything that it measures. Samples within one launch cannot tell by how much; other launches can.
"""

import json
import statistics
from collections.abc import Sequence
from typing import Any

from .. import _core
from ..schema import schema

# Parts of a calibration that measure the entry of the same name; "loggp" measures all others.
_PARTS = ("latency", "plogp", "log3p", "protocol", "operations", "kernels", "collectives")
# The axes of tables. Where these differ, the same place in a table means something else.
_AXES = (
    "sizes",
    "bursts",
    "strides",
    "element",
    "processes",
    "switches",
    "name",
    "pattern",
    "traffic",
    "computation",
)


def median_of_launches(documents: Sequence[str]) -> str:
    """The profile document whose costs are, each, the median of those of `documents`.

    documents: profiles of one target, calibrated in the same way. A size that a table has and those
    of other launches do not is as much slower or faster there as the sizes beside it. Entries that
    are no costs, or that some launches lack, come from the launch with the median of the shortest
    message. Launches whose best environment is worse than that of others do not count;
    `machine.launches` says how many do. Nor does a launch count for a part that it measured in a
    worse environment than others. Warnings are united.
    """
    if len(documents) == 1:
        return documents[0]
    launches: list[dict[str, Any]] = [json.loads(one) for one in documents]
    profiles = sorted(_in_best_environment(launches, None), key=_shortest_message)
    middle = _middle(profiles)
    forms = schema("profile")["properties"]
    result = {
        **{name: _typical_entry(name, profiles, forms.get(name, {})) for name in middle},
        "machine": {**middle["machine"], "launches": str(len(profiles))},
        "warnings": list(dict.fromkeys(line for one in profiles for line in one["warnings"])),
    }
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def _in_best_environment(
    profiles: Sequence[dict[str, Any]], part: str | None
) -> Sequence[dict[str, Any]]:
    """The profiles whose environment is comparable with the best of all, or the nearest to it.

    part: of the calibration, whose environment counts; None: the best that a profile met.
    """
    environments = [
        _core.best_environment([*p.get("environment", {}).values()])
        if part is None
        else p.get("environment", {}).get(part, {})
        for p in profiles
    ]
    counts = _core.near_best_environment(environments, 1)
    return [p for p, each in zip(profiles, counts, strict=True) if each]


def _middle(profiles: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return profiles[(len(profiles) - 1) // 2]


def _typical_entry(name: str, profiles: Sequence[dict[str, Any]], form: dict[str, Any]) -> Any:
    """An entry of the profile, by those that measured it in the best environment.

    form: what the schema says of it.
    """
    if name == "environment":
        having = [p for p in profiles if name in p]
        parts: dict[str, None] = dict.fromkeys(part for p in having for part in p[name])
        return {
            part: _median(known[0], known, form["additionalProperties"])
            for part in parts
            if (
                known := [
                    p[name][part] for p in _in_best_environment(having, part) if part in p[name]
                ]
            )
        }
    among = _in_best_environment(profiles, name if name in _PARTS else "loggp")
    known = [p[name] for p in among if name in p]
    if len(known) == len(among):
        return _median(_middle(among)[name], known, form)
    return _middle(among).get(name, _middle(profiles).get(name))


def _shortest_message(profile: dict[str, Any]) -> float:
    """Seconds of a message of next to nothing."""
    costs = profile["loggp"]
    return float(costs["o_s"] + costs["L"] + costs["o_r"])


def _median(base: Any, others: Sequence[Any], form: dict[str, Any]) -> Any:
    """The medians of the numbers that `others` have in the places of `base`. Where one of them has
    none, the number is that of `base`. form: what the schema says of it."""
    if isinstance(base, float):
        return statistics.median(others) if _all(others, float) else base
    if isinstance(base, dict) and _all(others, dict):
        forms = form.get("properties", {})
        differing = {
            axis for axis in _AXES if any(other.get(axis) != base.get(axis) for other in others)
        }
        if differing == {"sizes"}:
            return {
                name: _along_sizes(name, base, others)
                if forms.get(name, {}).get("axes", [""])[0] == "sizes"
                else value
                for name, value in base.items()
            }
        if differing:
            return base
        return {
            name: _median(value, [other[name] for other in others], forms.get(name, {}))
            if all(name in other for other in others)
            else value
            for name, value in base.items()
        }
    if isinstance(base, list) and _all(others, list):
        if any(len(other) != len(base) for other in others):
            return base
        items = form.get("items", {})
        return [
            _median(value, [other[place] for other in others], items)
            for place, value in enumerate(base)
        ]
    return base


def _along_sizes(name: str, base: dict[str, Any], others: Sequence[dict[str, Any]]) -> Any:
    """A column of a table whose sizes are not the same everywhere."""
    rows = [dict(zip(other["sizes"], other[name], strict=True)) for other in others]
    column = [
        _median(value, [each[size] for each in rows], {})
        if all(size in each for each in rows)
        else None
        for size, value in zip(base["sizes"], base[name], strict=True)
    ]
    known = [place for place, value in enumerate(column) if value is not None]
    for place, value in enumerate(base[name]):
        if column[place] is None:
            beside = [*[k for k in known if k < place][-1:], *[k for k in known if k > place][:1]]
            column[place] = _scaled(value, [(base[name][k], column[k]) for k in beside])
    return column


def _scaled(value: Any, changes: Sequence[tuple[Any, Any]]) -> Any:
    """`value` times the mean of what others became over what they were."""
    if isinstance(value, list):
        return [
            _scaled(each, [(was[place], became[place]) for was, became in changes])
            for place, each in enumerate(value)
        ]
    factors = [became / was for was, became in changes if was]
    return value * statistics.mean(factors) if factors else value


def _all(values: Sequence[Any], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)
