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
    assert document["sources"] == [{"file": "table.csv", "tool": "table (CSV)"}]


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
        (("-o", "m.json"), "missing: LOG"),
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


LATENCY = "# OSU MPI Latency Test v7.4\n# Size  Latency (us)\n1  2.00\n1048576  102.00\n"
BARRIER = "# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n9.50\n"


def test_a_profile(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LATENCY)
    (tmp_path / "b.txt").write_text(LATENCY.replace("2.00", "1.00"))
    shown = lapwing("import", "a.txt", "--within-node", "b.txt", "-o", "machine.json").table
    assert "The profile is in machine.json." in shown
    assert "Imported from logs" in shown
    document = lapwing("show", "machine.json", "--json").document
    check("profile", document)
    assert document["pairs"][0]["half_round_trip"] == [1e-6, 1.01e-4]
    assert lapwing("import", "a.txt", "--within-node", "b.txt", "--json").document == document
    # It predicts, and is drawn; rates that nobody measured are "-", and no marks.
    assert lapwing("predict", "machine.json", "bcast", "--ppn", "2").status == 0
    assert " -" in lapwing("show", "--bandwidth", "machine.json").table
    assert lapwing("report", "machine.json", "-o", "page.html").status == 0
    for section in ("latency", "pairs", "imported"):
        assert lapwing("show", "machine.json", "--section", section).status == 0
    merged = lapwing("merge", "machine.json", "machine.json", "--json").document
    assert merged == document


def test_both_documents(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LATENCY + BARRIER)
    words = ["import", "log.txt", "-o", "machine.json"]
    said = lapwing(*words).complaint
    assert said.startswith("log.txt: holds collectives and messages between two ranks; give")
    assert not (tmp_path / "machine.json").exists()
    said = lapwing(*words, "--measurements", "machine.json").complaint
    assert "is the file of -o" in said
    shown = lapwing(*words, "--measurements", "measured.json").table
    assert "The profile is in machine.json." in shown
    assert "The measurements are in measured.json." in shown
    assert lapwing("show", "measured.json", "--json").document["cells"][0]["operation"] == "barrier"
    said = lapwing(*words, "--force", "--measurements", "measured.json").status
    assert said == 0
    (tmp_path / "latency.txt").write_text(LATENCY)
    said = lapwing("import", "latency.txt", "-o", "x.json", "--measurements", "y.json").complaint
    assert said == "--measurements y.json: the logs hold no collectives"


def test_measurements_of_one_size_are_not_drawn(
    lapwing: Lapwing, table: str, tmp_path: Path
) -> None:
    assert lapwing("import", table, "-o", "m.json").status == 0
    document = lapwing("report", "m.json", "-o", "page.html", "--json").document
    assert document["found"][0]["what"] == (
        "m: 3 times of collectives, in 4 measurements; the library's own choice takes 2.00 times "
        "the best on average."
    )
    # No curve has two sizes.
    assert document["figures"] == []
    assert "nothing to draw" in lapwing("plot", "m.json", "-o", "m.svg").complaint
