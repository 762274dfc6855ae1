"""What messages between two ranks tell of the costs of collectives."""

from collections.abc import Sequence

from .link import LEAST_LONG, Link, derive
from .reading import Point

# A message within a node is copied into memory that both ranks share, and out of it. A copy reads a
# byte and writes one.
_COPIES = 2
_PASSES = 2
# Pairs that together are faster than this share of as many single ones do not wait for memory.
_UNHINDERED = 0.9
# A copy reads a byte for each one that it writes; combining reads two.
_COMBINE = 1.5
_UNKNOWN = {
    "combine": 0.0,
    "copy": 0.0,
    "node_copy": 0.0,
    "pack": 0.0,
    "exchange": 0.0,
    "exchange_per_byte": 0.0,
    "unexpected": 0.0,
    "unexpected_per_byte": 0.0,
    "fresh": 0.0,
    "skew": 0.0,
    "skew_per_doubling": 0.0,
    "low": 1.0,
    "high": 1.0,
}


def collective_costs(
    main: Link,
    within: Link | None,
    crowded: Sequence[Point] = (),
    memory_bandwidth: float | None = None,
) -> tuple[dict[str, float], str] | None:
    """The section `collectives` of a profile, and what it was derived from.

    main: the messages of the profile's own pair of ranks.  within: messages within a node, if there
    are any.  crowded: floods of several pairs within a node at once.  memory_bandwidth: of a node,
    bytes that are read or written a second; None: unknown. None if nothing tells anything.

    In a collective a rank sends while it receives. It initiates both before it waits for either. So
    a message takes a send's and a receive's overhead longer than half a round trip. By floods both
    ways, if there are any, a byte takes `2 / D(S)` instead of `T(S) / S`.
    """
    parts = [_exchanges(main)]
    if within is not None and within.table("half_round_trip"):
        parts.append(_local_work(within))
    if memory_bandwidth is not None:
        reason = "node_copy: the memory bandwidth of a node, of which a copied byte takes two"
        parts.append(({"node_copy": _PASSES / memory_bandwidth}, reason))
    elif within is not None:
        parts.append(_node_copy(within, crowded))
    found = [part for part in parts if part is not None]
    if not found:
        return None
    section = dict(_UNKNOWN)
    for costs, _ in found:
        section |= costs
    return section, "; ".join(reason for _, reason in found)


def _exchanges(link: Link) -> tuple[dict[str, float], str] | None:
    """What a message takes longer if its rank receives another; None without floods both ways."""
    both_ways = link.table("bidirectional") or link.table("exchange")
    if not both_ways:
        return None
    loggp = derive(link).loggp
    costs = {"exchange": loggp["o_s"] + loggp["o_r"]}
    reason = "exchange: o_s + o_r, as a rank initiates its send and its receive before it waits"
    trips = link.table("half_round_trip")
    longest = max((size for size in both_ways if size in trips), default=0)
    if longest >= LEAST_LONG:
        alone = (trips[longest] - trips[min(trips)]) / longest
        costs["exchange_per_byte"] = max(0.0, 2 / both_ways[longest] - alone)
        reason += f", and what a byte takes longer in floods both ways of {longest} bytes"
    return costs, reason


def _local_work(within: Link) -> tuple[dict[str, float], str] | None:
    """What memory costs a processor that copies or combines.

    Within a node each processor copies the message that it receives. So a byte of long messages
    takes the time of a copied byte. Floods both ways tell it, since both processors copy at once,
    as all do in a collective. Without them, floods one way or half round trips do. None if there
    are no messages of 64 KB or more.
    """
    both_ways = within.table("bidirectional") or within.table("exchange")
    if max(both_ways, default=0) >= LEAST_LONG:
        copy, source = 2 / both_ways[max(both_ways)], "floods both ways"
    elif max(within.table("half_round_trip")) >= LEAST_LONG:
        copy, source = derive(within).loggp["G"], "the G within a node"
    else:
        return None
    reason = (
        f"copy: what a byte takes a processor that copies a message within its node, by {source}; "
        f"combine is {_COMBINE} times that, as two bytes are read for each that is written"
    )
    return {"combine": _COMBINE * copy, "copy": copy}, reason


def _node_copy(within: Link, crowded: Sequence[Point]) -> tuple[dict[str, float], str] | None:
    """What memory costs the ranks of a node together, by the flood of the most pairs.

    None if these are about as fast as so many single pairs, or not known to be slower.
    """
    long = [p for p in crowded if p.quantity == "unidirectional" and p.size >= LEAST_LONG]
    alone = within.table("unidirectional")
    known = [point for point in long if point.size in alone]
    if not known:
        return None
    most = max(known, key=lambda point: (point.pairs, point.size))
    if most.value >= _UNHINDERED * most.pairs * alone[most.size]:
        return None
    reason = (
        f"node_copy: half of what a byte takes {most.pairs} pairs of one node together, as a "
        "message is copied twice"
    )
    return {"node_copy": 1 / (_COPIES * most.value)}, reason
