"""The messages in flight, and letting them advance while a program computes."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol


class Request(Protocol):
    """A message under way: a request of mpi4py, or what else has these calls."""

    def Wait(self) -> Any: ...
    def Test(self) -> bool: ...


class _Pollers(threading.local):
    def __init__(self) -> None:
        self.all: list[Poller] = []


_pollers = _Pollers()


class Poller:
    """Lets `poll()` on this thread call `progress`, until `end`.

    interval: seconds between two calls; 0: there are none.
    """

    def __init__(self, interval: float, progress: Callable[[], None]) -> None:
        self._interval = interval
        self._progress = progress
        self._due = time.perf_counter() + interval
        if interval > 0:
            _pollers.all.append(self)

    def end(self) -> None:
        """No longer let it be called."""
        if self in _pollers.all:
            _pollers.all.remove(self)

    def call(self) -> None:
        """Call `progress` if its time has come."""
        if time.perf_counter() >= self._due:
            self._progress()
            self._due = time.perf_counter() + self._interval


def poll() -> None:
    """Let messages under way advance, if the plan asks for polling and its interval has passed.

    To be called now and then inside a long computation.
    """
    for poller in reversed(_pollers.all):
        poller.call()


class MessageWindow:
    """The messages in flight, oldest first, at most `size` of them, each with what it is about."""

    def __init__(self, size: int, poll_interval: float) -> None:
        self._size = size
        self._messages: deque[tuple[Request, Any]] = deque()
        self._found = 0  # of the oldest, how many a test has found complete
        self._poller = Poller(poll_interval, self.progress)

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def full(self) -> bool:
        """Whether no message can be added."""
        return len(self._messages) >= self._size

    def add(self, request: Request, about: Any = None) -> None:
        """Add a message that was just initiated. Not while `full`."""
        self._messages.append((request, about))

    def wait_oldest(self) -> Any:
        """Return what the oldest message is about, when that is complete."""
        request, about = self._messages[0]
        request.Wait()
        self._messages.popleft()
        self._found = max(0, self._found - 1)
        return about

    def progress(self) -> None:
        """Test the oldest message that was not found complete: one that was would not do."""
        while self._found < len(self._messages) and self._messages[self._found][0].Test():
            self._found += 1

    def close(self) -> None:
        """Wait for what is in flight, whose memory is in use until then."""
        self._poller.end()
        for request, _ in self._messages:
            with contextlib.suppress(Exception):
                request.Wait()
        self._messages.clear()

    def __enter__(self) -> "MessageWindow":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
