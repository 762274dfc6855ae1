"""One profile out of several launches of the same calibration.

A launch is fast or slow as a whole: pages, ports and interrupts fall where they fall, once for all
that it measures. No number of samples within it tells by how much; other launches do.
"""

import json
import statistics
from collections.abc import Sequence
from typing import Any

# What tables lie along: where it differs, so does what stands in the same place.
_AXES = ("sizes", "bursts", "strides", "element", "processes", "switches", "name", "pattern")


def typical(documents: Sequence[str]) -> str:
    """The profile document whose costs are, each, the median of those of `documents`.

    documents: profiles of one target, calibrated in the same way.  What was not measured at the
    same places in all of them, and what is no cost, is that of the one whose shortest message is
    the median.  Warnings are united; `machine.launches` says how many there were.
    """
    if len(documents) == 1:
        return documents[0]
    profiles = sorted(map(json.loads, documents), key=_shortest_message)
    middle = profiles[(len(profiles) - 1) // 2]
    result = {
        **_median(middle, profiles),
        "machine": {**middle["machine"], "launches": str(len(profiles))},
        "warnings": list(dict.fromkeys(line for one in profiles for line in one["warnings"])),
    }
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def _shortest_message(profile: dict[str, Any]) -> float:
    """Seconds of a message of next to nothing."""
    costs = profile["loggp"]
    return float(costs["o_s"] + costs["L"] + costs["o_r"])


def _median(base: Any, others: Sequence[Any]) -> Any:
    """The medians of the numbers that `others` have in the places of `base`; what they do not all
    have is as in `base`."""
    if isinstance(base, float):
        return statistics.median(others) if _all(others, float) else base
    if isinstance(base, dict) and _all(others, dict):
        if any(other.get(axis) != base.get(axis) for other in others for axis in _AXES):
            return base
        return {
            name: _median(value, [other[name] for other in others])
            if all(name in other for other in others)
            else value
            for name, value in base.items()
        }
    if isinstance(base, list) and _all(others, list):
        if any(len(other) != len(base) for other in others):
            return base
        return [
            _median(value, [other[place] for other in others]) for place, value in enumerate(base)
        ]
    return base


def _all(values: Sequence[Any], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)
