"""Run by test_both_languages.py on two ranks: one is the example in C++, the other is this.

argv: the profile, the example, and the rank that is to be the example.
"""

import os
import sys


def overlap(rank: int, machine: str) -> None:
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


mine = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
_, profile, example, native = sys.argv
if mine == int(native):
    os.execv(example, [example, profile])
overlap(mine, profile)
