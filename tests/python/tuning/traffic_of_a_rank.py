"""One rank of an MPI program that notes how many bytes each of its TCP connections received.

Arguments: a folder for what was noted, and the collectives: "operation:bytes", each run in turn.
"""

import json
import os
import socket
import struct
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

REPEATS = 4  # as in real_libraries.py
_BYTES_RECEIVED = 128  # where tcp_info of linux/tcp.h has tcpi_bytes_received


def connections() -> dict[tuple[str, str], int]:
    """Bytes that this process received so far, by connection: its own end and the other one."""
    found: dict[tuple[str, str], int] = {}
    for entry in os.listdir("/proc/self/fd"):
        try:
            if not os.readlink(f"/proc/self/fd/{entry}").startswith("socket:"):
                continue
            with socket.socket(fileno=os.dup(int(entry))) as end:
                if end.family not in (socket.AF_INET, socket.AF_INET6):
                    continue
                info = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                ends = tuple(
                    f"{name[0].removeprefix('::ffff:')}:{name[1]}"
                    for name in (end.getsockname(), end.getpeername())
                )
        except OSError:  # closed meanwhile, or listens
            continue
        (received,) = struct.unpack_from("Q", info, _BYTES_RECEIVED)
        found[ends] = max(received, found.get(ends, 0))
    return found


def collective(comm: MPI.Intracomm, operation: str, size: int):
    """What runs `operation` once on messages of `size` bytes, as Lapwing counts them."""
    ranks, count = comm.size, max(1, size // 8)
    one, all_ = np.ones(count), np.ones(count * ranks)
    return {
        "barrier": lambda: comm.Barrier(),
        "bcast": lambda: comm.Bcast(one),
        "allgather": lambda: comm.Allgather(one, all_),
        "alltoall": lambda: comm.Alltoall(all_, np.empty(count * ranks)),
        "allreduce": lambda: comm.Allreduce(one, np.empty(count)),
        "reduce": lambda: comm.Reduce(one, np.empty(count)),
        "reduce_scatter": lambda: comm.Reduce_scatter(all_, one),
        "reduce_scatter_block": lambda: comm.Reduce_scatter_block(all_, one),
        "gather": lambda: comm.Gather(one, all_ if comm.rank == 0 else None),
        "scatter": lambda: comm.Scatter(all_ if comm.rank == 0 else None, one),
    }[operation]


def main(folder: str, *cases: str) -> None:
    comm = MPI.COMM_WORLD
    noted = []
    for case in cases:
        operation, size = case.split(":")
        run = collective(comm, operation, int(size))
        run()  # opens connections
        comm.Barrier()
        before = connections()
        comm.Barrier()
        for _ in range(REPEATS):
            run()
        comm.Barrier()
        after = connections()
        comm.Barrier()
        received = [[*ends, total - before.get(ends, 0)] for ends, total in after.items()]
        noted.append(received)
    library = MPI.Get_library_version()
    path = Path(folder) / f"{comm.rank}.json"
    path.write_text(json.dumps({"library": library, "cases": noted}))


main(*sys.argv[1:])
