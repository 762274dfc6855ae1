"""The files say what the table says, read by readers of their own."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
import readers

from lapwing.errors import LapwingError
from lapwing.tuning.decisions.formats import chosen_format, settings, write
from lapwing.tuning.decisions.library import parse_library
from lapwing.tuning.decisions.table import Algorithm, Decision

OLD = parse_library("openmpi-4.1")
NEW = parse_library("openmpi-5.0.7")
JSON = parse_library("openmpi-6.0")
MPICH = parse_library("mpich-4.2")
INTEL = parse_library("intel-2021")

# What each library calls algorithms of ours, typed from their documents.
OPENMPI = {
    ("bcast", "linear"): (1, 0, 0),
    ("bcast", "binomial"): (6, 0, 0),
    ("bcast", "pipelined"): (3, 0, 8192),
    ("allgather", "bruck"): (2, 0, 0),
    ("allgather", "ring"): (4, 0, 0),
    ("alltoall", "linear"): (1, 0, 0),
    ("alltoall", "bruck"): (3, 0, 0),
    ("allreduce", "ring"): (4, 0, 0),
    ("allreduce", "recursive-doubling"): (3, 0, 0),
    ("reduce_scatter", "recursive-halving"): (3, 0, 0),
}
MPICHS = {
    ("bcast", "binomial"): ("MPIR_Bcast_intra_binomial",),
    ("bcast", "scatter-ring"): ("MPIR_Bcast_intra_scatter_ring_allgather",),
    ("allgather", "bruck"): ("MPIR_Allgather_intra_brucks",),
    ("allgather", "ring"): ("MPIR_Allgather_intra_ring",),
    ("alltoall", "bruck"): ("MPIR_Alltoall_intra_brucks",),
    ("alltoall", "staggered"): ("MPIR_Alltoall_intra_scattered",),
    ("allreduce", "ring"): ("MPIR_Allreduce_intra_ring",),
    ("allreduce", "rabenseifner"): ("MPIR_Allreduce_intra_reduce_scatter_allgather",),
    ("reduce_scatter", "pairwise"): ("MPIR_Reduce_scatter_block_intra_pairwise",),
}
INTELS = {
    ("bcast", "binomial"): (1,),
    ("bcast", "scatter-ring"): (3,),
    ("allgather", "bruck"): (2,),
    ("allgather", "ring"): (3,),
    ("alltoall", "bruck"): (1,),
    ("alltoall", "linear"): (2,),
    ("allreduce", "ring"): (8,),
    ("allreduce", "rabenseifner"): (2,),
    ("reduce_scatter", "pairwise"): (2,),
}
BLOCK = {"reduce_scatter": "reduce_scatter_block"}


def tables(known: Sequence[tuple[str, str]], seed: int, gaps: bool) -> list[Decision]:
    """A table at random: brackets of ranks and sizes, with gaps between them or without."""
    chance = random.Random(seed)
    made = []
    for operation in sorted({operation for operation, _ in known}):
        names = [name for other, name in known if other == operation]
        ranks = 1
        while ranks < 200:
            ranks += chance.choice([0, 0, 1, 7])
            last = ranks + chance.choice([0, 1, 5, 40])
            size = 0
            while size < 1 << 33:
                if gaps:
                    size += chance.choice([0, 0, 1, 1000])
                end = chance.choice([size + 1, size + 100, 50 * size + 1000, 1 << 40])
                options = [*names, None] if gaps else names
                name = chance.choice(options)
                taken = None if name is None else Algorithm(name)
                made.append(Decision(operation, (ranks, last), (size, end), taken))
                size = end
            if not gaps:
                made.append(Decision(operation, (ranks, last), (size, None), Algorithm(names[0])))
            ranks = last + 1
    chance.shuffle(made)
    return made


def places(table: Sequence[Decision]) -> list[tuple[str, int, int]]:
    """Operations, first numbers of ranks, and sizes at and beside the ends of decisions."""
    found = set()
    for decision in table:
        for size in decision.sizes:
            for near in (-1, 0, 1):
                if size is not None and size + near >= 0:
                    found.add((decision.operation, decision.ranks[0], size + near))
    return sorted(found)


def decided(table: Sequence[Decision], operation: str, ranks: int, size: int) -> str | None:
    for decision in table:
        (first, last), (start, end) = decision.ranks, decision.sizes
        assert last is not None
        within = first <= ranks <= last and start <= size and (end is None or size < end)
        if decision.operation == operation and within:
            return decision.algorithm.name if decision.algorithm else None
    return None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("version", [1, 2, 3])
def test_openmpi(version: int, seed: int) -> None:
    table = tables(list(OPENMPI), seed, gaps=True)
    library = {1: OLD, 2: NEW, 3: JSON}[version]
    text = write(table, library, "one\ntwo", chosen_format(library, version))
    read = readers.json_rules(text) if version == 3 else readers.classic(text)
    for operation, ranks, size in places(table):
        name = decided(table, operation, ranks, size)
        total = operation in ("allgather", "alltoall", "reduce_scatter")
        counted = size * ranks if total else size
        expected = None if name is None else OPENMPI[operation, name]
        if version == 3 and (operation, name) == ("allgather", "bruck"):
            expected = (2, 2, 0)  # its radix
        called = BLOCK.get(operation, operation)
        assert read(called, ranks, 1, counted) == expected, (operation, ranks, size)
        assert read(called, 5000, 1, counted) is None


@pytest.mark.parametrize("seed", range(6))
def test_mpich(seed: int) -> None:
    table = tables(list(MPICHS), seed, gaps=True)
    text = write(table, MPICH, "")
    assert len(text) % 4096
    read = readers.selection(text)
    own = readers.selection(write([], MPICH, ""))
    for operation, ranks, size in places(table):
        total = operation in ("allgather", "reduce_scatter")
        counted = size * ranks if total else size
        if counted >= (1 << 31) - 1:
            continue  # beyond what the file can say the last rule below holds
        name = decided(table, operation, ranks, size)
        called = BLOCK.get(operation, operation)
        expected = own(called, ranks, 1, counted) if name is None else MPICHS[operation, name]
        assert read(called, ranks, 1, counted) == expected, (operation, ranks, size)
        assert read(called, 5000, 1, counted) == own(called, 5000, 1, counted)


@pytest.mark.parametrize("seed", range(3))
def test_intel(seed: int, tmp_path: Path) -> None:
    table = tables(list(INTELS), seed, gaps=False)
    read = readers.adjusted(write(table, INTEL, "one\ntwo"), tmp_path)
    for operation, ranks, size in places(table):
        counted = size * ranks if operation == "reduce_scatter" else size
        if counted >= 1 << 31:
            continue
        name = decided(table, operation, ranks, size)
        assert name is not None
        assert read(operation, ranks, 1, counted) == INTELS[operation, name]
        assert read(operation, 5000, 1, counted) is None


def test_intel_is_told_nothing_where_it_is_to_choose_at_some_sizes(tmp_path: Path) -> None:
    table = [
        Decision("bcast", (4, 4), (0, 100), Algorithm("binomial")),
        Decision("bcast", (8, None), (0, None), Algorithm("binomial")),
    ]
    text = write(table, INTEL, "")
    assert "# bcast, 4 ranks: left to Intel MPI, which is to choose at some sizes" in text
    read = readers.adjusted(text, tmp_path)
    assert read("bcast", 4, 1, 10) is None
    assert read("bcast", 8, 1, 10) == read("bcast", 9999, 1, 10) == (1,)
    path = tmp_path / "the rules"
    path.write_text(text)
    assert settings(INTEL, str(path), 4) == {}
    assert settings(INTEL, str(path), 8).keys() == {"I_MPI_ADJUST_BCAST"}


def test_mpich_calls_its_barrier_by_release() -> None:
    names = {}
    for version in ("4.0", "4.0.3", "4.1", "4.3.2", "5.0", "5.1"):
        read = readers.selection(write([], parse_library(f"mpich-{version}"), ""))
        (tree,) = [
            value
            for key, value in json.loads(write([], parse_library(f"mpich-{version}"), ""))[
                "collective=barrier"
            ]["comm_type=intra"].items()
            if key == "comm_hierarchy=any"
        ]
        names[version] = tree
        assert read("bcast", 4, 1, 8) == ("MPIR_Bcast_intra_binomial",)
    old = {"algorithm=MPIR_Barrier_intra_dissemination": {}}
    new = {"algorithm=MPIR_Barrier_intra_k_dissemination": {"k=2": {}}}
    assert list(names.values()) == [old, old, new, new, new, new]


def test_ranks_on_a_node() -> None:
    def both(ppns: Sequence[int | None]) -> list[Decision]:
        names = ["binomial", "linear", "pipelined"]
        return [
            Decision("bcast", (8, 8), (0, None), Algorithm(name), ppn)
            for name, ppn in zip(names, ppns, strict=False)
        ]

    # On one node and on several: Open MPI's version 3 can say it.
    read = readers.json_rules(write(both([4, 8]), JSON, ""))
    assert read("bcast", 8, 4, 100) == read("bcast", 8, 1, 100) == (6, 0, 0)
    assert read("bcast", 8, 8, 100) == (1, 0, 0)
    with pytest.raises(LapwingError, match="tell only one node from several"):
        write(both([2, 4]), JSON, "")
    for library in (OLD, NEW):
        with pytest.raises(LapwingError, match=r"bcast on 8 ranks: .* decisions for 4, 8"):
            write(both([4, 8]), library, "")
    with pytest.raises(LapwingError, match="beside decisions for some"):
        write(both([None, 4]), OLD, "")
    # MPICH's file knows the average.
    several = [
        Decision("bcast", (8, 8), (0, None), Algorithm(name), ppn)
        for name, ppn in (("scatter-ring", 2), ("binomial", 4))
    ]
    read = readers.selection(write(several, MPICH, ""))
    assert read("bcast", 8, 1, 9) == ("MPIR_Bcast_intra_scatter_ring_allgather",)
    assert read("bcast", 8, 2, 9) == ("MPIR_Bcast_intra_scatter_ring_allgather",)
    assert read("bcast", 8, 4, 9) == ("MPIR_Bcast_intra_binomial",)


def test_parameters() -> None:
    def one(**more: int) -> list[Decision]:
        return [Decision("alltoall", (4, 4), (0, None), Algorithm("linear", **more))]

    assert readers.classic(write(one(segment=7, radix=3), OLD, ""))("alltoall", 4, 1, 0) == (
        1,
        3,
        7,
    )
    assert readers.classic(write(one(window=5), NEW, ""))("alltoall", 4, 1, 0) == (1, 0, 0, 5)
    assert readers.json_rules(write(one(window=5), JSON, ""))("alltoall", 4, 1, 0) == (1, 0, 0, 5)
    # The radix of a k-nomial broadcast is a setting; of a reduction it is in the rule.
    tree = [Decision("bcast", (4, 4), (0, None), Algorithm("k-nomial", radix=4))]
    assert readers.classic(write(tree, OLD, ""))("bcast", 4, 1, 0) == (7, 4, 0)
    tree = [Decision("bcast", (4, 4), (0, None), Algorithm("k-nomial", radix=3))]
    with pytest.raises(LapwingError, match="no rule can name bcast by k-nomial"):
        write(tree, OLD, "")
    later = [
        Decision("allgather", (4, 4), (0, None), Algorithm("sparbit")),
        Decision("reduce", (4, 4), (0, None), Algorithm("k-nomial", radix=3)),
    ]
    read = readers.json_rules(write(later, JSON, ""))
    assert read("allgather", 4, 1, 0) == (7, 0, 0)
    assert read("reduce", 4, 1, 0) == (8, 3, 0)
    assert readers.classic(write(later[:1], NEW, ""))("allgather", 4, 1, 0) == (7, 0, 0)
    with pytest.raises(LapwingError, match=r"4\.1: no rule can name allgather by sparbit"):
        write(later[:1], OLD, "")
    with pytest.raises(LapwingError, match=r"5\.0\.7: no rule can name reduce by k-nomial"):
        write(later[1:], NEW, "")
    with pytest.raises(LapwingError, match="version 1 of Open MPI's rules cannot say it"):
        write(one(window=5), OLD, "")
    with pytest.raises(LapwingError, match="has no parameters"):
        write(one(window=5), INTEL, "")
    staggered = [Decision("alltoall", (4, 4), (0, None), Algorithm("staggered", window=5))]
    with pytest.raises(LapwingError, match="alltoall by staggered has no window"):
        write(staggered, MPICH, "")


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        (Decision("bcast", (0, 4), (0, None), None), "no ranks from 0 to 4"),
        (Decision("bcast", (4, 3), (0, None), None), "no ranks from 4 to 3"),
        (Decision("bcast", (4, 4), (8, 8), None), "no sizes from 8 to below 8"),
        (Decision("bcast", (4, 4), (-1, 8), None), "no sizes from -1"),
        (Decision("bcast", (4, 4), (0, 8), None, 0), "0 ranks on a node"),
        (Decision("bcast", (4, 4), (50, 70), Algorithm("linear")), "two decisions for 50 bytes"),
        (Decision("bcast", (3, 9), (0, None), None), "two decisions for 0 bytes"),
        (
            Decision("bcast", (6, 6), (0, None), Algorithm("bruck")),
            "no rule can name bcast by bruc",
        ),
        (
            Decision("teleport", (6, 6), (0, None), Algorithm("x")),
            "teleport: Open MPI has no rules for it",
        ),
    ],
)
def test_refused_tables(decision: Decision, says: str) -> None:
    good = Decision("bcast", (4, 4), (0, 60), Algorithm("binomial"))
    for library in (OLD, JSON):
        with pytest.raises(LapwingError, match=says):
            write([good, decision], library, "")


def test_ranks_of_a_gather_agree() -> None:
    table = [Decision("gather", (4, 4), (0, 60), Algorithm("binomial"))]
    for library in (OLD, NEW, JSON):
        with pytest.raises(LapwingError, match="only the root knows the size"):
            write(table, library, "")
    write([Decision("gather", (4, 4), (0, None), Algorithm("binomial"))], OLD, "")


def test_which_format() -> None:
    best = {
        "openmpi-4": 1,
        "openmpi-4.1": 1,
        "openmpi-4.1.4": 1,
        "openmpi-4.1.8": 2,
        "openmpi-5": 1,
        "openmpi-5.0.6": 1,
        "openmpi-5.0.7": 2,
        "openmpi-5.0.11": 2,
        "openmpi-6": 3,
        "openmpi-6.0.1": 3,
        "mpich-4.2": None,
        "intel-2021.14": None,
    }
    assert {name: chosen_format(parse_library(name)) for name in best} == best
    assert chosen_format(parse_library("openmpi-5"), 2) == 2  # some 5.0 reads it
    for name, asked in (("openmpi-5.0.6", 2), ("openmpi-6", 1), ("openmpi-6", 2), ("mpich-5", 1)):
        with pytest.raises(LapwingError, match=f"--format {asked}: "):
            chosen_format(parse_library(name), asked)
