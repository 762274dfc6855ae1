"""Tables with a header row: what their columns mean, and what is refused."""

from pathlib import Path

import pytest

from lapwing import Cell, LapwingError, import_logs

HEADER = "nodes,ranks_per_node,collective,algorithm,bytes,median_us"


def cells(*rows: str, header: str = HEADER, **said: object) -> list[Cell]:
    Path("t.csv").write_text("\n".join([header, *rows]) + "\n")
    measurements = import_logs(["t.csv"], **said).measurements  # type: ignore[arg-type]
    assert measurements is not None
    return list(measurements.cells)


def complaint(*rows: str, header: str = HEADER, **said: object) -> str:
    with pytest.raises(LapwingError) as raised:
        cells(*rows, header=header, **said)
    return str(raised.value)


@pytest.mark.parametrize(
    ("operation", "size"),
    [
        ("bcast", 4096),
        ("reduce", 4096),
        ("allreduce", 4096),
        ("allgather", 256),
        ("gather", 256),
        ("scatter", 256),
        ("alltoall", 256),
        ("reduce_scatter", 256),
        ("barrier", 0),
    ],
)
def test_bytes_of_all_blocks_become_the_size(operation: str, size: int) -> None:
    (cell,) = cells(f"8,2,{operation},ring,4096,10")
    assert (cell.operation, cell.size, cell.ranks) == (operation, size, 16)
    assert cell.median == 1e-5


def test_a_size_is_taken_as_it_is() -> None:
    (cell,) = cells("8,2,allgather,300,10", header="nodes,ppn,operation,size,mean_us")
    assert (cell.size, cell.mean, cell.algorithm) == (300, 1e-5, "default")


def test_blocks_have_whole_elements() -> None:
    header = "ranks,operation,element,bytes,median_us"
    assert [c.size for c in cells("3,alltoall,8,100,1", header=header)] == [32]
    assert [c.size for c in cells("3,alltoall,,100,1", header=header)] == [32]
    assert [c.size for c in cells("3,alltoall,1,100,1", header=header)] == [33]


def test_fewer_elements_than_ranks_do_nothing() -> None:
    Path("t.csv").write_text(
        f"{HEADER}\n8,2,allgather,ring,60,0.3\n8,2,scatter,ring,60,0\n8,2,bcast,ring,60,9\n"
    )
    imported = import_logs(["t.csv"])
    assert imported.measurements is not None
    assert [cell.operation for cell in imported.measurements.cells] == ["bcast"]
    assert imported.notes == [
        "t.csv: left out 2 rows with nothing to send: one rank, or fewer elements than ranks"
    ]


def test_columns_are_found_by_name_in_any_order() -> None:
    header = (
        "Color;MAX_us;Q3_US;q1_us;Samples;run;bytes;MPI;System;Collective;min_us;Median_ms;ranks"
    )
    (cell,) = cells("red;90;30;10;99;r1;64;MPI 2;thing;MPI_Allreduce;5;0.02;4", header=header)
    assert (cell.operation, cell.system, cell.mpi, cell.run) == (
        "allreduce",
        "thing",
        "MPI 2",
        "r1",
    )
    assert (cell.minimum, cell.quartiles, cell.maximum) == (5e-6, (1e-5, 3e-5), 9e-5)
    assert (cell.median, cell.samples, cell.ranks, cell.nodes) == (2e-5, 99, 4, None)


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s"])
def test_times_have_the_unit_of_their_column(unit: str) -> None:
    (cell,) = cells("4,bcast,8,250", header=f"ranks,operation,size,median_{unit}")
    assert cell.median == {"ns": 2.5e-7, "us": 2.5e-4, "ms": 0.25, "s": 250}[unit]


def test_whose_times_they_are() -> None:
    header = "ranks,operation,size,median_us,over_ranks"
    rows = ["4,bcast,8,1,slowest", "4,bcast,8,1,mean", "4,bcast,8,1,"]
    assert [c.over_ranks for c in cells(*rows, header=header)] == ["slowest", "mean", None]
    said = complaint("4,bcast,8,1,all", header=header)
    assert said == 't.csv:2: over_ranks is "all": slowest or mean'


def test_nodes_of_a_torus_have_a_shape() -> None:
    (cube, line) = cells("2x3x4,1,bcast,tree,8,1", "24,1,bcast,tree,8,1")
    assert (cube.nodes, cube.shape, cube.ranks) == (24, (2, 3, 4), 24)
    assert (line.nodes, line.shape) == (24, ())


def test_what_a_table_does_not_say_is_said_by_options() -> None:
    header = "operation,bytes,median_us"
    (cell,) = cells(
        "alltoall,64,1",
        header=header,
        nodes=2,
        ranks_per_node=4,
        algorithm="bruck",
        system="thing",
        mpi="MPI 3",
    )
    assert (cell.nodes, cell.ranks_per_node, cell.ranks, cell.size) == (2, 4, 8, 8)
    assert (cell.algorithm, cell.system, cell.mpi) == ("bruck", "thing", "MPI 3")
    (cell,) = cells("12,bcast,64,1", header=f"ranks,{header}", ranks_per_node=4)
    assert (cell.nodes, cell.ranks_per_node) == (3, 4)
    # Ranks that fit on one node are on one node.
    (cell,) = cells("3,bcast,64,1", header=f"ranks,{header}", ranks_per_node=4)
    assert (cell.nodes, cell.ranks_per_node) == (1, 3)


def test_unknown_places_stay_unknown() -> None:
    (cell,) = cells("bcast,64,1", header="operation,bytes,median_us")
    assert (cell.nodes, cell.ranks_per_node, cell.ranks) == (None, None, None)


def test_values_are_what_the_user_says() -> None:
    header = "bytes,value,cloud,environment,nodes"
    row = "64,12.5,somebody,cluster,32"
    (cell,) = cells(row, header=header, value="osu_alltoall", ranks_per_node=2)
    assert (cell.operation, cell.size, cell.mean) == ("alltoall", 64, 1.25e-5)
    assert (cell.system, cell.ranks) == ("somebody cluster", 64)
    (cell,) = cells(row, header=header, value="allreduce:ms")
    assert cell.mean == 1.25e-2
    (cell,) = cells(row, header=header, value={"t.csv": "bcast", "u.csv": "reduce"})
    assert cell.operation == "bcast"


def test_rows_are_chosen_by_column() -> None:
    header = "system,where,operation,size,ranks,median_us"
    rows = ["a,x,bcast,8,2,1", "b,x,bcast,8,2,2", "c,y,bcast,8,2,3"]
    assert [c.system for c in cells(*rows, header=header, only={"system": ["a", "c"]})] == [
        "a",
        "c",
    ]
    only = {"System": ["a", "c"], "where": ["y"]}
    assert [c.system for c in cells(*rows, header=header, only=only)] == ["c"]


def test_comments_blank_lines_and_line_ends_do_not_matter() -> None:
    Path("t.csv").write_bytes(f"\ufeff# by hand\r\n\r\n{HEADER}\r\n8,1,bcast,x,8,1\r\n".encode())
    measurements = import_logs(["t.csv"]).measurements
    assert measurements is not None
    assert len(measurements.cells) == 1


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("8,1,bcast,x,8", "t.csv:2: cut short: 5 of the 6 columns of the header"),
        ("8,1,bcast,x,8,0", "t.csv:2: median is 0: a measured value is greater than 0"),
        ("8,1,bcast,x,8,-3", "t.csv:2: median is -3: a measured value is greater than 0"),
        ("8,1,bcast,x,8,nan", "t.csv:2: median is nan: a measured value is greater than 0"),
        ("8,1,bcast,x,8,inf", "t.csv:2: median is inf: nothing that could be measured"),
        ("8,1,bcast,x,8,soon", 't.csv:2: median is "soon", no number'),
        ("8,1,bcast,x,8,", "t.csv:2: neither a median nor a mean"),
        ("8,1,bcast,x,-8,1", 't.csv:2: bytes is "-8", not a whole number from 0 up'),
        ("8,1,bcast,x,8.5,1", 't.csv:2: bytes is "8.5", not a whole number from 0 up'),
        ("eight,1,bcast,x,8,1", 't.csv:2: nodes is "eight": write 8, or 2x2x2'),
        ("0,1,bcast,x,8,1", 't.csv:2: nodes is "0", not a whole number from 1 up'),
        ("8,0,bcast,x,8,1", 't.csv:2: ranks_per_node is "0", not a whole number from 1 up'),
        (",,alltoall,x,8,1", "t.csv:2: the size of alltoall is all of a rank's data"),
        ("8,1,dance,x,8,1", "t.csv: holds nothing to import: left out what is no collective"),
        ('8,1,"bcast,x,8,1', "t.csv:2: cut short: 3 of the 6 columns of the header"),
    ],
)
def test_a_row_that_cannot_be(row: str, said: str) -> None:
    assert complaint(row).startswith(said)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("a,bytes", "t.csv:1: no column operation, and none of latency_us, bandwidth_MB/s"),
        ("operation,bytes", "t.csv:1: no column of times, say median_us or mean_us"),
        ("operation,bytes,median_parsecs", "t.csv:1: no column of times"),
        ("bytes,value", "t.csv:1: nobody says what the column value is: say what it is"),
        ("a,b", "t.csv: of no tool that is known here"),
        ("latency_us,operation", "t.csv:1: no column of times"),
    ],
)
def test_a_header_that_lacks_something(header: str, said: str) -> None:
    assert complaint("1,2,3", header=header).startswith(said)


def test_quartiles_are_in_order() -> None:
    header = "ranks,operation,size,q1_us,median_us,q3_us"
    said = complaint("4,bcast,8,3,2,4", header=header)
    assert said == "t.csv:2: q1 is greater than median"


def test_places_that_cannot_be() -> None:
    header = "nodes,ranks,operation,size,median_us"
    assert "12 ranks do not divide among 5 nodes" in complaint("5,12,bcast,8,1", header=header)
    header = f"ranks_per_node,{header}"
    assert "12 ranks are not 2 nodes of 5" in complaint("5,2,12,bcast,8,1", header=header)
    header = "ranks,operation,size,median_us"
    said = complaint("12,bcast,8,1", header=header, ranks_per_node=5)
    assert said == "t.csv:2: 12 ranks are no whole number of nodes of 5 ranks each"
    said = complaint("12,bcast,8,1", header=header, ranks_per_node=4, nodes=2)
    assert said == "t.csv:2: 12 ranks, 4 a node, are on 3 nodes, not on 2"


def test_what_a_table_says_counts() -> None:
    (cell,) = cells("8,1,bcast,x,8,1", nodes=4, ranks_per_node=2, ranks=3, algorithm="y")
    assert (cell.nodes, cell.ranks_per_node, cell.ranks, cell.algorithm) == (8, 1, 8, "x")
    header = "nodes,ranks,operation,size,median_us"
    (cell,) = cells("8,16,bcast,8,1", header=header, nodes=4, ranks_per_node=1)
    assert (cell.nodes, cell.ranks_per_node, cell.ranks) == (8, 2, 16)
    header = "ranks_per_node,ranks,operation,size,median_us"
    (cell,) = cells("2,16,bcast,8,1", header=header, nodes=4)
    assert (cell.nodes, cell.ranks_per_node, cell.ranks) == (8, 2, 16)
    (cell,) = cells("8,,bcast,x,8,1", ranks_per_node=3, ranks=99)
    assert (cell.nodes, cell.ranks_per_node, cell.ranks) == (8, 3, 24)


def test_values_that_nobody_knows() -> None:
    header = "bytes,value"
    assert 'unknown "beauty"' in complaint("1,2", header=header, value="beauty")
    assert '"miles" is no unit' in complaint("1,2", header=header, value="bcast:miles")
    assert '"MB/s" is no unit' in complaint("1,2", header=header, value="bcast:MB/s")


def test_columns_to_choose_by_must_be_there() -> None:
    said = complaint("8,1,bcast,x,8,1", only={"cloud": ["x"]})
    assert said == "t.csv:1: no column cloud, which is to choose the rows"
    said = complaint("8,1,bcast,x,8,1", only={"algorithm": ["y"]})
    assert said == "t.csv: holds nothing to import"
