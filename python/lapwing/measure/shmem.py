"""OpenSHMEM has a program of its own, which measures where it was built."""

from dataclasses import replace

from ..errors import LapwingError
from ..launch import Launch
from ..launch.native import choose, find_shmem
from ..launch.shmem import belongs_to, heap_settings

# Seconds after which an OpenSHMEM program that hangs is given up; usually it takes far less.
SHMEM_TIMEOUT = 180.0


def has_shmem(launch: Launch) -> bool:
    """Whether OpenSHMEM runs on the target, and its native program was built."""
    if launch.target.kind == "sim" or launch.target.ranks < 2:
        return False
    try:
        find_shmem()
        return belongs_to(choose(launch.mpi)[0])
    except LapwingError:
        return False


def with_heap(launch: Launch, size: int) -> Launch:
    """The launch with a symmetric heap of `size` bytes, unless its settings say another."""
    return replace(launch, settings={**heap_settings(size), **(launch.settings or {})})
