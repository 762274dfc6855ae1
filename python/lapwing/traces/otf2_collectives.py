"""Collectives as OTF2 tells them: what a rank sends and receives, all peers together.

Of a collective on N ranks, Score-P counts the bytes like this: of an allreduce N times the message;
of a bcast N times the message at its root, and one message at each receiver.
"""

from dataclasses import dataclass
from typing import Any

from ..errors import LapwingError


@dataclass(frozen=True)
class Amount:
    """Bytes that a rank sends and receives in a communicator of `size` ranks, where it is `rank`.

    Of an operation in place a rank sends itself nothing, so the parts are one less.
    """

    sent: int
    received: int
    size: int
    rank: int

    def each(self, total: int, parts: int) -> int:
        """One of so many equal parts, or of one less in place, where that divides the total."""
        if total % parts == 0 or parts < 2:
            return total // parts
        return total // (parts - 1) if total % (parts - 1) == 0 else total // parts


# Operations with a root: whether data go to it.
_ROOTED = {
    "bcast": False,
    "scatter": False,
    "scatterv": False,
    "reduce": True,
    "gather": True,
    "gatherv": True,
}
_EVEN = ("allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "reduce_scatter")


def collective(operation: str, amount: Amount, root: int) -> dict[str, Any] | None:
    """The members of a collective's record; None if it moves no data.

    operation: as OTF2 names it, in small letters. root: rank in the communicator. Raises
    LapwingError for a root that is none of its ranks.
    """
    operation = {"alltoallw": "alltoallv"}.get(operation, operation)
    if operation == "barrier":
        return {"collective": operation}
    if operation in _ROOTED:
        if root >= amount.size:
            raise LapwingError(f"there is no root {root} among {amount.size} ranks")
        return _rooted(operation, amount, root)
    if operation in ("scan", "exscan"):
        return {"collective": operation, "bytes": _scanned(operation, amount)}
    if operation.removesuffix("_block") not in _EVEN:
        return None
    made: dict[str, Any] = {
        "collective": operation,
        "bytes": amount.each(amount.sent, amount.size),
    }
    if operation == "alltoallv":
        made["blocks"] = _evenly(amount.sent, amount.size)
    return made


def _scanned(operation: str, amount: Amount) -> int:
    """The message of a scan: a rank sends it to those behind it, and to itself if not in place."""
    before, behind = amount.rank, amount.size - 1 - amount.rank
    to_itself = amount.sent * (before + 1) == amount.received * (behind + 1)
    parts = amount.size + 1 if operation == "scan" and to_itself else amount.size - 1
    return (amount.sent + amount.received) // parts if parts else 0


def _rooted(operation: str, amount: Amount, root: int) -> dict[str, Any]:
    to_root = _ROOTED[operation]
    one, all_of_them = amount.sent, amount.received
    if not to_root:
        one, all_of_them = all_of_them, one
    at_root = amount.rank == root
    if at_root and one == 0 and amount.size > 1:  # in place
        one = all_of_them // (amount.size - 1)
    made = {"collective": operation, "root": root, "bytes": one}
    if at_root and operation in ("gatherv", "scatterv"):
        made["blocks"] = _evenly(all_of_them, amount.size)
    return made


def _evenly(total: int, parts: int) -> list[int]:
    """A total as parts that differ by one at most."""
    return [total // parts + (part < total % parts) for part in range(parts)]
