"""What messages within a node tell of the work that a collective makes a processor do."""

from .link import LEAST_LONG, Link, derive

# A copy reads a byte for each one that it writes; combining reads two.
_COMBINE = 1.5
_REASON = (
    "copy and pack: what a byte takes a processor that copies a message from its own node, by {}; "
    f"combine is {_COMBINE} times that, as two bytes are read for each that is written"
)


def local_work(within: Link) -> tuple[dict[str, float], str] | None:
    """The section `collectives` of a profile, and what it was derived from.

    within: messages within a node, at least half round trips. Each processor copies the message
    that it receives, so that a byte of long messages takes what a copied byte takes: of floods both
    ways, where both processors copy at once, as all do in a collective; else of floods one way, or
    of half round trips. None if there are no messages of 64 KB or more.
    """
    both_ways = within.table("bidirectional") or within.table("exchange")
    if max(both_ways, default=0) >= LEAST_LONG:
        copy, source = 2 / both_ways[max(both_ways)], "floods both ways"
    elif max(within.table("half_round_trip")) >= LEAST_LONG:
        copy, source = derive(within).loggp["G"], "the G within a node"
    else:
        return None
    section = {"combine": _COMBINE * copy, "copy": copy, "pack": copy}
    unknown = {"skew": 0.0, "skew_per_doubling": 0.0, "low": 1.0, "high": 1.0}
    return section | unknown, _REASON.format(source)
