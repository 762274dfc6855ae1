"""Measurements of collectives: cells, their medians over runs, and the document."""

import json
from pathlib import Path

import pytest
from documents import check

from lapwing import Cell, LapwingError, Measurements, load_measurements
from lapwing.measurements.cell import Source
from lapwing.measurements.document import measurements_document


def cell(**changed: object) -> Cell:
    known: dict = {
        "operation": "allgather",
        "algorithm": "ring",
        "size": 1024,
        "nodes": 8,
        "ranks_per_node": 2,
        "ranks": 16,
        "median": 2e-5,
    }
    return Cell(**known | changed)


def several() -> Measurements:
    cells = [
        cell(run="a", quartiles=(1.9e-5, 2.2e-5), samples=99, system="thing", mpi="MPI 1"),
        cell(run="b", median=None, mean=3e-5, over_ranks="slowest", mean_over_ranks=2e-5),
        cell(run="c", median=7e-5, minimum=1e-5, maximum=1e-3, shape=(2, 2, 2), source=1),
        cell(nodes=None, ranks_per_node=None, ranks=None),
    ]
    return Measurements(cells, [Source("a.csv", "table"), Source("b.txt", "OSU", "7.5")], ["hm"])


def test_what_is_written_is_read(tmp_path: Path) -> None:
    document = measurements_document(several())
    check("measurements", document)
    path = tmp_path / "measured.json"
    path.write_text(json.dumps(document))
    assert load_measurements(path) == several()


def test_the_median_over_runs_has_its_spread() -> None:
    cells = [cell(run=run, median=time) for run, time in (("a", 3.0), ("b", 1.0), ("c", 7.0))]
    cells.insert(1, cell(algorithm="bruck", median=4.0, quartiles=(3.5, 5.0)))
    cells.append(cell(size=2048))
    ring, bruck, larger = Measurements(cells).typical()
    assert (ring.seconds, ring.low, ring.high, len(ring.cells)) == (3.0, 1.0, 7.0, 3)
    # The spread of a single run is that of its iterations.
    assert (bruck.seconds, bruck.low, bruck.high) == (4.0, 3.5, 5.0)
    assert (larger.low, larger.high) == (None, None)


def test_a_mean_stands_in_for_a_median() -> None:
    assert cell(median=None, mean=5e-6).seconds == 5e-6
    assert cell(median=4e-6, mean=5e-6).seconds == 4e-6


@pytest.mark.parametrize(
    ("algorithm", "own"),
    [
        ("default", True),
        ("default_mpich", True),
        ("default-default", True),
        ("default-ring", False),
        ("ring", False),
        ("defaulting", False),
    ],
)
def test_who_chose_the_algorithm(algorithm: str, own: bool) -> None:
    assert cell(algorithm=algorithm).setup.is_default == own


def test_setups_of_other_shape_differ() -> None:
    cells = [cell(shape=(2, 2, 2)), cell(shape=(8, 1, 1)), cell()]
    assert len(Measurements(cells).typical()) == 3
    assert list(Measurements(cells).by_title()) == [
        "allgather, 2x2x2 nodes, 2 ranks a node",
        "allgather, 8x1x1 nodes, 2 ranks a node",
        "allgather, 8 nodes, 2 ranks a node",
    ]


def test_titles_say_what_is_known() -> None:
    known = [
        cell(system="thing", mpi="MPI 1"),
        cell(nodes=1, ranks_per_node=1, ranks=1),
        cell(nodes=None, ranks_per_node=None, ranks=12),
        cell(nodes=None, ranks_per_node=None, ranks=None),
    ]
    assert [each.setup.title for each in known] == [
        "thing, MPI 1, allgather, 8 nodes, 2 ranks a node",
        "allgather, 1 node, 1 rank a node",
        "allgather, 12 ranks",
        "allgather, unknown ranks",
    ]


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("median", 0, "cells[0].median: 0 is no time"),
        ("median", -1.0, "cells[0].median: -1.0 is no time"),
        ("median", True, "cells[0].median: True is no time"),
        ("median", "1us", "cells[0].median: '1us' is no time"),
        ("quartiles", [1e-6], "cells[0].quartiles: not two"),
        ("over_ranks", "all", "cells[0].over_ranks: 'all'"),
        ("size", -1, "cells[0].size: -1 is no such number"),
        ("size", 1.5, "cells[0].size: 1.5 is no such number"),
        ("nodes", 0, "cells[0].nodes: 0 is no such number"),
        ("ranks", 17, "cells[0].ranks: 17, not 16"),
        ("source", 2, "cells[0].source: there are 2 sources"),
        ("operation", 3, "operation: is no text"),
        ("operation", None, "no 'operation'"),
        ("median", None, "cells[0]: neither median nor mean"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, field: str, value: object, complaint: str) -> None:
    document = measurements_document(several())
    document["cells"][0].pop(field, None)
    if value is not None:
        document["cells"][0][field] = value
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.raises(LapwingError) as raised:
        load_measurements(tmp_path / "m.json")
    said = f"{tmp_path / 'm.json'}: no whole measurements document: {complaint}"
    assert str(raised.value) == said


def test_another_document_is_no_measurements(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"lapwing": "plan"}')
    with pytest.raises(LapwingError, match="is a plan document, no measurements"):
        load_measurements(tmp_path / "plan.json")
    (tmp_path / "cut.json").write_text('{"lapwing": "measu')
    with pytest.raises(LapwingError, match="cut short"):
        load_measurements(tmp_path / "cut.json")
