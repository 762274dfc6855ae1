"""Run by test_loops.py on several ranks: overlapped loops against blocking ones, to the bit."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from mpi4py import MPI

import lapwing
from lapwing import mpi

COMM = MPI.COMM_WORLD
RANK, RANKS = COMM.rank, COMM.size
MACHINE = lapwing.load_profile(sys.argv[1])


def planned(array: np.ndarray, **changed: Any) -> lapwing.Plan:
    """A plan for an array, with some fields of it changed."""
    plan = lapwing.plan(
        MACHINE, volume=array.nbytes, compute="1ms", grain=array.nbytes // len(array)
    )
    return lapwing.Plan.from_json(json.dumps(plan.document | changed))


def plans(array: np.ndarray) -> Iterator[lapwing.Plan]:
    """Plans of several kinds for an array."""
    yield planned(array)
    yield planned(array, window=1)
    yield planned(array, window=4, burst=3)
    yield planned(array, window=2, burst=8, pace=1e-10)
    yield planned(array, poll_interval={"seconds": 1e-5}, window=3)


def noise(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).uniform(-1, 1, shape)


def computed(array: np.ndarray) -> np.ndarray:
    mpi.poll()
    return np.sin(array) * 3 + array


def streams() -> None:
    """All other ranks stream to rank 0, which takes one stream after the other."""
    for shape in ((20_000,), (300, 41)):
        data = noise(*shape)
        for plan in plans(data):
            if RANK > 0:
                mpi.feed(COMM, 0, data, plan)
                continue
            for source in range(1, RANKS):
                room, result = np.zeros_like(data), np.zeros_like(data)
                count = 0
                for piece in mpi.stream(COMM, source, room, plan):
                    result[piece.first : piece.first + len(piece.data)] = computed(piece.data)
                    count += 1
                assert count == plan.count > 1
                assert (room.tobytes(), result.tobytes()) == (
                    data.tobytes(),
                    computed(data).tobytes(),
                )


def several_streams_at_once() -> None:
    """Two streams of one rank, and a loop that is left early: the rest arrives all the same."""
    data = noise(5000)
    plan, other = planned(data), planned(data, window=2)
    if RANK == 1:
        COMM.Barrier()
        for each in (data, data + 1):
            mpi.feed(COMM, 0, each, plan)
    elif RANK == 0:
        rooms = [np.zeros_like(data) for _ in range(2)]
        first = mpi.stream(COMM, 1, rooms[0], plan)
        COMM.Barrier()
        for _ in first:
            break
        first.close()
        seen: list[int] = []
        mpi.stream(COMM, 1, rooms[1], other, lambda piece: seen.append(piece.first))
        assert seen == sorted(seen)
        assert len(seen) == plan.count
        assert rooms[0].tobytes() == data.tobytes()
        assert rooms[1].tobytes() == (data + 1).tobytes()
    else:
        COMM.Barrier()


def pipelines() -> None:
    data = noise(8000)
    for plan in plans(data):
        mine, room = np.zeros_like(data), np.zeros_like(data)

        def fill(piece: mpi.Piece, into: np.ndarray = mine) -> None:
            assert piece.data.base is into
            last = piece.first + len(piece.data)
            piece.data[...] = computed(data[piece.first : last]) + RANK

        if RANK > 0:
            mpi.pipeline(COMM, mine, plan, fill, 0)
        for source in range(1, RANKS) if RANK == 0 else ():
            mpi.stream(COMM, source, room, plan).close()
            assert room.tobytes() == (computed(data) + source).tobytes()

        summed, order = np.zeros_like(data), []
        mpi.pipeline(
            COMM,
            mine,
            plan,
            fill,
            lambda piece, into=summed: COMM.Iallreduce(
                piece.data, into[piece.first : piece.first + len(piece.data)]
            ),
            lambda piece, into=order: into.append(piece.first),
        )
        right = np.zeros_like(data)
        COMM.Allreduce(mine, right)
        assert np.abs(summed - right).max() < 1e-12
        assert order == sorted(order)


def several_sources() -> None:
    """All other ranks stream to rank 0 at once, which takes their pieces in the plan's order."""
    data = noise(6000)
    for plan in [*plans(data), planned(data, order="interleaved", window=3)]:
        if RANK > 0:
            mpi.feed(COMM, 0, data + RANK, plan)
            continue
        sources = list(range(RANKS - 1, 0, -1))
        room, result = np.zeros((RANKS - 1, 6000)), np.zeros((RANKS - 1, 6000))
        order: list[tuple[int, int]] = []
        for piece in mpi.multi(COMM, sources, room, plan):
            place = sources.index(piece.peer)
            result[place, piece.first : piece.first + len(piece.data)] = computed(piece.data)
            order.append((place, piece.first))
        turns = sorted(order, key=lambda each: each[:: 1 if plan.order == "contiguous" else -1])
        assert (len(order), order) == (plan.count * len(sources), turns)
        for place, source in enumerate(sources):
            assert room[place].tobytes() == (data + source).tobytes()
            assert result[place].tobytes() == computed(data + source).tobytes()


def exchanges() -> None:
    """Each rank exchanges with all others, and with the two beside it."""
    data = noise(2000)
    out = np.stack([data + 100 * RANK + rank for rank in range(RANKS)])
    right = np.zeros_like(out)
    COMM.Alltoall(out, right)
    for plan in [
        *plans(data),
        planned(data, order="contiguous", staggered=False),
        planned(data, order="interleaved", window=3),
    ]:
        for sequence in (None, mpi.ring_sequence(RANK, RANKS)):
            into, seen = np.zeros_like(out), np.zeros_like(out)

            def consume(piece: mpi.Piece, seen: np.ndarray = seen) -> None:
                seen[piece.peer, piece.first : piece.first + len(piece.data)] = computed(piece.data)

            mpi.exchange(COMM, out, dict(enumerate(into)), plan, consume, sequence)
            peers = sequence.receive_from if sequence else range(RANKS)
            for peer in set(peers) - {RANK}:
                assert into[peer].tobytes() == right[peer].tobytes()
                assert seen[peer].tobytes() == computed(right[peer]).tobytes()


def jacobi(steps: int, overlapped: bool) -> bytes:
    """A plate in blocks of columns, whose edges do not lie side by side, in a ring of ranks."""
    now = noise(30, 12) + RANK
    after = now.copy()
    left, right = (RANK - 1) % RANKS, (RANK + 1) % RANKS
    sides = [
        mpi.Side(left, now[:, 1], now[:, 0]),
        mpi.Side(right, now[:, -2], now[:, -1]),
        mpi.Side(-1, now[0], now[0]),
    ]
    halo = mpi.Halo(COMM, sides, planned(now, poll_interval={"seconds": 1e-5}))
    arrived: list[int] = []

    def columns(first: int, last: int) -> None:
        mpi.poll()
        after[1:-1, first:last] = 0.25 * (
            now[:-2, first:last]
            + now[2:, first:last]
            + now[1:-1, first - 1 : last - 1]
            + now[1:-1, first + 1 : last + 1]
        )

    for _ in range(steps):
        if overlapped:
            halo.exchange(lambda: columns(2, 10), arrived.append)
        else:
            to_right = np.ascontiguousarray(now[:, -2])
            to_left = np.ascontiguousarray(now[:, 1])
            now[:, 0] = COMM.sendrecv(to_right, right, 5, None, left, 5)
            now[:, -1] = COMM.sendrecv(to_left, left, 6, None, right, 6)
            columns(2, 10)
        columns(1, 2)
        columns(10, 11)
        now[1:-1, 1:-1] = after[1:-1, 1:-1]
    assert not overlapped or sorted(arrived) == sorted([0, 1, 2] * steps)
    return now.tobytes()


def halos() -> None:
    assert jacobi(20, overlapped=True) == jacobi(20, overlapped=False)
    # Memory that is packed by hand; a rank beside itself.
    out, into = np.zeros(4), np.zeros(4)
    halo = mpi.Halo(COMM, [mpi.Edge(RANK, out, into)])
    for number in range(3):
        halo.exchange(lambda: None, pack=lambda _, n=number: out.fill(n))
        assert into.tolist() == [number] * 4
    beside = mpi.Halo(COMM, [mpi.Side(RANK, data := noise(3), found := np.zeros(3))])
    beside.exchange(lambda: None)
    assert found.tobytes() == data.tobytes()
    # An edge that arrives while the interior is computed: its border is computed once, on its data.
    columns, room = noise(8, 2), np.zeros((8, 2))
    often = planned(noise(1000), poll_interval={"seconds": 1e-9})
    halo = mpi.Halo(COMM, [mpi.Side(RANK, columns[:, 0], room[:, 0])], often)
    seen: list[list[float]] = []
    halo.exchange(
        lambda: [mpi.poll() for _ in range(1000)], lambda _: seen.append(room[:, 0].tolist())
    )
    assert seen == [columns[:, 0].tolist()]
    # A grid in two buffers, whose sides have no multiple of the plan's messages.
    left, right = (RANK - 1) % RANKS, (RANK + 1) % RANKS
    grids = [np.zeros((4, 37)), np.zeros((4, 37))]
    first, second = (
        [mpi.Side(left, grid[1], grid[0]), mpi.Side(right, grid[2], grid[3])] for grid in grids
    )
    halo = mpi.Halo(COMM, first, planned(noise(1000)), second)
    for step in range(5):
        now = grids[step % 2]
        now[1], now[2] = np.arange(37) + 100 * RANK, np.arange(37) - 100 * RANK + step
        now[0] = now[3] = 0
        halo.exchange(lambda: None)
        assert now[0].tolist() == [each - 100 * left + step for each in range(37)]
        assert now[3].tolist() == [each + 100 * right for each in range(37)]


def refusals() -> None:
    data = noise(1000)
    plan = planned(data)
    for wrong, says in [
        (data[:-1], "the plan is for a volume of 8000 bytes, the data have 7992"),
        (data[::2], "no contiguous array"),
        (data.reshape(10, 100), "no multiple of an element of 800"),
    ]:
        for call in (mpi.stream, mpi.feed):
            try:
                call(COMM, 0, wrong, plan)
            except ValueError as error:
                assert says in str(error), error
            else:
                raise AssertionError(says)
    edge = mpi.Edge(0, data, data)
    try:
        mpi.Halo(COMM, [edge, edge])
    except ValueError as error:
        assert str(error) == "halo: two edges with rank 0 have the same tag 0"
    else:
        raise AssertionError
    with_other = [mpi.Side(0, data, data)], plan, [mpi.Side(0, data[:9], data[:9])]
    for call, says in [
        (lambda: mpi.Halo(COMM, *with_other), "halo: the sides of its two buffers differ"),
        (lambda: mpi.multi(COMM, [0], noise(2, 1000), plan), "1 sources, and room for 2 streams"),
        (
            lambda: mpi.exchange(COMM, [], [], plan, sequence=mpi.PeerSequence([0], [])),
            "as many places to send in as to receive in",
        ),
    ]:
        try:
            call()
        except ValueError as error:
            assert says in str(error), error
        else:
            raise AssertionError(says)
    assert mpi.require_same_plan(plan, COMM) is plan


for loop in (
    streams,
    several_streams_at_once,
    several_sources,
    exchanges,
    pipelines,
    halos,
    refusals,
):
    loop()
    COMM.Barrier()
if RANK == 0:
    print(f"{RANKS} ranks: all as the blocking loops")
