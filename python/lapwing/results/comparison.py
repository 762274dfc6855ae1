"""Two runs compared: which of their times differ by more than the noise."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..units import show_size
from .documents import Result, naming_files

Document = dict[str, Any]
Times = dict[str, Document]

# A relative difference below this is nobody's concern, however exact the measurement.
_NOTHING = 0.005
# The relative error of a time whose error was not measured.
_UNKNOWN = 0.05


@dataclass(frozen=True)
class Change:
    """A time that two runs have.

    runs: their files.  what: was timed.  first, second: seconds.  error: of the relative change,
    two standard deviations.
    """

    runs: tuple[str, str]
    what: str
    first: float
    second: float
    error: float

    @property
    def change(self) -> float:
        """The relative change; above 0 the second run took longer."""
        return self.second / self.first - 1

    @property
    def significant(self) -> bool:
        """Whether the change is larger than its error."""
        return abs(self.change) > max(self.error, _NOTHING)

    @property
    def judgement(self) -> str:
        """`slower`, `faster`, or `within the noise`."""
        if not self.significant:
            return "within the noise"
        return "slower" if self.change > 0 else "faster"


def changes(results: list[Result]) -> list[Change]:
    """The times that two files have in common: of each, and the first one that shares some.

    Raises LapwingError.
    """
    runs: dict[str, Times] = {}
    for result in results:
        if result.kind in _TIMES:
            with naming_files(result):
                runs.setdefault(result.path, {}).update(_TIMES[result.kind](result.document))
    made: list[Change] = []
    for (first, a), (second, b) in combinations(runs.items(), 2):
        if not any(change.runs[1] == second for change in made):
            made += _common((first, second), a, b)
    return made


def _common(runs: tuple[str, str], a: Times, b: Times) -> Iterator[Change]:
    for what in (what for what in a if what in b):
        one, other = a[what], b[what]
        if one["seconds"] > 0 and other["seconds"] > 0:
            error = 2 * math.hypot(*(each.get("error", _UNKNOWN) for each in (one, other)))
            yield Change(runs, what, one["seconds"], other["seconds"], error)


def _sweep(sweep: Document) -> Times:
    name = (
        f"{sweep['pattern']} of {show_size(sweep['volume'])} ({sweep['direction']}), "
        f"{sweep['ranks']} ranks, ratio {sweep['ratio']:.2g}"
    )
    ways = {"blocking": "blocking", "best": "best equal messages", "plan": "plan"}
    return {f"{said}, {name}": sweep[way] for way, said in ways.items() if way in sweep}


def _validate(document: Document) -> Times:
    return {
        f"{each['operation']} {each['algorithm']}, {each['ranks']} ranks, "
        f"{show_size(each['size'])}": each["measured"]
        for each in document["results"]
    }


def _profile(profile: Document) -> Times:
    errors = profile.get("error", {})
    names = {"L": "latency L", "o_s": "overhead o_s", "o_r": "overhead o_r", "G": "time a byte G"}
    return {
        said: {"seconds": profile["loggp"][name], "error": errors.get(name, _UNKNOWN)}
        for name, said in names.items()
    }


def _ft(document: Document) -> Times:
    name = f"NAS FT class {document['class']}, {document['ranks']} ranks, {document['schedule']}"
    return {f"{name} over {document['transport']}": {"seconds": document["seconds"]}}


def _fft(document: Document) -> Times:
    size = " x ".join(map(str, document["size"]))
    return {
        f"{size} on {document['ranks']} ranks, {way['schedule']} over {way['transport']}": way[
            "time"
        ]
        for way in document["ways"]
    }


_TIMES: dict[str, Callable[[Document], Times]] = {
    "sweep": _sweep,
    "validate": _validate,
    "profile": _profile,
    "ft": _ft,
    "fft": _fft,
}
