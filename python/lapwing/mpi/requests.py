"""Receives that check the size of the message, as MPI accepts a shorter one."""

from typing import Any

from mpi4py import MPI

from ..errors import LapwingError


class Receive:
    """A receive under way, of `bytes` from rank `peer`.

    first_tag: of the first message of a stream, which is received with any tag; it has the tag
    `by_hand` from a program that sends by itself. None: not looked at.
    """

    def __init__(
        self,
        request: MPI.Request,
        peer: int,
        bytes: int,
        first_tag: int | None = None,
        by_hand: int = 0,
    ) -> None:
        self._request = request
        self._peer = peer
        self._bytes = bytes
        self._first_tag = first_tag
        self._by_hand = by_hand

    def Wait(self) -> None:
        """Return when the message is there. LapwingError if another one came."""
        if not self._request:  # a test has found it complete
            return
        status = self._status()
        try:
            self._request.Wait(status)
        except MPI.Exception as error:
            self._refuse(error, status)
        self._check(status)

    def Test(self) -> bool:
        """Whether the message is there. LapwingError if another one came."""
        if not self._request:
            return True
        status = self._status()
        try:
            done = self._request.Test(status)
        except MPI.Exception as error:
            self._refuse(error, status)
        if done:
            self._check(status)
        return done

    def _status(self) -> MPI.Status:
        status = MPI.Status()
        if self._first_tag is not None:
            status.tag = self._first_tag
        return status

    def _check(self, status: MPI.Status) -> None:
        if self._first_tag is not None and status.tag not in (self._first_tag, self._by_hand):
            raise _other_stream(self._peer)
        require_size(status, self._peer, self._bytes)

    def _refuse(self, error: MPI.Exception, status: MPI.Status) -> Any:
        if self._first_tag is not None and status.tag not in (self._first_tag, self._by_hand):
            raise _other_stream(self._peer) from None
        raise failed(error, self._peer, self._bytes) from None


def require_size(status: MPI.Status, peer: int, bytes: int) -> None:
    """Refuse a message that is shorter than was expected."""
    arrived = status.Get_count(MPI.BYTE)
    if arrived not in (bytes, MPI.UNDEFINED):
        raise LapwingError(
            f"a message of rank {peer} has {arrived} bytes, and this rank expects {bytes}: both "
            "ranks need the same plan"
        )


def failed(error: MPI.Exception, peer: int, bytes: int) -> LapwingError:
    """The error of a receive that failed."""
    if error.Get_error_class() == MPI.ERR_TRUNCATE:
        return LapwingError(
            f"a message of rank {peer} has more than the {bytes} bytes that this rank expects: "
            "both ranks need the same plan"
        )
    return LapwingError(f"a message of rank {peer} failed: {error.Get_error_string()}")


def _other_stream(peer: int) -> LapwingError:
    return LapwingError(
        f"rank {peer} sends a stream of another volume or other message sizes than this rank "
        "receives: both ranks need the same plan"
    )
