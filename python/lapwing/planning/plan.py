"""Plans of workloads: what the native planner is asked, in Python's words."""

import json
import operator
from typing import Any, Literal

from .. import _core
from .._core import Plan, Profile
from .patterns import Dependence, Direction, Pattern, usual_dependence, usual_direction


def plan(
    profile: Profile,
    *,
    volume: int,
    compute: float,
    grain: int = 1,
    pattern: Pattern = "stream",
    direction: Direction | None = None,
    dependence: Dependence | None = None,
    ranks: int | None = None,
    peers: int | None = None,
    balanced: bool = True,
    block: int = 0,
    stride: int = 0,
    sizes_known: bool = True,
    uncertainty: float = 0.0,
    transport: Literal["two-sided", "put", "get", "any"] = "two-sided",
    method: Literal["lapwing", "paper", "paper-size"] = "lapwing",
) -> Plan:
    """How to cut and run a workload on the machine that `profile` describes.

    volume: bytes in all that a rank which computes receives, or sends if it produces.  compute:
    seconds of its computation in all.  grain: bytes; messages are cut at its multiples.
    direction: "fetch", receive and then consume; "produce", compute and then send; "both", half of
    it on either side.  dependence: computation waits for the piece it works on ("tight") or for
    nothing ("loose").  Either is what the pattern usually is where it is left out.  ranks, peers:
    how many take part, and with how many others each exchanges.  balanced: all begin together.
    block, stride: bytes of data side by side, and from one block to the next.  sizes_known: if not,
    sizes are exchanged before data.  uncertainty: of the computation, 0.2 where it may be a fifth
    longer or as much shorter.  transport: how the program's messages move, "any" where the plan is
    to say.  method: "lapwing", messages of unequal size, or "paper", the discrete search of Iancu
    and Strohmaier (2007), or "paper-size", with an overhead that does not depend on the burst.

    A ValueError says what is impossible about the workload.
    """
    return _core.plan(profile, **_workload(locals()))


def sensitivity(profile: Profile, **workload: Any) -> dict[str, Any]:
    """How much depends on the inputs of a plan, as the sensitivity document describes it.

    Takes what `plan` takes, and a ValueError says the same.
    """
    found: dict[str, Any] = json.loads(
        _core.sensitivity(profile, **_workload(_bound(profile, workload)))
    )
    return found


def workload_of(profile: Profile, **workload: Any) -> dict[str, Any]:
    """What `plan` takes, but for the method, as the native planner wants it."""
    if "method" in workload:
        raise TypeError("a method is no part of a workload")
    words = _workload(_bound(profile, workload))
    del words["method"]
    return words


def _bound(profile: Profile, workload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `plan`, those that are left out too."""
    from inspect import signature  # which takes a while to load

    bound = signature(plan).bind(profile, **workload)
    bound.apply_defaults()
    return bound.arguments


def _workload(words: dict[str, Any]) -> dict[str, Any]:
    """What `plan` was given, as the native planner wants it."""
    words = {name: value for name, value in words.items() if name != "profile"}
    pattern = words["pattern"]
    words["direction"] = words["direction"] or usual_direction(pattern)
    words["dependence"] = words["dependence"] or usual_dependence(pattern)
    for name in ("volume", "grain", "block", "stride"):
        words[name] = operator.index(words[name])
    for name in ("ranks", "peers"):
        words[name] = 0 if words[name] is None else operator.index(words[name])
    return words
