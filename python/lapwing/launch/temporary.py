"""Temporary directories that a later process removes, if those that made them were killed.

The process that makes a directory locks it (`flock`), and its guardian inherits the lock. The
system gives a lock up when all processes that hold it have ended, in whatever way. A directory that
nobody has locked is therefore a dead one's, and whoever makes the next one beside it removes it.
Locks are those of one host: the directories of another one, on a shared file system, have other
names.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_PREFIX = f"lapwing-{zlib.crc32(os.uname().nodename.encode()):08x}-"


@dataclass(frozen=True)
class Temporary:
    """A temporary directory, and the descriptor whose lock says that it is in use."""

    path: str
    lock: int


@contextlib.contextmanager
def temporary(parent: str | None = None) -> Iterator[Temporary]:
    """A new directory until the end of the block.

    parent: the directory to make it in; None, that of temporary files.
    """
    folder = parent or tempfile.gettempdir()
    with contextlib.suppress(OSError):
        _remove_unlocked(folder)
    made = _make(folder)
    try:
        yield made
    finally:
        shutil.rmtree(made.path, ignore_errors=True)
        os.close(made.lock)


def _make(folder: str) -> Temporary:
    while True:
        path = tempfile.mkdtemp(prefix=_PREFIX, dir=folder)
        # Another process may take it for a dead one's until it is locked.
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            with contextlib.suppress(OSError):  # a file system without locks: none is removed
                fcntl.flock(lock, fcntl.LOCK_SH)
            if os.path.isdir(path):
                return Temporary(path, lock)
            os.close(lock)


def _remove_unlocked(folder: str) -> None:
    """Remove the directories of processes that are dead, as far as they are this user's."""
    with os.scandir(folder) as entries:
        paths = [entry.path for entry in entries if entry.name.startswith(_PREFIX)]
    for path in paths:
        with contextlib.suppress(OSError):
            found = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(found).st_uid == os.geteuid():
                    fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails if it is in use
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(found)
