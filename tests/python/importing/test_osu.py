"""Text logs of the OSU micro-benchmarks, in all the layouts that their versions print."""

import pytest
from logs import cells, complaint, imported, written

from lapwing import LapwingError, import_logs

LATENCY = """\
# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
1                       2.00
8                       2.10
1048576               102.00
2097152               202.00
"""

HEADS = {
    "3": "# OSU MPI Allreduce Latency Test v3.9\n# Size            Latency (us)\n",
    "5": "# OSU MPI Allreduce Latency Test v5.6.3\n# Size       Avg Latency(us)\n",
    "7": "# OSU MPI Allreduce Latency Test v7.5.2\n# Datatype: MPI_INT.\n# Size  Avg Latency(us)\n",
}
FULL = "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"


@pytest.mark.parametrize("version", HEADS)
def test_average_alone(version: str) -> None:
    found = cells(HEADS[version] + "4   5.94\n8   6.10\n", nodes=2, ranks_per_node=8)
    assert [(c.operation, c.size, c.mean) for c in found] == [
        ("allreduce", 4, 5.94e-6),
        ("allreduce", 8, 6.1e-6),
    ]
    cell = found[0]
    assert (cell.over_ranks, cell.mean_over_ranks, cell.median) == ("mean", None, None)
    assert (cell.nodes, cell.ranks_per_node, cell.ranks) == (2, 8, 16)
    assert cell.algorithm == "default"


def test_where_the_ranks_were() -> None:
    text = HEADS["7"] + "4   5.94\n"
    for said, place in [
        ({"ranks": 12}, (None, None, 12)),
        ({"ranks": 12, "nodes": 3}, (3, 4, 12)),
        ({"ranks": 12, "ranks_per_node": 6}, (2, 6, 12)),
        ({"nodes": 3}, (3, None, None)),
        ({"ranks_per_node": 6}, (None, 6, None)),
    ]:
        (cell,) = cells(text, **said)
        assert (cell.nodes, cell.ranks_per_node, cell.ranks) == place, said
    assert "log.txt:1: 12 ranks do not divide among 5 nodes" in complaint(text, ranks=12, nodes=5)


def test_the_slowest_rank_counts_where_it_is_printed() -> None:
    text = f"# OSU MPI Broadcast Latency Test v6.1\n{FULL}\n1024   5.00   3.00   7.50   1000\n"
    (cell,) = cells(text)
    assert (cell.operation, cell.mean, cell.over_ranks) == ("bcast", 7.5e-6, "slowest")
    assert (cell.mean_over_ranks, cell.samples) == (5e-6, 1000)
    assert (cell.nodes, cell.ranks) == (None, None)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("        Validation", "Pass"),
        ("        Validation P50 Tail Lat(us) P99 Tail Lat(us)", "Pass 5.1 9.9"),
        (" P50 Tail Lat(us)", "4.8"),
        ("     Transmit Size", "512"),
    ],
)
def test_further_columns(more: str, words: str) -> None:
    text = f"# OSU MPI Gather Latency Test v7.3\n{FULL}{more}\n64  5.00 3.00 7.50 1000 {words}\n"
    (cell,) = cells(text)
    assert (cell.operation, cell.size, cell.mean, cell.samples) == ("gather", 64, 7.5e-6, 1000)


@pytest.mark.parametrize(
    ("title", "operation"),
    [
        ("Allgather", "allgather"),
        ("Allgatherv", "allgatherv"),
        ("Allreduce", "allreduce"),
        ("All-to-All Personalized Exchange", "alltoall"),
        ("All-to-Allv Personalized Exchange", "alltoallv"),
        ("Broadcast", "bcast"),
        ("Gather", "gather"),
        ("Reduce", "reduce"),
        ("Scatter", "scatter"),
    ],
)
def test_titles_of_collectives(title: str, operation: str) -> None:
    text = f"# OSU MPI {title} Latency Test v7.4\n# Size       Avg Latency(us)\n64  5.00\n"
    (cell,) = cells(text)
    assert (cell.operation, cell.size) == (operation, 64)


def test_a_barrier_has_no_size() -> None:
    text = "# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n             12.50\n"
    (cell,) = cells(text)
    assert (cell.operation, cell.size, cell.mean) == ("barrier", 0, 1.25e-5)


@pytest.mark.parametrize("name", ["Reduce_scatter", "Reduce_scatter_block"])
def test_all_of_a_reduce_scatter_is_cut_into_blocks(name: str) -> None:
    head = f"# OSU MPI {name} Latency Test v7.4\n# Datatype: MPI_INT.\n# Size  Avg Latency(us)\n"
    found = imported(head + "4 1.00\n32 1.00\n4096 5.00\n", nodes=4, ranks_per_node=4)
    assert found.measurements is not None
    assert [cell.size for cell in found.measurements.cells] == [256]
    assert "left out 2 rows with nothing to send" in found.notes[0]
    assert "nobody says on how many ranks" in complaint(head + "4096 5.00\n")


def test_latency_becomes_a_profile() -> None:
    found = imported(LATENCY, nodes=2)
    assert found.measurements is None
    assert found.profile is not None
    loggp = found.profile.loggp
    assert pytest.approx(1e-4) == loggp.G * (1 << 20)
    assert loggp.L + loggp.o_s + loggp.o_r + loggp.G == pytest.approx(2e-6)


def test_several_benchmarks_in_one_log() -> None:
    text = (
        f"Job 17 on node[1-2]\n\n{LATENCY}"
        "\n# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n"
        "1   2.00\n2097152 20000.00\n"
        "\n# OSU MPI Allgather Latency Test v7.4\n# Size       Avg Latency(us)\n64  5.00\n"
        "slurmstepd: done\n"
    )
    found = imported(text)
    assert found.profile is not None
    assert pytest.approx(2e10) == 1 / found.profile.loggp.G
    assert found.profile.loggp.g == pytest.approx(0.5e-6)
    assert found.measurements is not None
    assert [cell.operation for cell in found.measurements.cells] == ["allgather"]


def test_the_rate_of_messages_has_more_digits() -> None:
    text = (
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
        "# [ pairs: 1 ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n"
        "1                       2.35        2351234.50\n4194304  20000.00  4768.37\n"
    )
    found = imported(LATENCY + text)
    assert found.profile is not None
    assert found.profile.loggp.g == pytest.approx(1 / 2351234.5)


def test_buffers_of_devices_are_another_machine() -> None:
    device = LATENCY.replace("MPI Latency", "MPI-CUDA Latency").replace("2.00", "9.00")
    found = imported(device)
    assert found.profile is not None
    assert '"layer": "MPI-CUDA two-sided"' in found.profile.to_json()
    written("host.txt", LATENCY)
    written("device.txt", device)
    with pytest.raises(LapwingError) as raised:
        import_logs(["host.txt", "device.txt"])
    said = "the logs are of MPI (host.txt) and MPI-CUDA (device.txt): a profile is of buffers in"
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize("prefix", ["[1,0]<stdout>:", "[job.1,0]<stdout>: ", "0: "])
def test_labels_of_launchers(prefix: str) -> None:
    text = "".join(f"{prefix}{line}\n" for line in LATENCY.splitlines())
    assert imported(text).profile is not None


def test_lines_of_launchers_between_rows() -> None:
    rows = LATENCY.splitlines(keepends=True)
    noise = ["2 nodes are idle now\n", "2024-01-01 10:00 srun: step 0 is late\n", "12:30:01 up\n"]
    found = imported("".join([*rows[:4], *noise, *rows[4:], "3 tasks ended\n"]))
    assert found.profile is not None
    assert found.profile.to_json() == imported(LATENCY).profile.to_json()  # type: ignore[union-attr]


def test_a_log_that_was_pasted_with_an_indent() -> None:
    text = "".join(f"    {line}\n" for line in LATENCY.splitlines())
    assert imported(f"Results:\n\n{text}").profile is not None


def test_line_ends_of_windows() -> None:
    assert imported(LATENCY.replace("\n", "\r\n")).profile is not None


def test_what_is_of_no_use_is_named() -> None:
    text = (
        "# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
        "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
        "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n"
        "4   10.00 5.00 5.00 80.00\n"
    )
    assert imported(LATENCY + text).notes == [
        "log.txt: left out MPI Non-blocking Allreduce Latency"
    ]
    said = complaint(text)
    assert said == "log.txt: holds nothing to import: left out MPI Non-blocking Allreduce Latency"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LATENCY[:54], "log.txt:1: cut short: no rows of MPI Latency"),
        (LATENCY + "4194304\n", "log.txt:8: cut short: 1 words under 2 columns"),
        (LATENCY + "4194304   40", "log.txt:8: cut short within 40"),
        (LATENCY + "4194304 4 5 6\n", "log.txt:8: garbled: 4 words under 2 columns"),
        (LATENCY + "4194304 0.00\n", "log.txt:8: latency is 0.00: a measured value is greater"),
        (LATENCY + "4194304 -1.00\n", "log.txt:8: latency is -1.00: a measured value is greater"),
        (LATENCY + "4194304 nan\n", "log.txt:8: latency is nan: a measured value is greater"),
        (
            LATENCY + "4194304 1e999\n",
            "log.txt:8: latency is 1e999: nothing that could be measured",
        ),
        (LATENCY + "4194304 fast\n", 'log.txt:8: latency is "fast", no number'),
        (
            "# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)  Validation\n1 2.00 Fail\n",
            "log.txt:3: the benchmark's own validation failed",
        ),
        ("# OSU MPI Latency Test v7.4\n1 2.00\n", "log.txt:2: no header of columns"),
        (
            "# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n1   2.00\n",
            "log.txt: a profile needs half round trips, too",
        ),
        (
            LATENCY + "# Benchmarking Bcast\n# #processes = 4\n",
            "log.txt: holds OSU micro-benchmarks (text) and Intel MPI Benchmarks (text)",
        ),
    ],
)
def test_a_log_that_cannot_be(text: str, said: str) -> None:
    assert complaint(text).startswith(said)


def test_a_missing_line_end_alone_is_no_cut() -> None:
    assert imported(LATENCY.rstrip("\n")).profile is not None
