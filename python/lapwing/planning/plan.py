"""Planning workloads with the native planner."""

import json
import operator
from typing import Any

from .. import _core
from .._core import Plan, Profile
from ..results.labelled import Document
from ..units.arguments import Size, Time, in_bytes, in_seconds
from .methods import Method
from .patterns import Dependence, Direction, Pattern, usual_dependence, usual_direction
from .transports import Transport


def plan(
    profile: Profile,
    *,
    volume: Size,
    compute: Time,
    grain: Size = 1,
    pattern: Pattern = "stream",
    direction: Direction | None = None,
    dependence: Dependence | None = None,
    ranks: int | None = None,
    peers: int | None = None,
    balanced: bool = True,
    block: Size = 0,
    stride: Size = 0,
    sizes_known: bool = True,
    uncertainty: float = 0.0,
    transport: Transport = "two-sided",
    method: Method = "lapwing",
) -> Plan:
    """The plan of a workload: messages that hide communication behind computation.

    Sizes are bytes or text such as "8MB", times are seconds or text such as "12ms".

    profile: the machine.
    volume: bytes that each computing rank receives (sends, with direction "produce"), summed over
        its peers.
    compute: seconds of computation of each rank.
    grain: bytes; messages are cut at its multiples.
    pattern: who exchanges with whom; docs/plan.md has them all.
    direction: "fetch", receive and then compute; "produce", compute and then send; "both", half of
        the computation before and half of it after. None: the usual one of the pattern.
    dependence: `tight`, computation waits for the piece that it works on; `loose`, it waits for no
        message. None: the usual one of the pattern.
    ranks, peers: number of ranks, and number of other ranks that each exchanges with.
    balanced: whether all ranks begin together.
    block, stride: bytes of a contiguous block, and from one block to the next; 0, all contiguous.
    sizes_known: False, ranks exchange sizes before data.
    uncertainty: of the computation; 0.2, it may take 1.2 times as long, or 1/1.2.
    transport: how messages move: MPI's "two-sided", "put" and "get", UCX's "ucx-put" and "ucx-get",
        OpenSHMEM's "shmem", MPI's "partitioned"; "any", the plan chooses among the first three.
    method: "lapwing", messages of unequal size; or "paper", the discrete search of Iancu and
        Strohmaier (2007). Its variants are "paper-size", with one overhead for all bursts;
        "paper-communication" and "paper-computation", as if that took longer. "paper-bursts"
        minimises an all-to-all's equations over the burst, too.

    Raises ValueError if the workload is impossible; the message says why.
    """
    return _core.plan(profile, **_workload(locals()))


def sensitivity(profile: Profile, **workload: Any) -> Document:
    """How much a plan loses if its inputs are wrong.

    Takes the arguments of `plan` and raises the same errors.
    """
    return Document(json.loads(_core.sensitivity(profile, **_workload(_bound(profile, workload)))))


def workload_of(profile: Profile, **workload: Any) -> dict[str, Any]:
    """The arguments of `plan` except `method`, complete, as the native planner takes them."""
    if "method" in workload:
        raise TypeError("a method is no part of a workload")
    words = _workload(_bound(profile, workload))
    del words["method"]
    return words


def _bound(profile: Profile, workload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `plan`, with the defaults of those that are left out."""
    from inspect import signature  # slow to load

    bound = signature(plan).bind(profile, **workload)
    bound.apply_defaults()
    return bound.arguments


def _workload(words: dict[str, Any]) -> dict[str, Any]:
    """Arguments of `plan`, complete, as the native planner takes them."""
    words = {name: value for name, value in words.items() if name != "profile"}
    pattern = words["pattern"]
    words["direction"] = words["direction"] or usual_direction(pattern)
    words["dependence"] = words["dependence"] or usual_dependence(pattern)
    for name in ("volume", "grain", "block", "stride"):
        words[name] = in_bytes(words[name])
    words["compute"] = in_seconds(words["compute"])
    for name in ("ranks", "peers"):
        words[name] = 0 if words[name] is None else operator.index(words[name])
    return words
