"""What overlapping the exchanges of an observed program would save, and how to do it."""

import json
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..planning.plan import plan
from ..prediction.grid import predict
from ..profiles.provenance import describes

# Bytes in which messages are cut, where nobody says what a step of the program makes.
_GRAIN = 8
# Exchanges that save less than this share of the run are not worth anybody's time.
WORTH = 0.01
# What waits so little, for the computation between, overlaps as it is.
_WAITS_LITTLE = 0.1

# What takes so many times what it is predicted to take is not the exchange: ranks wait for others.
_WAITS_FOR_OTHERS = 1.25

# Operations whose pattern the planner knows.
_PATTERNS = {"alltoall": "alltoall", "allreduce": "buckets"}
# Those that the planner can hide behind what makes the data and what uses it.
_TWO_WAY = ("alltoall", "halo")

# Where the computation is that could hide an exchange, in words.
SIDES = {"before": "before", "after": "after", "both": "on both sides of"}


def rank(observed: dict[str, Any], profile: Profile | None) -> list[dict[str, Any]]:
    """The exchanges of an observed program, those first that would save most.

    Each is what was observed with what to do: `pattern`, `volume` (bytes that a rank receives, or
    sends if it receives nothing), `verdict`, `saved` by one exchange and `saved_in_all` by those of
    a rank, seconds, and the `plan` with which. Without a profile the most that there is to save:
    what a rank waits, or computes beside it, whichever is less. With one, `copy`: seconds of
    copying what an all-to-all sends, which a program that packs it saves too.
    """
    # What a run waits is of the machine it ran on; what it computes it does on the profile's too.
    whole = observed["time" if profile is None else "computation"]["seconds"]
    target = observed["target"]
    there = profile is not None and target and describes(profile, target, observed["cluster"])
    ranked = [_judged(exchange, profile, bool(there), whole) for exchange in observed["exchanges"]]
    # Of those that save nothing, what takes longest first.
    return sorted(ranked, key=lambda e: (-e["saved_in_all"]["seconds"], -_spent(e) * e["count"]))


def _judged(
    exchange: dict[str, Any], profile: Profile | None, there: bool, whole: float
) -> dict[str, Any]:
    """`there`: it ran on the machine that the profile is of."""
    pattern, volume = _pattern(exchange), _volume(exchange)
    judged = {**exchange, "pattern": pattern, "volume": volume, "hidden_behind": None}
    made: dict[str, Any] | None = None
    cost: float | None = None
    saved = 0.0
    for side, direction in (("before", "produce"), ("after", "fetch"), ("both", "both")):
        compute = beside(exchange, side)
        if volume == 0 or compute == 0 or (side == "both" and pattern not in _TWO_WAY):
            continue
        if profile is None:
            this, tried = min(exchange["quickest_rank"]["seconds"], compute), None
        else:
            tried = _plan(exchange, profile, there, pattern, volume, compute, direction)
            this = tried["saved"]
            cost = tried["communication"]
        this = min(this, _left(exchange, cost))
        if this > saved:
            saved, made = this, tried
            judged["hidden_behind"] = side
    judged["communication"] = None if cost is None else {"seconds": cost}
    judged["copy"] = _copy(exchange, profile)
    judged["plan"] = made["plan"] if made else None
    judged["saved"] = {"seconds": saved}
    judged["saved_in_all"] = {"seconds": saved * exchange["count"]}
    judged["verdict"] = _verdict(judged, whole)
    return judged


def beside(exchange: dict[str, Any], side: str) -> float:
    """Seconds of computation that could hide an exchange; of both sides as much of either."""
    if side != "both":
        return float(exchange[side]["seconds"])
    return 2 * float(min(exchange["before"]["seconds"], exchange["after"]["seconds"]))


def _pattern(exchange: dict[str, Any]) -> str:
    """Its name as the planner has it, or else the operation's."""
    operation: str = exchange["operation"]
    if operation != "messages":
        return _PATTERNS.get(operation, operation)
    if exchange["sent"] and exchange["received"]:
        return "halo"
    return "multi" if exchange["peers"] > 1 else "stream"


def _volume(exchange: dict[str, Any]) -> int:
    """Bytes that a rank receives in an exchange."""
    bytes_of: float
    # A receive says for how much there is room; where ranks swap, what is sent says how much comes.
    if exchange["operation"] == "messages" and exchange["sent"]:
        bytes_of = exchange["sent"]
    elif exchange["operation"] in ("allreduce", "reduce", "bcast", "scan"):
        bytes_of = exchange["size"]
    else:
        bytes_of = max(exchange["received"], exchange["sent"])
    return round(bytes_of)


def _plan(
    exchange: dict[str, Any],
    profile: Profile,
    there: bool,
    pattern: str,
    volume: int,
    compute: float,
    direction: str,
) -> dict[str, Any]:
    """`saved`, seconds of one exchange, by which `plan`, and what `communication` costs now."""
    peers = max(1, exchange["peers"])
    workload: dict[str, Any] = {"pattern": pattern, "direction": direction}
    if pattern == "halo" or pattern == "multi":
        workload |= {"peers": peers}
    elif pattern in ("alltoall", "buckets"):
        workload |= {"ranks": exchange["communicator"]}
    elif pattern != "stream":
        return _non_blocking(exchange, profile, compute)
    if pattern == "buckets":
        workload["direction"] = "produce"
    try:
        made = plan(profile, volume=volume, compute=compute, grain=_GRAIN, **workload)
    except ValueError as error:
        raise LapwingError(f"planning a {pattern} of {volume} bytes: {error}") from None
    document = json.loads(made.to_json())
    best = document["predicted"]["seconds"]
    # A collective costs what its best algorithm does, not what messages by hand would.
    cost = document["blocking"]["seconds"] - compute
    if exchange["operation"] != "messages":
        cost = min(cost, _collective(exchange, profile))
    # Where it ran on this machine, what it takes is known, of the rank that nobody kept waiting.
    taken = float(exchange["quickest_rank"]["seconds"])
    if there and exchange["blocking"] and taken <= _WAITS_FOR_OTHERS * cost:
        cost = taken
    return {
        "saved": max(0.0, cost + compute - best),
        "communication": max(0.0, cost),
        "plan": document,
    }


def _collective(exchange: dict[str, Any], profile: Profile) -> float:
    """Seconds of a collective with its best algorithm."""
    operation = exchange["operation"]
    name = "allreduce" if operation == "scan" else operation
    size = max(1, round(exchange["size"]))
    costs = predict(profile, name, ranks=exchange["communicator"], sizes=size)
    return float(costs[0][0])


def _non_blocking(exchange: dict[str, Any], profile: Profile, compute: float) -> dict[str, Any]:
    """The same of a collective without a pattern: initiated early, waited for late."""
    cost = _collective(exchange, profile)
    return {"saved": min(cost, compute), "communication": cost, "plan": None}


def _copy(exchange: dict[str, Any], profile: Profile | None) -> dict[str, float] | None:
    """What an all-to-all sends, copied once."""
    if profile is None or exchange["operation"] != "alltoall":
        return None
    rate = (json.loads(profile.to_json()).get("kernels") or {}).get("copy")
    return {"seconds": exchange["size"] * exchange["communicator"] / rate} if rate else None


def _left(exchange: dict[str, Any], cost: float | None) -> float:
    """Seconds of an exchange that computation does not hide already; `cost`: predicted, if any."""
    behind = exchange["behind"]["seconds"]
    waits = exchange["waiting"]["seconds"]
    if behind > 0 and waits <= _WAITS_LITTLE * behind:
        return float(waits)
    left = _spent(exchange) if cost is None else cost - behind
    return max(0.0, left)


def _spent(exchange: dict[str, Any]) -> float:
    """Seconds of an exchange in its calls."""
    return float(exchange["initiating"]["seconds"] + exchange["waiting"]["seconds"])


def _verdict(judged: dict[str, Any], whole: float) -> str:
    if judged["volume"] == 0:
        return "nothing sent"
    if judged["saved_in_all"]["seconds"] >= WORTH * whole:
        return "worth it"
    behind, waits = judged["behind"]["seconds"], judged["waiting"]["seconds"]
    if not judged["blocking"] and behind > 0 and waits <= _WAITS_LITTLE * behind:
        return "overlaps already"
    if judged["hidden_behind"] is None:
        return "nothing beside it"
    return "little to gain"
