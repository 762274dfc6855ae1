"""Text logs of the Intel MPI Benchmarks."""

import json

import pytest
from logs import cells, complaint, imported

END = "\n\n# All processes entering MPI_Finalize\n\n"
HEAD = """\
#------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2019 Update 3, MPI-1 part
#------------------------------------------------------------
# Machine               : x86_64
"""
OLD = """\
#---------------------------------------------------
#    Intel (R) MPI Benchmark Suite V3.2.3, MPI-1 part
#---------------------------------------------------
"""
RANGE = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"


def benchmark(name: str, ranks: int, header: str, *rows: str) -> str:
    line = "#" + 40 * "-" + "\n"
    return (
        f"\n{line}# Benchmarking {name} \n# #processes = {ranks} \n"
        f"# ( 2 additional processes waiting in MPI_Barrier)\n{line}{header}"
        + "".join(f"       {row}\n" for row in rows)
    )


PINGPONG = benchmark(
    "PingPong",
    2,
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n",
    "0  1000  1.90  0.00",
    "1  1000  2.00  0.48",
    "1048576  40  102.00  9803.92",
    "2097152  20  202.00  9900.99",
)


@pytest.mark.parametrize(("head", "version"), [(HEAD, "2019 Update 3"), (OLD, "3.2.3")])
def test_collectives(head: str, version: str) -> None:
    text = head + benchmark(
        "Allreduce", 16, RANGE, "0 1000 0.03 0.04 0.03", "4 1000 5.00 7.00 6.00"
    )
    found = imported(text + END, ranks_per_node=4)
    assert found.measurements is not None
    (cell,) = found.measurements.cells
    assert (cell.operation, cell.size, cell.mean, cell.samples) == ("allreduce", 4, 7e-6, 1000)
    assert (cell.mean_over_ranks, cell.over_ranks) == (6e-6, "slowest")
    assert (cell.nodes, cell.ranks_per_node, cell.ranks) == (4, 4, 16)
    assert found.measurements.sources[0].version == version
    assert len(found.notes) == 1 and "left out 1 row with nothing to send" in found.notes[0]


@pytest.mark.parametrize(
    ("name", "operation", "size"),
    [
        ("Bcast", "bcast", 1024),
        ("Reduce", "reduce", 1024),
        ("Allgather", "allgather", 1024),
        ("Alltoall", "alltoall", 1024),
        ("Gather", "gather", 1024),
        ("Scatter", "scatter", 1024),
        ("Reduce_scatter", "reduce_scatter", 128),
        ("Reduce_scatter_block", "reduce_scatter", 1024),
    ],
)
def test_sizes(name: str, operation: str, size: int) -> None:
    (cell,) = cells(HEAD + benchmark(name, 8, RANGE, "1024 1000 5.00 7.00 6.00") + END)
    assert (cell.operation, cell.size, cell.ranks, cell.nodes) == (operation, size, 8, None)


def test_one_rank_communicates_nothing() -> None:
    text = HEAD + benchmark("Bcast", 1, RANGE, "8 1000 0.02 0.02 0.02")
    text += benchmark("Bcast", 2, RANGE, "8 1000 1.00 2.00 1.50") + END
    found = imported(text)
    assert found.measurements is not None
    assert [cell.ranks for cell in found.measurements.cells] == [2]
    assert "left out 1 row with nothing to send" in found.notes[0]


def test_a_barrier_has_no_bytes() -> None:
    header = " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    (cell,) = cells(HEAD + benchmark("Barrier", 4, header, "1000 5.00 7.00 6.00") + END)
    assert (cell.operation, cell.size, cell.mean, cell.samples) == ("barrier", 0, 7e-6, 1000)


def test_fewer_processes_are_on_the_first_nodes() -> None:
    text = HEAD + "".join(
        benchmark("Bcast", ranks, RANGE, "8 1000 5.00 7.00 6.00") for ranks in (2, 4, 8, 16)
    )
    for said in ({"nodes": 4}, {"ranks_per_node": 4}, {"nodes": 4, "ranks_per_node": 4}):
        found = [(c.nodes, c.ranks_per_node) for c in cells(text + END, **said)]
        assert found == [(1, 2), (1, 4), (2, 4), (4, 4)], said
    assert "are no whole number of nodes of 3 ranks each" in complaint(text, ranks_per_node=3)
    assert "are on 4 nodes, not on 3" in complaint(text, ranks_per_node=4, nodes=3)


def test_a_profile() -> None:
    uniband = benchmark(
        "Uniband",
        2,
        "       #bytes #repetitions   Mbytes/sec      Msg/sec\n",
        "0  1000  0.00  2500000",
        "1  1000  2.00  2000000",
        "2097152  20  9900.99  10000",
    )
    sendrecv = benchmark(
        "Sendrecv",
        2,
        "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n",
        "0  1000  2.00  2.00  2.00  0.00",
        "2097152  20  100.00  200.00  150.00  20971.52",
    )
    found = imported(HEAD + PINGPONG + uniband + sendrecv + END).profile
    assert found is not None
    assert found.loggp.g == pytest.approx(0.5e-6)
    assert pytest.approx(2097152 * 1e4) == 1 / found.loggp.G
    assert '"bidirectional": [\n      20971520000.0' in found.to_json()


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({}, "2, unknown whether"),
        ({"nodes": 1}, "2, within a node"),
        ({"nodes": 2}, "2, within a node"),
        ({"nodes": 8}, "2, between two nodes"),
        ({"ranks_per_node": 1}, "2, between two nodes"),
        ({"ranks_per_node": 4}, "2, within a node"),
    ],
)
def test_the_first_two_ranks_may_be_on_one_node(said: dict, place: str) -> None:
    text = HEAD + PINGPONG + benchmark("Bcast", 8, RANGE, "8 1000 5.00 7.00 6.00") + END
    profile = imported(text, **said).profile
    assert profile is not None
    assert json.loads(profile.to_json())["machine"]["ranks"].startswith(place)
    # Of a job of two ranks on two nodes they are apart.
    profile = imported(HEAD + PINGPONG + END, nodes=2).profile
    assert profile is not None
    assert json.loads(profile.to_json())["machine"]["ranks"] == "2, between two nodes"


def test_what_is_of_no_use_is_named() -> None:
    text = HEAD + PINGPONG + benchmark("PingPing", 2, RANGE, "1 10 1 1 1")
    text += benchmark("Sendrecv", 8, RANGE, "1 10 1 1 1") + benchmark("Multi-Bcast", 8, RANGE)
    text += benchmark("Bcast", 8, RANGE, "64 10 1.00 1.00 1.00", "128 out-of-mem.; needed X= 2 GB")
    assert imported(text).notes == [
        "log.txt: left out PingPing, Sendrecv of 8 ranks, Multi-Bcast",
        "log.txt: left out 1 rows that the benchmark gave up",
        "log.txt: has no end, and may have been cut short",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (benchmark("Bcast", 4, RANGE), "log.txt:3: cut short: no rows of Bcast"),
        (benchmark("Bcast", 4, RANGE, "8 1000 5.00"), "log.txt:8: cut short: 3 words under 5"),
        (benchmark("Bcast", 4, RANGE, "8 1000 5.00 0.00 1.00"), "log.txt:8: t_max is 0.00"),
        (benchmark("Bcast", 4, RANGE, "8 1000 5.00 nan 1.00"), "log.txt:8: t_max is nan"),
        (benchmark("Bcast", 4, "", "8 1000 5.00 6.00 1.00"), "log.txt:7: no header of columns"),
    ],
)
def test_a_log_that_cannot_be(text: str, said: str) -> None:
    assert complaint(text).startswith(said)
