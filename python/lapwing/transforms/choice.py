"""Predicting transforms: the fastest way to run one, and the seconds of any way."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from .. import _core
from .._core import Profile
from ..errors import LapwingError
from .ways import Problem, Way


@dataclass(frozen=True)
class Chosen:
    """The way that is predicted to be fastest.

    seconds, lines: predicted time, and the part of it that transforms lines.  runner_up: the
    fastest way of another schedule, with its seconds; None if there is none.  exchange: seconds of
    the blocking way, None if it was not predicted.  packings: the blocking way over an all-to-all
    by each packing, with its seconds, log_3P's choice first; empty if the profile has no log_3P
    tables.  by_loggp: the packing that LogGP chooses.
    """

    way: Way
    seconds: float
    lines: float
    runner_up: tuple[Way, float] | None
    exchange: float | None
    packings: list[tuple[Way, float]]
    by_loggp: str

    def document(self) -> dict[str, Any]:
        """The choice as it stands in result documents."""
        made: dict[str, Any] = {
            **asdict(self.way),
            "predicted": {"seconds": self.seconds},
            "lines": {"seconds": self.lines},
        }
        if self.runner_up is not None:
            made["runner_up"] = _predicted(*self.runner_up)
        if self.exchange is not None:
            made["exchange"] = {"seconds": self.exchange}
        if self.packings:
            made["packings"] = [_predicted(*each) for each in self.packings]
            made["packing_by"] = {"log_3P": self.packings[0][0].packing, "LogGP": self.by_loggp}
        return made


def _predicted(way: Way, seconds: float) -> dict[str, Any]:
    return {**asdict(way), "predicted": {"seconds": seconds}}


def choose(profile: Profile | None, problem: Problem, ranks: int, ppn: int = 1) -> Chosen:
    """The fastest way on `ranks` ranks, `ppn` on each node. Raises LapwingError."""
    if profile is None:
        raise LapwingError(
            "auto: it is chosen from the machine's profile; name one, from lapwing calibrate"
        )
    asked = {"ranks": ranks, "ranks_per_node": ppn, **asdict(problem)}
    try:
        all_ways = _core.transform_forecasts(profile, **asked)
        packings, by_loggp = _core.transform_packings(profile, **asked)
    except ValueError as error:
        raise LapwingError(f"auto: {error}") from None
    if not all_ways:
        raise LapwingError("auto: an array of this size is more messages than can be simulated")

    best = all_ways[0]
    others = [made for made in all_ways if made.schedule != best.schedule]
    blocking = [made.seconds for made in all_ways if made.schedule == "exchange"]
    return Chosen(
        _way(best),
        best.seconds,
        best.lines,
        (_way(others[0]), others[0].seconds) if others else None,
        min(blocking, default=None),
        [(_way(made), made.seconds) for made in packings] if len(packings) > 1 else [],
        by_loggp,
    )


def _way(made: _core.TransformForecast) -> Way:
    return Way(**{field.name: getattr(made, field.name) for field in fields(Way)})


def predicted_seconds(
    profile: Profile, problem: Problem, ranks: int, way: Way, ppn: int = 1
) -> float | None:
    """Predicted seconds of a transform; None if the profile or the engine cannot predict it."""
    try:
        made = _core.transform_forecast(
            profile, ranks=ranks, ranks_per_node=ppn, **asdict(problem), **asdict(way)
        )
    except ValueError:
        return None
    return made.seconds
