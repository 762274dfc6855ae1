"""How well a saving is known: by the profile's errors, and by how a program's exchanges vary."""

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from .._core import Profile

# Standard errors on either side of a mean: 19 of 20 lie within.
_STANDARD_ERRORS = 2


@dataclass(frozen=True)
class Saving:
    """Seconds that overlap saves, and the range that they lie in; low <= seconds <= high."""

    seconds: float
    low: float
    high: float

    def at_most(self, limit: float) -> "Saving":
        """The same, no more than `limit` seconds."""
        return Saving(*(min(each, limit) for each in (self.seconds, self.low, self.high)))

    def times(self, factor: float) -> "Saving":
        """The same, so many times as much."""
        return Saving(*(each * factor for each in (self.seconds, self.low, self.high)))

    def within(self, error: float) -> "Saving":
        """The same, known up to `error` seconds less than before."""
        return Saving(self.seconds, max(0.0, self.low - error), self.high + error)

    def document(self) -> dict[str, float]:
        """The saving, for a document."""
        return asdict(self)


NOTHING = Saving(0.0, 0.0, 0.0)


def saving(cost: float, cost_error: float, exposed: float, exposed_error: float) -> Saving:
    """What is saved where an exchange of `cost` seconds leaves `exposed` seconds when overlapped.

    cost_error, exposed_error: seconds by which they may be wrong.
    """
    error = cost_error + exposed_error
    saved = max(0.0, cost - exposed)
    return Saving(saved, max(0.0, saved - error), saved + error)


def mean_error(exchange: dict[str, Any]) -> float:
    """Seconds by which the time of an exchange in its calls may be wrong, as it varies."""
    varies: float = exchange["deviation"]["seconds"]
    return _STANDARD_ERRORS * varies / math.sqrt(max(1.0, exchange["count"]))


def relative_error(profile: Profile, volume: int, messages: float) -> float:
    """Relative error of the predicted time of `volume` bytes in so many messages.

    Each LogGP parameter counts by its share of L + messages (o_s + o_r) + volume G. Where the
    profile says how measured times of collectives differ from predicted ones, the larger counts.
    """
    document = json.loads(profile.to_json())
    costs, errors = document["loggp"], document["error"]
    terms = {
        "L": costs["L"],
        "o_s": messages * costs["o_s"],
        "o_r": messages * costs["o_r"],
        "G": volume * costs["G"],
    }
    total = sum(terms.values())
    found = (
        sum(term * errors.get(name, 0.0) for name, term in terms.items()) / total if total else 0
    )
    of_collectives = document.get("collectives") or {}
    low, high = of_collectives.get("low", 1.0), of_collectives.get("high", 1.0)
    return float(max(found, high - 1, 1 - low))
