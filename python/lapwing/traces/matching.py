"""Whether what the ranks of a trace do fits together: messages, and collectives."""

from dataclasses import dataclass, field
from zlib import crc32

from ..errors import LapwingError

ANY = -1  # as a sender or a tag of a receive
NOBODY = -2  # as a peer

_Pair = tuple[int, int, int]  # context, sender, receiver


@dataclass
class Collectives:
    """What ranks do in a communicator: for each rank how many collectives, and a sum of which."""

    members: tuple[int, ...]
    done: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, rank: int, operation: str) -> None:
        """Count a collective of a rank."""
        count, which = self.done.get(rank, (0, 0))
        self.done[rank] = (count + 1, crc32(operation.encode(), which))


class Matching:
    """Counts what all ranks send and receive, by sender, receiver, communicator and tag.

    Memory grows with the messages that are still open, not with all.
    """

    def __init__(self) -> None:
        # For each tag, how many more were sent than received, and where the first of them is.
        self._open: dict[_Pair, dict[int, tuple[int, str]]] = {}
        # Receives that take more than one sender or tag: by context and receiver.
        self._any: dict[tuple[int, int], tuple[int, str]] = {}
        self._collectives: dict[tuple[int, tuple[int, ...]], Collectives] = {}

    def communicator(self, context: int, members: tuple[int, ...]) -> Collectives:
        """Where the collectives of a communicator are counted."""
        return self._collectives.setdefault((context, members), Collectives(members))

    def sent(self, context: int, sender: int, receiver: int, tag: int, where: str) -> None:
        """Count a message. where: names it in an error."""
        if receiver != NOBODY:
            self._count((context, sender, receiver), tag, 1, where)

    def received(self, context: int, sender: int, receiver: int, tag: int, where: str) -> None:
        """Count a receive, also of ANY sender or tag."""
        if sender == NOBODY:
            return
        if ANY in (sender, tag):
            count, first = self._any.get((context, receiver), (0, where))
            self._any[context, receiver] = (count + 1, first)
        else:
            self._count((context, sender, receiver), tag, -1, where)

    def _count(self, pair: _Pair, tag: int, change: int, where: str) -> None:
        tags = self._open.setdefault(pair, {})
        count, first = tags.get(tag, (0, where))
        if count + change:
            tags[tag] = (count + change, first)
        else:
            del tags[tag]
        if not tags:
            del self._open[pair]

    def check(self, trace: str) -> None:
        """Raise LapwingError, which names the trace, if something is left over."""
        for (context, sender, receiver), tags in sorted(self._open.items()):
            for tag, (count, where) in sorted(tags.items()):
                free, _ = self._any.get((context, receiver), (0, ""))
                if 0 < count <= free:
                    self._any[context, receiver] = (free - count, _)
                    continue
                text = f"from rank {sender} to rank {receiver}, tag {tag}"
                if count > 0:
                    raise LapwingError(f"{trace}: {where}: a message {text} is never received")
                raise LapwingError(f"{trace}: {where}: a message {text} is never sent")
        for (_, receiver), (count, where) in sorted(self._any.items()):
            if count > 0:
                raise LapwingError(
                    f"{trace}: {where}: rank {receiver} receives a message that is never sent"
                )
        for each in self._collectives.values():
            self._check_collectives(trace, each)

    @staticmethod
    def _check_collectives(trace: str, each: Collectives) -> None:
        first = each.members[0]
        count, which = each.done.get(first, (0, 0))
        for rank in each.members:
            others, these = each.done.get(rank, (0, 0))
            if others != count:
                raise LapwingError(
                    f"{trace}: collectives of a communicator of {len(each.members)} ranks: "
                    f"rank {rank} does {others}, rank {first} does {count}"
                )
            if these != which:
                raise LapwingError(
                    f"{trace}: rank {rank} does other collectives than rank {first} of a "
                    f"communicator of {len(each.members)} ranks"
                )
