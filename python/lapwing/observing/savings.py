"""What overlapping the exchanges of an observed program would save, with the plans to do it."""

import json
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..planning.plan import plan
from ..prediction.grid import grid
from ..profiles.provenance import describes
from .patch.element import element_of
from .uncertainty import NOTHING, Saving, mean_error, relative_error, saving

# Bytes; messages are cut at multiples of it, or of an element if that is larger: the program's own
# grain is unknown.
_GRAIN = 8
# An exchange is worth overlapping if that saves at least this share of the run.
WORTH = 0.01
# An exchange overlaps already if its wait is at most this share of the computation that it spans.
_WAITS_LITTLE = 0.1

# An exchange that takes over this multiple of its prediction includes waiting for other ranks.
_WAITS_FOR_OTHERS = 1.25

# Computation of at most this share of an exchange is what lies between its calls.
_BARELY = 0.01

# Operations that the planner has a pattern for.
_PATTERNS = {"alltoall": "alltoall", "allreduce": "buckets"}
# Patterns that can hide behind both the computation before and the one after. What a halo hides
# behind lies between two of its exchanges: it is after the one and before the other.
_TWO_WAY = ("alltoall",)

# Patterns whose plan sends other messages than the program does, which may be faster by themselves;
# all that the others save is hidden.
_RESIZED = ("alltoall", "stream", "multi")

# The sides of an exchange whose computation could hide it, in words.
SIDES = {"before": "before", "after": "after", "both": "on both sides of"}


def rank(observed: dict[str, Any], profile: Profile | None) -> list[dict[str, Any]]:
    """The exchanges of an observed program, those that would save most first.

    Added to each: `pattern`; `volume`, bytes that a rank receives, or sends if it receives nothing;
    `saved`, seconds that overlapping one exchange saves in the mean, and `saved_in_all`, all of a
    rank, both with a range (see `uncertainty`), and as the program saved them when it was played
    again, if it was; the
    `plan` that saves them; `verdict`; and `copy`, seconds to copy the data of an all-to-all, which
    a program that packs its data could save as well. Without a profile there is no plan, and
    `saved` is an upper bound: the wait or the computation beside it, whichever is less.
    """
    # Waiting depends on the machine of the run, but the computation is the same on the profile's.
    whole = observed["time" if profile is None else "computation"]["seconds"]
    there = bool(ran_there(observed, profile))
    computed = observed["computation"]["seconds"]
    ranked = [_judged(exchange, profile, there, computed) for exchange in observed["exchanges"]]
    for played in observed["played"] or []:
        of_it = [each for each in ranked if _is_of(each, played)]
        _as_played(of_it, played, observed["ranks"], there)
    for exchange in ranked:
        exchange["verdict"] = _verdict(exchange, whole)
    # Exchanges that save the same are ordered by the time of their calls.
    return sorted(ranked, key=lambda e: (-e["saved_in_all"]["seconds"], -_spent(e) * e["count"]))


def ran_there(observed: dict[str, Any], profile: Profile | None) -> bool | None:
    """Whether the program ran on the machine of the profile; None if nobody can tell."""
    if profile is None or not observed["target"]:
        return None
    return describes(profile, observed["target"], observed["cluster"])


def _judged(
    exchange: dict[str, Any], profile: Profile | None, there: bool, computed: float
) -> dict[str, Any]:
    """One exchange with the fields that `rank` adds, but for the verdict.

    there: whether the program ran on the machine of the profile.  computed: seconds of computation
    of the run, behind which all such exchanges would have to hide.
    """
    pattern, volume = _pattern(exchange), _volume(exchange)
    judged = {**exchange, "pattern": pattern, "volume": volume, "hidden_behind": None}
    made: dict[str, Any] | None = None
    cost: float | None = None
    saved = NOTHING
    for side, direction in (("before", "produce"), ("after", "fetch"), ("both", "both")):
        # All executions together hide behind no more than the program computes.
        compute = min(hiding_computation(exchange, side), computed / exchange["count"])
        if volume == 0 or compute == 0 or (side == "both" and pattern not in _TWO_WAY):
            continue
        if profile is None:
            most = min(exchange["quickest_rank"]["seconds"], compute)
            this, tried = Saving(most, 0.0, most), None
        else:
            tried = _plan(exchange, profile, there, compute, direction)
            this = tried["saved"]
            cost = tried["communication"]
        this = this.at_most(_left(exchange, cost))
        if pattern not in _RESIZED:
            this = this.at_most(compute)
        if there or profile is None:
            this = this.at_most(_spent(exchange))
        if this.seconds > saved.seconds:
            saved, made = this, tried
            judged["hidden_behind"] = side
    judged["communication"] = None if cost is None else {"seconds": cost}
    judged["copy"] = _copy(exchange, profile)
    judged["plan"] = made["plan"] if made else None
    judged["saved"] = saved.document()
    judged["saved_in_all"] = saved.times(exchange["count"]).document()
    return judged


def _is_of(exchange: dict[str, Any], played: dict[str, Any]) -> bool:
    """Whether an exchange is one of those that overlap in the simulation."""
    if exchange["call"] != played["call"]:
        return False
    size_class = round(exchange["sent"] or exchange["received"]).bit_length()
    return exchange["operation"] != "messages" or size_class in played["size_classes"]


def _as_played(
    exchanges: list[dict[str, Any]], played: dict[str, Any], ranks: int, there: bool
) -> None:
    """Let exchanges save what a simulation of the program saves with all of them overlapped.

    Where no rank has two of them, they save it together. Where ranks have several, each saves its
    share, according to their plans. there: whether the program ran on the machine that it was
    played on; then no more is saved than it spent, and it is known how far playing it is off.
    """
    saved = played["saved"]["seconds"]
    planned = [each["saved_in_all"]["seconds"] for each in exchanges]
    together = sum(each["ranks"] for each in exchanges) <= ranks
    mean = sum(one * each["ranks"] / ranks for one, each in zip(planned, exchanges, strict=True))
    for one, each in zip(planned, exchanges, strict=True):
        if one == 0:
            continue
        factor = saved / (one if together else mean)
        in_all = Saving(**each["saved_in_all"]).times(factor)
        if there:
            in_all = in_all.within(played["off"]["seconds"]).at_most(_spent(each) * each["count"])
        each["saved_in_all"] = in_all.document()
        # What is cut anew sends other messages than were played: of one, its plan knows more.
        if each["pattern"] not in _RESIZED:
            each["saved"] = in_all.times(1 / each["count"]).document()


def hiding_computation(exchange: dict[str, Any], side: str) -> float:
    """Seconds of computation that could hide an exchange; both sides count as twice the less."""
    if side != "both":
        return float(exchange[side]["seconds"])
    return 2 * float(exchange["beside"]["seconds"])


def _pattern(exchange: dict[str, Any]) -> str:
    """The planner's name of the pattern, or else the name of the operation."""
    operation: str = exchange["operation"]
    if operation != "messages":
        return _PATTERNS.get(operation, operation)
    if exchange["sent"] and exchange["received"]:
        return "halo"
    return "multi" if exchange["peers"] > 1 else "stream"


def _volume(exchange: dict[str, Any]) -> int:
    """Bytes that a rank receives in an exchange."""
    bytes_of: float
    # A receive states the size of its buffer. Ranks that swap receive as much as they send.
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
    compute: float,
    direction: str,
) -> dict[str, Any]:
    """The seconds that one exchange has `saved`, by which `plan`, of its `communication` now."""
    pattern, volume, peers = _pattern(exchange), _volume(exchange), max(1, exchange["peers"])
    workload: dict[str, Any] = {"pattern": pattern, "direction": direction}
    grain = max(_GRAIN, element_of(exchange["element"]).size)
    if pattern == "halo" or pattern == "multi":
        workload |= {"peers": peers}
    elif pattern == "alltoall":
        # Tile by tile: what a rank gets, and needs, comes of a computation for all others at once.
        workload |= {"pattern": "collective", "ranks": exchange["communicator"]}
        grain *= max(1, exchange["communicator"] - 1)
        volume = -(-volume // grain) * grain
    elif pattern == "buckets":
        workload |= {"ranks": exchange["communicator"]}
    elif pattern != "stream":
        return _non_blocking(exchange, profile, compute)
    if pattern == "buckets":
        workload["direction"] = "produce"
    try:
        made = plan(profile, volume=volume, compute=compute, grain=grain, **workload)
    except ValueError as error:
        raise LapwingError(f"planning a {pattern} of {volume} bytes: {error}") from None
    document = json.loads(made.to_json())
    best = document["predicted"]["seconds"]
    # A collective takes the time of its best algorithm, not that of the pattern's messages.
    cost = document["blocking"]["seconds"] - compute
    if exchange["operation"] != "messages":
        cost = min(cost, _collective(exchange, profile))
    # On the same machine the time is known: that of the rank that waited least.
    taken = float(exchange["quickest_rank"]["seconds"])
    doubt = relative_error(profile, volume, peers)
    cost_error = doubt * max(0.0, cost)
    exposed = max(0.0, best - compute)
    if there and not _hides(exchange) and taken <= _WAITS_FOR_OTHERS * cost:
        cost, cost_error = taken, mean_error(exchange)
    return {
        "saved": saving(cost, cost_error, exposed, doubt * exposed),
        "communication": max(0.0, cost),
        "plan": document,
    }


def _collective(exchange: dict[str, Any], profile: Profile) -> float:
    """Predicted seconds of a collective with its best algorithm."""
    operation = exchange["operation"]
    name = "allreduce" if operation == "scan" else operation
    size = max(1, round(exchange["size"]))
    ranks = [exchange["communicator"]]
    ((made,),) = grid(profile, name, ranks=ranks, sizes=[size], algorithm="best").rows
    return made.seconds


def _non_blocking(exchange: dict[str, Any], profile: Profile, compute: float) -> dict[str, Any]:
    """What `_plan` returns, for a collective without a pattern: it can only be non-blocking."""
    cost = _collective(exchange, profile)
    error = cost * relative_error(profile, _volume(exchange), 1)
    hidden = saving(cost, error, max(0.0, cost - compute), 0.0)
    return {"saved": hidden.at_most(compute), "communication": cost, "plan": None}


def _copy(exchange: dict[str, Any], profile: Profile | None) -> dict[str, float] | None:
    """Seconds to copy the data that an all-to-all sends, once."""
    if profile is None or exchange["operation"] != "alltoall":
        return None
    rate = (json.loads(profile.to_json()).get("kernels") or {}).get("copy")
    return {"seconds": exchange["size"] * exchange["communicator"] / rate} if rate else None


def _left(exchange: dict[str, Any], cost: float | None) -> float:
    """Seconds of an exchange that are not hidden yet. cost: of it, as predicted."""
    behind = exchange["behind"]["seconds"]
    waits = exchange["waiting"]["seconds"]
    if behind > 0 and waits <= _WAITS_LITTLE * behind:
        return float(waits)
    left = _spent(exchange) if cost is None else cost - behind
    return max(0.0, left)


def _hides(exchange: dict[str, Any]) -> bool:
    """Whether computation hides a part of an exchange already."""
    return bool(exchange["behind"]["seconds"] > _BARELY * _spent(exchange))


def _spent(exchange: dict[str, Any]) -> float:
    """Seconds that an exchange spends in its MPI calls."""
    return float(exchange["initiating"]["seconds"] + exchange["waiting"]["seconds"])


def _verdict(judged: dict[str, Any], whole: float) -> str:
    if judged["volume"] == 0:
        return "nothing sent"
    # A simulated program that charges no computation has a whole of 0, and nothing to save.
    if 0 < judged["saved_in_all"]["seconds"] >= WORTH * whole:
        return "worth it"
    behind, waits = judged["behind"]["seconds"], judged["waiting"]["seconds"]
    if not judged["blocking"] and behind > 0 and waits <= _WAITS_LITTLE * behind:
        return "overlaps already"
    if not any(hiding_computation(judged, side) for side in SIDES):
        return "nothing beside it"
    return "little to gain"
