"""An array cut into the messages of a plan, and the tags of these."""

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._core import Plan

# Every MPI has tags up to 32767. The upper half is that of first messages.
_TAGS = 16384


class Piece(NamedTuple):
    """A part of an array: `data`, a view of it, begins at index `first` of its first axis.

    peer: rank that sent it; -1: computed on this rank.
    """

    data: NDArray[Any]
    first: int
    peer: int = -1


class Pieces:
    """The pieces of an array, one for each message of a plan.

    A piece is a number of elements side by side; of an array of several dimensions, of rows.
    """

    def __init__(self, what: str, data: NDArray[Any], plan: Plan, peer: int = -1) -> None:
        """what: the name of the loop.  peer: rank that sends the data; -1: computed here.

        Raises ValueError if the plan is for another volume, or cuts through elements.
        """
        if not isinstance(data, np.ndarray) or data.ndim == 0 or not data.flags.c_contiguous:
            raise ValueError(f"{what}: the data are no contiguous array of numpy")
        sizes = plan.messages
        if sum(sizes) != data.nbytes:
            raise ValueError(
                f"{what}: the plan is for a volume of {sum(sizes)} bytes, the data have "
                f"{data.nbytes}"
            )
        element = data.nbytes // len(data)
        if plan.grain % element != 0:
            raise ValueError(
                f"{what}: the plan's grain of {plan.grain} bytes is no multiple of an element of "
                f"{element}"
            )
        self._data = data
        self._ends = [0, *(end // element for end in accumulate(sizes))]
        self._first_tag = first_message_tag(plan)
        self.peer = peer

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, message: int) -> Piece:
        first = self._ends[message]
        return Piece(self._data[first : self._ends[message + 1]], first, self.peer)

    def tag(self, message: int) -> int:
        """The tag of a message: that of the first one says how the stream is cut."""
        return self._first_tag if message == 0 else message_tag(message)


def message_tag(message: int) -> int:
    """The tag of a message. Messages in flight may overtake each other, so each has its own."""
    return message % _TAGS


def first_message_tag(plan: Plan) -> int:
    """The tag of the first message of a stream with these messages."""
    return _TAGS + plan.fingerprint % _TAGS
