"""`lapwing import` as a user runs it, and `lapwing show` of what it writes."""

from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

TABLE = """\
system,mpi,nodes,ranks_per_node,collective,algorithm,run,bytes,median_us
one,MPI 1,4,2,allgather,ring,a,8192,12
one,MPI 1,4,2,allgather,ring,b,8192,14
one,MPI 1,4,2,allgather,default_mpich,a,8192,26
two,MPI 2,2x2,1,bcast,default,a,64,5
"""


@pytest.fixture
def table(tmp_path: Path) -> str:
    (tmp_path / "table.csv").write_text(TABLE)
    return "table.csv"


def test_import(lapwing: Lapwing, table: str, tmp_path: Path) -> None:
    shown = lapwing("import", table, "-o", "m.json").table
    assert "The measurements are in m.json." in shown
    assert "allgather" in shown
    document = lapwing("import", table, "--json").document
    check("measurements", document)
    assert lapwing("show", "m.json", "--json").document == document
    assert len(document["cells"]) == 4
    assert document["sources"] == [{"file": "table.csv", "tool": "table"}]


def test_show(lapwing: Lapwing, table: str) -> None:
    assert lapwing("import", table, "-o", "m.json").status == 0
    shown = lapwing("show", "m.json").table
    for line in (
        "one, MPI 1, allgather, 4 nodes, 2 ranks a node",
        "1 KB  13           2  ring          26     2.00",
        "two, MPI 2, bcast, 2x2 nodes, 1 rank a node",
    ):
        assert line in shown
    assert "options are for profiles" in lapwing("show", "m.json", "--latency").complaint


def test_refusals(lapwing: Lapwing, table: str, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "page.txt").write_text("Dear reader,\nthere is nothing here.\n")
    for words, said in [
        ((table,), "missing: -o FILE"),
        (("no.csv", "-o", "m.json"), "no.csv: cannot read the log: No such file or directory"),
        ((".", "-o", "m.json"), ".: cannot read the log: Is a directory"),
        (("empty.txt", "-o", "m.json"), "empty.txt: empty"),
        (("binary", "-o", "m.json"), "binary: is no text"),
        (("page.txt", "-o", "m.json"), "page.txt: of no tool that is known here"),
        ((table, "-o", table), "exists already"),
        ((table, "--only", "system", "-o", "m.json"), "write COLUMN=VALUE"),
        ((table, "--names", "*", "-o", "m.json"), "names no field"),
        ((table, "--names", "{rank}", "-o", "m.json"), '{rank} (did you mean "ranks"?)'),
        ((table, "--names", "{run}{run}", "-o", "m.json"), "names {run} twice"),
        ((table, "--names", "n{ranks}", "-o", "m.json"), "no log has such a name"),
        ((table, "--value", "bw", "--value", "bibw", "--json"), "of which table?"),
    ]:
        assert said in lapwing("import", *words).complaint, words
    kept = {"binary", "empty.txt", "page.txt", "table.csv"}
    assert {file.name for file in tmp_path.iterdir()} == kept


def test_a_copy_of_a_log_counts_once(lapwing: Lapwing, table: str, tmp_path: Path) -> None:
    (tmp_path / "copy.csv").write_text(TABLE)
    document = lapwing("import", table, "copy.csv", "--json").document
    assert document["notes"] == ["copy.csv: the same as table.csv, counted once"]
    assert len(document["cells"]) == 4


def test_names_of_logs_say_what_they_do_not(lapwing: Lapwing, tmp_path: Path) -> None:
    for ranks in (8, 16):
        (tmp_path / f"t_n{ranks}_a.csv").write_text(f"bytes,value\n8,{ranks}\n")
    document = lapwing(
        *("import", "t_n8_a.csv", "t_n16_a.csv", "--value", "bcast", "--json"),
        *("--ranks-per-node", "8", "--names", "*_n{ranks}_{run}.csv"),
    ).document
    places = [(c["nodes"], c["ranks_per_node"], c["ranks"], c["run"]) for c in document["cells"]]
    assert places == [(1, 8, 8, "a"), (2, 8, 16, "a")]
