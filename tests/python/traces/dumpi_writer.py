"""Files of DUMPI for the tests of its reader: calls by their numbers, and what is stored."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MAGIC = b"\xff\xaa\xddDUMPI"
SEND, RECV, ISEND, IRECV, WAIT, TEST, REQUEST_FREE, WAITANY, WAITALL, WAITSOME = (
    *(0, 1, 8, 12, 13, 14, 15, 16),
    *(18, 20),
)
CANCEL, RECV_INIT, STARTALL, SENDRECV, CONTIGUOUS, STRUCT = 24, 30, 32, 33, 35, 40
BARRIER, BCAST, GATHER, GATHERV, SCATTERV, ALLGATHERV, ALLTOALL, ALLTOALLV = (
    *(52, 53, 54, 55, 57, 59, 60),
    61,
)
REDUCE, ALLREDUCE, REDUCE_SCATTER = 62, 65, 66
COMM_GROUP, GROUP_DIFFERENCE, GROUP_INCL, GROUP_RANGE_EXCL, COMM_SIZE = 72, 75, 76, 79, 81
COMM_DUP, COMM_CREATE, COMM_SPLIT, INTERCOMM_CREATE, CART_CREATE, CART_SUB = (
    *(84, 85, 86, 91),
    *(99, 111),
)
INIT, FINALIZE, PCONTROL = 124, 125, 128
END = 293

WORLD, BYTE, INT, DOUBLE = 2, 5, 9, 14
SIZES = [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]
FIRST = 100_000  # seconds of the first call


def i32(*values: int) -> bytes:
    return struct.pack(f">{len(values)}i", *values)


def u16(*values: int) -> bytes:
    return struct.pack(f">{len(values)}H", *values)


def u8(value: int) -> bytes:
    return bytes([value])


def listed(*values: int) -> bytes:
    return i32(len(values), *values)


def statuses(*said: tuple[int, int, int]) -> bytes:
    """Of each message its bytes, sender and tag."""
    return i32(len(said)) + b"".join(
        i32(size, source) + bytes(2) + i32(tag) for size, source, tag in said
    )


def message(count: int, kind: int, peer: int, tag: int, comm: int = WORLD) -> bytes:
    return i32(count) + u16(kind) + i32(peer, tag) + u16(comm)


class Calls:
    """The calls of a rank; each takes 10 us, and 90 us are computed before it."""

    def __init__(self) -> None:
        self.bytes = b""
        self.time = 0
        self.add(INIT, i32(1) + i32(5) + b"./mpi")

    def add(self, number: int, stored: bytes = b"", mask: int = 0b1001011, skip: int = 90) -> None:
        """A call: the mask says statuses, wall times, a thread."""
        begin, end = self.time + skip * 1000, self.time + (skip + 10) * 1000
        times = b"".join(u16(at // 10**9) + i32(at % 10**9) for at in (begin, end))
        counters = u8(1) + bytes(16) if mask & 0x80 else b""
        cpu = bytes(12) if mask & 4 else b""
        self.bytes += u16(number) + u8(mask) + (u16(0) if mask & 0x40 else b"")
        self.bytes += cpu + (times if mask & 8 else b"") + counters + stored
        self.time = end


def file_of(calls: Calls, version: tuple[int, int, int] = (1, 0, 0), finish: bool = True) -> bytes:
    """The content of the file of a rank."""
    if finish:
        calls.add(FINALIZE)
    body = i32(0, FIRST) + calls.bytes + u16(END)
    header = bytes(version) + bytes(8) + bytes(4) + bytes(4)
    sizes = listed(*SIZES)
    places = [8 + len(body) + len(header), 0, 0, 8 + len(body), 8, 8, 8]
    return MAGIC + body + header + sizes + MAGIC + struct.pack(">7Q", *places)


def written(folder: Path, ranks: Sequence[Calls], **more: Any) -> Path:
    """The files of ranks, and the one that lists them; returns that."""
    for rank, calls in enumerate(ranks):
        (folder / f"run-{rank:04}.bin").write_bytes(file_of(calls, **more))
    path = folder / "run.meta"
    path.write_text(f"hostname=here\nnumprocs={len(ranks)}\nfileprefix=/scratch/run\nversion=1\n")
    return path
