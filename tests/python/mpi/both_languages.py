"""Run by test_both_languages.py on two ranks: one is the example in C++, the other is this.

argv: the profile, the example, and the rank that is to be the example.
"""

import os
import sys


def stream(rank: int, machine: str) -> None:
    # MPI begins when mpi4py is loaded, and once in a process.
    import numpy as np
    from mpi4py import MPI

    import lapwing
    from lapwing import mpi

    plan = lapwing.plan(lapwing.load_profile(machine), volume="1MB", compute="1.4ms", grain=8)
    comm = MPI.COMM_WORLD.Dup()  # as the transport in C++ has a communicator of its own
    data = np.full(1 << 17, 0.5)
    if rank == 1:
        mpi.feed(comm, 0, data, plan)
        return
    data[:] = 0
    count = sum(1 for _ in mpi.stream(comm, 1, data, plan))
    print(f"sum {data.sum():.0f}, received in {count} messages, {plan.window} in flight")


def stencil(rank: int, machine: str) -> None:
    import numpy as np
    from mpi4py import MPI

    import lapwing
    from lapwing import mpi

    rows, columns = 500, 4096
    comm = MPI.COMM_WORLD.Dup()
    share_profile(rank, machine)
    now = np.zeros((rows + 2, columns))
    if rank == 0:
        now[0] = 1
    after = now.copy()
    up, down = (-1, 1) if rank == 0 else (0, -1)

    def sides(grid: np.ndarray) -> list[mpi.Side]:
        return [mpi.Side(up, grid[1], grid[0]), mpi.Side(down, grid[rows], grid[rows + 1])]

    def compute(first: int, last: int) -> None:
        above, here, below = (now[first + by : last + by] for by in (-1, 0, 1))
        after[first:last, 1:-1] = 0.25 * (
            above[:, 1:-1] + below[:, 1:-1] + here[:, :-2] + here[:, 2:]
        )

    plan = lapwing.plan(
        lapwing.load_profile(machine),
        volume=2 * now[0].nbytes,
        compute="2ms",
        pattern="halo",
        peers=2,
    )
    halo = mpi.Halo(comm, sides(now), plan, sides(after))
    for _ in range(100):
        halo.exchange(lambda: compute(2, rows))
        compute(1, 2)
        compute(rows, rows + 1)
        now, after = after, now
    if rank == 0:
        print(f"beside the hot side: {now[1, columns // 2]:.6f}")


def share_profile(rank: int, machine: str) -> None:
    """Take part in what `load_profile` of C++ does on all ranks."""
    import numpy as np
    from mpi4py import MPI

    ranks = MPI.COMM_WORLD.Dup()
    with open(machine, "rb") as file:
        document = file.read()
    for text in (b"", document):
        size = np.array([len(text)], np.uint64)
        ranks.Bcast(size, 0)
        ranks.Bcast([bytearray(text) if rank == 0 else bytearray(int(size[0])), MPI.CHAR], 0)
    ranks.Free()


mine = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
_, profile, example, native = sys.argv
if mine == int(native):
    os.execv(example, [example, profile])
{"stream": stream, "stencil": stencil}[os.path.basename(example).split(".")[0].split("-")[1]](
    mine, profile
)
