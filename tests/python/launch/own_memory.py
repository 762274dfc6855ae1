"""A private /dev/shm, so that a test sees what its run left there and no other run's files."""

import ctypes
import os
import subprocess

PLACE = "/dev/shm"
NEW_MOUNTS = 0x20000  # of <sched.h>
FROM_HERE_DOWN, PRIVATE = 0x4000, 0x40000  # of <sys/mount.h>


def possible() -> bool:
    """Whether this process may have a private /dev/shm: root may, outside most containers."""
    tried = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", PLACE]
    return subprocess.run(tried, capture_output=True).returncode == 0


def begin() -> None:
    """Make /dev/shm private from now on, for this thread and everything that it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    for refused in (
        lambda: libc.unshare(NEW_MOUNTS),
        lambda: libc.mount(None, b"/", None, FROM_HERE_DOWN | PRIVATE, None),
        lambda: libc.mount(b"tmpfs", PLACE.encode(), b"tmpfs", 0, None),
    ):
        if refused():
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), PLACE)
