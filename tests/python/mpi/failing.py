"""Run by test_loops.py on two ranks: loops that cannot go well. argv: a profile, and which."""

import sys

import numpy as np
from mpi4py import MPI

import lapwing
from lapwing import mpi

COMM = MPI.COMM_WORLD
MACHINE = lapwing.load_profile(sys.argv[1])
FIRST = COMM.rank == 0


def plan(doubles: int, compute: str = "1ms") -> lapwing.Plan:
    return lapwing.plan(MACHINE, volume=8 * doubles, compute=compute, grain=8)


def exchange(mine: lapwing.Plan, doubles: int) -> None:
    if FIRST:
        for _ in mpi.stream(COMM, 1, np.zeros(doubles), mine):
            pass
    else:
        mpi.feed(COMM, 0, np.zeros(doubles), mine)
    COMM.Barrier()


def longer() -> None:
    exchange(plan(100_000 if FIRST else 200_000), 100_000 if FIRST else 200_000)


def other_sizes() -> None:
    exchange(plan(100_000, "1ms" if FIRST else "9ms"), 100_000)


def collective() -> None:
    mine = plan(1000 if FIRST else 2000)
    data = np.zeros(1000 if FIRST else 2000)
    mpi.pipeline(
        COMM, data, mine, lambda _: None, lambda piece: COMM.Iallreduce(MPI.IN_PLACE, piece.data)
    )


def edges() -> None:
    size = 5 if FIRST else 6
    mpi.Halo(COMM, [mpi.Edge(1 - COMM.rank, np.zeros(size), np.zeros(size))]).exchange(lambda: None)
    COMM.Barrier()


def computation() -> None:
    data, mine = np.zeros(100_000), plan(100_000)
    if FIRST:
        mpi.stream(COMM, 1, data, mine, lambda piece: 1 // piece.first)
    else:
        mpi.feed(COMM, 0, data, mine)
    COMM.Barrier()


def loop() -> None:
    data, mine = np.zeros(100_000), plan(100_000)
    if FIRST:
        for _ in mpi.stream(COMM, 1, data, mine):
            raise RuntimeError("out of the loop")
    mpi.feed(COMM, 0, data, mine)
    COMM.Barrier()


def raised() -> None:
    """Exceptions that go on to the caller."""
    mpi.on_failure("raise")
    data = np.zeros(1000)
    try:
        mpi.pipeline(COMM, data, plan(1000), lambda _: 1 // 0, 1 - COMM.rank)
    except ZeroDivisionError:
        print("raised\n", end="", flush=True)


globals()[sys.argv[2]]()
