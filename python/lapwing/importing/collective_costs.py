"""What messages between two ranks tell of the costs of collectives."""

from .link import LEAST_LONG, Link, derive

# A copy reads a byte for each one that it writes; combining reads two.
_COMBINE = 1.5
_UNKNOWN = {
    "combine": 0.0,
    "copy": 0.0,
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


def collective_costs(main: Link, within: Link | None) -> tuple[dict[str, float], str] | None:
    """The section `collectives` of a profile, and what it was derived from.

    main: the messages of the profile's own pair of ranks.  within: messages within a node, if there
    are any. None if neither tells anything.

    In a collective a rank sends while it receives. It initiates both before it waits for either, so
    that a message takes a send's and a receive's overhead longer than half a round trip; and by
    floods both ways, where they were measured, a byte takes `2 / D(S)` instead of `T(S) / S`.
    """
    parts = [_exchanges(main)]
    if within is not None and within.table("half_round_trip"):
        parts.append(_local_work(within))
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

    Within a node each processor copies the message that it receives, so that a byte of long
    messages takes what a copied byte takes: of floods both ways, where both processors copy at
    once, as all do in a collective; else of floods one way, or of half round trips. None if there
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
