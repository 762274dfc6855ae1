"""Running schedules: the command, the native program, and from Python."""

import json
import subprocess
from pathlib import Path

import numpy
import pytest
from documents import check
from typed import COMMAND, Lapwing

import lapwing as package
from lapwing import Deadlock, LapwingError, load_profile, simulate

GOAL = Path(__file__).parents[2] / "data" / "goal"
DISSEMINATION = str(GOAL / "dissemination-16.goal")
BINARY = str(GOAL / "mixed.bin")
PARAMETERS = "L=2500,o=1500,g=1000,G=6,O=0,S=65535"
NATIVE = COMMAND.parent / "lapwing-simulate"

DEADLOCK = """num_ranks 2
rank 0 {
a: recv 8b from 1 tag 3
b: send 8b to 1 tag 4
b requires a
}
rank 1 {
a: recv 8b from 0 tag 4
b: send 8b to 0 tag 3
b requires a
}
"""


def native(*words: str) -> dict:
    done = subprocess.run([str(NATIVE), *words, "--json"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "words",
    [
        [DISSEMINATION, "--parameters", PARAMETERS],
        [BINARY, "--parameters", PARAMETERS],
        [DISSEMINATION, "--parameters", "L=1,o=7,G=3,O=2,S=0"],
        ["--collective", "alltoall", "--algorithm", "linear", "--ranks", "64", "--size", "1KB"],
        ["--collective", "bcast", "--algorithm", "pipelined", "--ranks", "9", "--size", "1MB"],
        ["--collective", "scatterv", "--ranks", "3", "--sizes", "1,2KB,0"],
        ["--collective", "allgather", "--ranks", "12", "--size", "100", "--profile", "ranger"],
        [
            *["--collective", "alltoall", "--algorithm", "pairwise", "--ranks", "8"],
            *["--size", "64KB", "--topology", "fat-tree:4,1", "--profile", "ranger"],
        ],
        [
            *["--collective", "alltoall", "--algorithm", "linear", "--ranks", "12"],
            *["--size", "64KB", "--topology", "torus:4x4,interfaces=2,hop=100ns"],
            *["--placement", "random:7", "--profile", "ranger"],
        ],
    ],
    ids=" ".join,
)
def test_as_the_native_program(lapwing: Lapwing, tmp_path: Path, words: list[str]) -> None:
    document = lapwing("simulate", *words, "--json").document
    check("simulate", document)
    if "ranger" in words:  # a published machine; the native program takes files
        (tmp_path / "ranger.json").write_text(load_profile("ranger").to_json())
        words = [*words[:-1], str(tmp_path / "ranger.json")]
    assert document == native(*words)


def fitted(path: Path) -> Path:
    """A file with a machine on which collectives take more than their messages."""
    machine = json.loads(load_profile("ranger").to_json())
    machine["collectives"] = {
        **{"combine": 1e-9, "copy": 2e-9, "pack": 3e-7, "exchange": 1e-7},
        **{"exchange_per_byte": 5e-10, "fresh": 1e-10, "skew": 3e-6, "skew_per_doubling": 1e-6},
        **{"low": 0.5, "high": 2},
    }
    machine["algorithms"] = [
        {"operation": "allreduce", "algorithm": "ring", "sizes": [1000], "factors": [3]}
    ]
    path.write_text(json.dumps(machine))
    return path


@pytest.mark.parametrize(
    ("operation", "algorithm", "ranks", "size"),
    [
        ("allreduce", "ring", 7, 100_000),
        ("alltoall", "bruck", 12, 64),
        ("reduce_scatter", "recursive-halving", 16, 8192),
        ("barrier", "dissemination", 1000, 1),
        ("bcast", "binomial", 1, 8),
    ],
)
def test_predicted_as_predict_does(
    lapwing: Lapwing, tmp_path: Path, operation: str, algorithm: str, ranks: int, size: int
) -> None:
    machine = str(fitted(tmp_path / "fitted.json"))
    words = ["--algorithm", algorithm, "--ranks", str(ranks), "--size", str(size)]
    words = ["--collective", operation, *words, "--profile", machine]
    document = lapwing("simulate", *words, "--json").document
    check("simulate", document)
    assert document == native(*words)
    asked = ["--ranks", str(ranks), "--size", str(size), "--algorithm", algorithm]
    asked = [machine, operation, *asked, "--model", "engine"]
    (entry,) = lapwing("predict", *asked, "--json").document["predictions"]
    predicted = document["predicted"]
    assert predicted["seconds"] == entry["predicted"]["seconds"]
    if ranks > 1:
        assert predicted == entry["predicted"]
        assert document["finish_ns"] * 1e-9 < predicted["seconds"]
        assert "nine of ten measured times between" in lapwing("simulate", *words).table


def test_nothing_predicted_of_a_schedule(lapwing: Lapwing, tmp_path: Path) -> None:
    machine = str(fitted(tmp_path / "fitted.json"))
    document = lapwing("simulate", DISSEMINATION, "--profile", machine, "--json").document
    check("simulate", document)
    assert "predicted" not in document
    assert document == native(DISSEMINATION, "--profile", machine)
    document = lapwing("simulate", "--collective", "barrier", "--ranks", "8", "--json").document
    assert "predicted" not in document
    assert simulate(DISSEMINATION, profile=load_profile(machine)).predicted is None


def test_no_interval_without_costs(lapwing: Lapwing) -> None:
    words = ["--collective", "barrier", "--ranks", "8", "--profile", "ranger"]
    document = lapwing("simulate", *words, "--json").document
    assert document["predicted"] == {"seconds": pytest.approx(document["finish_ns"] * 1e-9)}
    assert "nine of ten" not in lapwing("simulate", *words).table


def test_table(lapwing: Lapwing) -> None:
    table = lapwing("simulate", "--parameters", PARAMETERS, DISSEMINATION).table
    assert "192 events, 64 messages, 16 ranks" in table
    assert "22000 ns" in table


def test_from_python(tmp_path: Path) -> None:
    result = simulate(DISSEMINATION, parameters={"L": 2500, "o": 1500})
    assert result.finish_ns == 22000
    assert result.rank_finish_ns.dtype == numpy.int64
    assert result.rank_finish_ns.tolist() == [22000] * 16
    assert (result.events, result.messages) == (192, 64)
    ranger = load_profile("ranger")
    measured = package.simulate(
        collective="alltoall", algorithm="bruck", ranks=7, size=64, profile=ranger
    )
    assert measured.rank_finish_ns.dtype == numpy.float64
    assert measured.finish_ns == measured.rank_finish_ns.max() > 0
    kept = measured.rank_finish_ns
    del measured
    assert kept.shape == (7,)
    first = simulate(collective="barrier", ranks=8)
    named = simulate(collective="barrier", algorithm="dissemination", ranks=numpy.int64(8))
    assert first.finish_ns == named.finish_ns


def test_wrong_from_python() -> None:
    for wrong, says in [
        ({}, "a schedule or a collective"),
        ({"schedule": DISSEMINATION, "collective": "bcast"}, "a schedule or a collective"),
        ({"collective": "bcast"}, "needs ranks"),
        ({"collective": "bcsat", "ranks": 4}, "did you mean 'bcast'"),
        ({"collective": "bcast", "algorithm": "binominal", "ranks": 4}, "did you mean 'binomial'"),
        ({"collective": "bcast", "ranks": 0}, "ranks: 0 is not from 1 to"),
        ({"collective": "bcast", "ranks": 1 << 40}, "is not from 1 to 67108864"),
        ({"collective": "bcast", "ranks": 4, "size": -1}, "size: -1 is not from 0 to"),
        ({"collective": "scatterv", "ranks": 4, "sizes": [1, 2]}, "2 sizes for 4 ranks"),
        ({"schedule": DISSEMINATION, "parameters": {"l": 3}}, "none of L="),
        ({"schedule": DISSEMINATION, "ppn": 2}, "belong to a profile"),
        ({"schedule": "nothing.goal"}, "nothing.goal: cannot read"),
    ]:
        with pytest.raises(LapwingError, match=says):
            simulate(**wrong)
    with pytest.raises(LapwingError, match="either a profile or parameters"):
        simulate(DISSEMINATION, parameters="L=1", profile=load_profile("ranger"))


def test_message_of_a_rank_to_itself(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "own.goal").write_text(
        "num_ranks 1\nrank 0 {\nl1: send 8b to 0 tag 0\nl2: recv 8b from 0 tag 0\n}\n"
    )
    for machine in ["ranger", "titan", "elan4"]:
        document = lapwing("simulate", "own.goal", "--profile", machine, "--json").document
        assert document["messages"] == 1
        # A copy in memory, which is quicker than a message to somebody else.
        words = ["--collective", "bcast", "--ranks", "2", "--size", "8", "--profile", machine]
        away = lapwing("simulate", *words, "--json").document
        assert 0 < document["finish_ns"] < away["finish_ns"]


def test_deadlock(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "stuck.goal").write_text(DEADLOCK)
    ended = lapwing("simulate", "stuck.goal", "--trace", "line.json")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "lapwing: stuck.goal: the schedule deadlocks: rank 0 waits for 8 bytes from rank 1, tag 3; "
        "rank 1 waits for 8 bytes from rank 0, tag 4\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stuck.goal"]
    with pytest.raises(Deadlock, match="rank 0 waits for 8 bytes"):
        simulate(tmp_path / "stuck.goal")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give a schedule.goal or a --collective"),
        ([DISSEMINATION, "--collective", "bcast"], "give a schedule.goal or a --collective"),
        (["--collective", "bcast"], "missing: --ranks"),
        (["--collective", "bcats", "--ranks", "4"], "did you mean 'bcast'"),
        (["--collective", "bcast", "--algorithm", "x", "--ranks", "4"], "unknown algorithm for bc"),
        (["--collective", "bcast", "--ranks", "0"], "--ranks: "),
        (["--collective", "bcast", "--ranks", "99999999999"], "from 1 to 67108864"),
        (["--collective", "alltoall", "--ranks", "67108864"], "GB of memory that are left"),
        (["--collective", "alltoall", "--ranks", "67108864", "--write", "f"], "written out, "),
        (["--collective", "bcast", "--ranks", "4", "--size", "2000GB"], "size: "),
        (["--collective", "bcast", "--ranks", "4", "--size", "-1"], "--size: "),
        ([DISSEMINATION, "--size", "8"], "--size: belongs to --collective"),
        ([DISSEMINATION, "--ppn", "2"], "--ppn: belongs to --profile"),
        ([DISSEMINATION, "--topology", "flat"], "--topology: belongs to --profile"),
        ([DISSEMINATION, "--placement", "0-15"], "--placement: belongs to --profile"),
        ([DISSEMINATION, "--profile", "ranger", "--topology", "ring"], "ring"),
        ([DISSEMINATION, "--profile", "ranger", "--topology", "torus:4"], "has 4 nodes"),
        (
            [DISSEMINATION, "--profile", "ranger", "--topology", "flat,rate=0"],
            "'rate=0' is none of",
        ),
        ([DISSEMINATION, "--profile", "ranger", "--placement", "0-14"], "names 15 nodes"),
        ([DISSEMINATION, "--profile", "ranger", "--placement", "near"], "is no placement"),
        ([DISSEMINATION, "--profile", "ranger", "--parameters", "L=1"], "not allowed with"),
        ([DISSEMINATION, "--parameters", "L=fast"], "'L=fast' is not a whole number"),
        ([DISSEMINATION, "--profile", "rangr"], 'did you mean "ranger"'),
        (["nothing.goal"], "nothing.goal: cannot read: No such file"),
        ([DISSEMINATION, "--tarce", "x"], 'did you mean "--trace"'),
        ([DISSEMINATION, "--trace", "no/where.json"], "no is no directory"),
    ],
    ids=lambda value: " ".join(value).replace(str(GOAL), "") if isinstance(value, list) else "",
)
def test_wrong(lapwing: Lapwing, tmp_path: Path, words: list[str], says: str) -> None:
    assert says in lapwing("simulate", *words).complaint
    assert not list(tmp_path.iterdir())


def test_malformed(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "bad.goal").write_text("num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n")
    said = lapwing("simulate", "bad.goal").complaint
    assert said == "bad.goal: line 3, column 12: there is no rank 7, num_ranks is 2"


def test_binary(lapwing: Lapwing, tmp_path: Path) -> None:
    words = ["--parameters", PARAMETERS, "--json"]
    text = lapwing("simulate", str(GOAL / "mixed.goal"), *words).document
    assert text["finish_ns"] == 433272  # LogGOPSim's
    assert lapwing("simulate", BINARY, *words).document == text
    lapwing("simulate", BINARY, "--write", "again.goal")
    assert lapwing("simulate", "again.goal", *words).document == text
    assert simulate(BINARY).finish_ns == 433272


@pytest.mark.parametrize(
    ("at", "number", "says"),
    [
        (8, b"\xff\xff\xff\xff", "it says that there are 4294967295 ranks"),
        (62, b"\xff\xff\xff\x7f", "rank 0: it says that it has 2147483647 operations"),
        (82, b"\x09", "rank 0, operation 1: there is no type 9"),
        (122, b"\x07", "rank 0, operation 2: there is no rank 7 of 3"),
        (273, b"\xff\x00\x00\x00", "rank 0, operation 1: operation 256 waits for it"),
    ],
)
def test_malformed_binary(
    lapwing: Lapwing, tmp_path: Path, at: int, number: bytes, says: str
) -> None:
    bad = bytearray(Path(BINARY).read_bytes())
    bad[at : at + len(number)] = number
    (tmp_path / "bad.bin").write_bytes(bad)
    for command in ("simulate", "replay"):
        said = lapwing(command, "bad.bin", "--parameters", PARAMETERS).complaint
        assert said.startswith(f"bad.bin: {says}")
    (tmp_path / "bad.bin").write_bytes(Path(BINARY).read_bytes()[:-1])
    said = lapwing("simulate", "bad.bin").complaint
    assert said.startswith("bad.bin: rank 2: it is cut off")


def test_trace(lapwing: Lapwing, tmp_path: Path) -> None:
    words = ["simulate", "--collective", "barrier", "--ranks", "4", "--parameters", PARAMETERS]
    assert "line.json: open it" in lapwing(*words, "--trace", "line.json").table
    document = json.loads((tmp_path / "line.json").read_text())
    check("trace", document)
    busy = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert {event["pid"] for event in busy} == {0, 1, 2, 3}
    ends = {}
    for event in busy:
        place = (event["pid"], event["tid"])
        assert event["ts"] >= ends.get(place, 0) - 1e-6
        ends[place] = event["ts"] + event["dur"]
        assert event["args"]["bytes"] == 1
    last = simulate(collective="barrier", ranks=4, parameters=PARAMETERS).finish_ns
    assert max(ends.values()) == pytest.approx(last / 1000)
    # The native program writes the same, but for where it comes from.
    subprocess.run([str(NATIVE), *words[1:], "--trace", tmp_path / "other.json"], check=True)
    del document["provenance"]
    assert json.loads((tmp_path / "other.json").read_text()) == document
    # No file is overwritten unasked, and a time line that is too long is refused.
    assert "exists already" in lapwing(*words, "--trace", "line.json").complaint
    assert lapwing(*words, "--trace", "line.json", "--force").status == 0
    long = ["simulate", "--collective", "alltoall", "--ranks", "512", "--trace", "long.json"]
    assert "more than 1000000 intervals" in lapwing(*long).complaint
    assert not (tmp_path / "long.json").exists()


def test_write(lapwing: Lapwing, tmp_path: Path) -> None:
    words = ["simulate", "--collective", "bcast", "--ranks", "5", "--size", "3KB", "--json"]
    played = lapwing(*words, "--write", "bcast.goal").document
    assert lapwing("simulate", "bcast.goal", "--json").document == played
    assert "exists already" in lapwing(*words, "--write", "bcast.goal").complaint
