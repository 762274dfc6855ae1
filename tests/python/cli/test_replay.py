"""Recorded programs, played on other machines: the command, and recordings that are no good."""

import json
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from documents import check
from typed import COMMAND, Lapwing

import lapwing as library
from lapwing.prediction.hiding import hiding_by_size
from lapwing.prediction.recordings import read_recording
from lapwing.prediction.replays import goal_text

pytestmark = pytest.mark.alone

LOGGOPS = ["--parameters", "L=2500,o=1500,G=6"]
PROGRAMS = Path(__file__).parent / "programs"
GOAL = Path(__file__).parents[2] / "data" / "goal"
PROFILE = Path(__file__).parents[2] / "data" / "profiles" / "ib4x.json"


def written(path: Path, ranks: list[bytes], description: object = None) -> str:
    """A recording of these records; returns its name."""
    said = {"lapwing": "recording"} if description is None else description
    text = json.dumps(said).encode()
    content = b"LWTRACE\n" + struct.pack("<IIQQ", 1, 0, len(ranks), len(text)) + text
    content += b"".join(struct.pack("<Q", len(records)) + records for records in ranks)
    path.write_bytes(content)
    return path.name


# Kind, computed, duration, site; then communicator, peer, tag (both doubled), bytes.
SEND = bytes([3, 100, 1, 0, 0, 2, 6, 8])
RECEIVE = bytes([4, 50, 1, 0, 0, 0, 6, 8])
FINISH = bytes([2, 10])


def test_two_ranks(lapwing: Lapwing, tmp_path: Path) -> None:
    run = written(tmp_path / "run.lwt", [SEND + FINISH, RECEIVE + FINISH])
    document = lapwing("replay", run, *LOGGOPS, "--json").document
    check("replay", document)
    # 100 ns computed, o, L, then o, and the 10 ns after it.
    times = [time["seconds"] for time in document["rank_times"]]
    assert times == pytest.approx([1610e-9, 100e-9 + 1500e-9 + 2500e-9 + 1542e-9 + 10e-9])
    assert document["messages"] == 1
    assert document["recorded"]["time"]["seconds"] == pytest.approx(111e-9)
    twice = lapwing("replay", run, *LOGGOPS, "--computation", "2", "--json").document
    assert twice["rank_times"][1]["seconds"] == pytest.approx(times[1] + 110e-9)
    assert "communication" in lapwing("replay", run, *LOGGOPS).table
    played = library.replay(tmp_path / run, parameters={"L": 2500, "o": 1500, "G": 6})
    assert played.recorded.computed.seconds > 0
    assert [time.seconds for time in played.rank_times] == times


def test_tolerance(lapwing: Lapwing, tmp_path: Path) -> None:
    run = written(tmp_path / "run.lwt", [SEND + FINISH, RECEIVE + FINISH])
    document = lapwing("replay", run, *LOGGOPS, "--tolerance", "--json").document
    check("replay", document)
    time = 100e-9 + 1500e-9 + 2500e-9 + 7 * 6e-9 + 1500e-9 + 10e-9
    for name, unit, count in (
        ("L", "seconds", 1),
        ("G", "seconds_per_byte", 7),
        ("o", "seconds", 2),
    ):
        found = document["tolerance"][name]
        assert found["slope"] == count
        assert found["curve"] == [
            {unit: 0, "time": {"seconds": pytest.approx(time)}, "slope": count}
        ]
        assert [zone["share"] for zone in found["zones"]] == [0.01, 0.02, 0.05]
        for zone in found["zones"]:
            assert zone[unit] == pytest.approx(zone["share"] * time / count)
    alone = written(tmp_path / "alone.lwt", [FINISH])
    document = lapwing("replay", alone, *LOGGOPS, "--tolerance", "--json").document
    assert document["tolerance"]["L"]["zones"][0]["seconds"] is None
    assert "any" in lapwing("replay", alone, *LOGGOPS, "--tolerance").table


@pytest.mark.parametrize("file", ["mixed.goal", "mixed.bin"])
def test_a_schedule(lapwing: Lapwing, tmp_path: Path, file: str) -> None:
    schedule = str(GOAL / file)
    document = lapwing("replay", schedule, *LOGGOPS, "--json", "--trace", "line.json").document
    check("replay", document)
    simulated = lapwing("simulate", schedule, *LOGGOPS, "--json").document
    times = [round(time["seconds"] * 1e9) for time in document["rank_times"]]
    assert times == simulated["rank_finish_ns"]
    check("trace", json.loads((tmp_path / "line.json").read_text()))
    computed = 5740e-9 / sum(time["seconds"] for time in document["rank_times"])
    assert document["communication"] == pytest.approx(1 - computed)
    # Rank 0 computes 700 ns before all that its time depends on.
    twice = lapwing("replay", schedule, *LOGGOPS, "--computation", "2", "--json").document
    assert twice["time"]["seconds"] == pytest.approx(document["time"]["seconds"] + 700e-9)
    assert "when recorded" not in lapwing("replay", schedule, *LOGGOPS).table
    collectives = lapwing("replay", schedule, *LOGGOPS, "--collectives", "mpich").complaint
    assert f"{file}: a schedule has no collectives" in collectives
    for option in (["--tolerance"], ["--critical-path"], ["--hide", "all"]):
        refused = lapwing("replay", schedule, *LOGGOPS, *option).complaint
        assert f"{option[0]}: is of recordings; {schedule} is a schedule" in refused


def test_a_message_of_a_rank_to_itself(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "own.goal").write_text(
        "num_ranks 1\nrank 0 {\nl1: send 8b to 0 tag 0\nl2: recv 8b from 0 tag 0\n}\n"
    )
    for machine in (["--profile", "ranger"], LOGGOPS):
        document = lapwing("replay", "own.goal", *machine, "--json").document
        simulated = lapwing("simulate", "own.goal", *machine, "--json").document
        assert document["messages"] == 1
        assert document["time"]["seconds"] * 1e9 == pytest.approx(simulated["finish_ns"])


def test_as_a_schedule(lapwing: Lapwing, tmp_path: Path) -> None:
    run = written(tmp_path / "run.lwt", [SEND + FINISH, RECEIVE + FINISH])
    text = goal_text(tmp_path / run)
    assert "send 8b to 1 tag 3" in text
    (tmp_path / "run.goal").write_text(text)
    words = [*LOGGOPS, "--json"]
    exported = lapwing("replay", "run.goal", *words).document
    assert exported["rank_times"] == lapwing("replay", run, *words).document["rank_times"]
    assert goal_text(tmp_path / "run.goal") == text
    assert "calc 200" in goal_text(tmp_path / run, computation=2)
    with pytest.raises(library.LapwingError, match="has no collectives"):
        goal_text(tmp_path / "run.goal", library="mpich")


def test_a_schedule_on_a_measured_machine(lapwing: Lapwing, machine: str) -> None:
    words = [str(GOAL / "mixed.bin"), "--profile", machine, "--json"]
    replayed = lapwing("replay", *words).document
    times = [time["seconds"] * 1e9 for time in replayed["rank_times"]]
    assert times == pytest.approx(lapwing("simulate", *words).document["rank_finish_ns"])


def call_site(routine: str, function: str) -> dict[str, object]:
    """A call site of a description: line 7 of the function's own file."""
    return {
        "routine": routine,
        "language": "C",
        "function": function,
        "file": f"{function}.c",
        "line": 7,
        "module": "program",
        "offset": 16,
    }


def test_the_longest_path(lapwing: Lapwing, tmp_path: Path) -> None:
    site = call_site("MPI_Send", "give")
    description = {"lapwing": "recording", "sites": [site], "sites_of_ranks": [[0], []]}
    run = written(tmp_path / "run.lwt", [SEND + FINISH, RECEIVE + FINISH], description)
    document = lapwing(
        "replay", run, *LOGGOPS, "--critical-path", "--tolerance", "--by-site", "--json"
    ).document
    check("replay", document)
    path = document["critical_path"]
    assert path["time"]["seconds"] == pytest.approx(100e-9 + 2 * 1500e-9 + 2542e-9 + 10e-9)
    assert path["computation"]["seconds"] == pytest.approx(110e-9)
    (share,) = path["sites"]
    assert share["site"] == site
    assert share["overhead"]["seconds"] == pytest.approx(3000e-9)
    assert share["flight"]["seconds"] == pytest.approx(2542e-9)
    assert share["counts"] == {"L": 1, "G": 7, "o": 2}
    # It sends all messages there are.
    assert share["tolerance"] == document["tolerance"]
    printed = lapwing("replay", run, *LOGGOPS, "--critical-path")
    assert "MPI_Send in give (give.c:7)" in printed.table
    # Where the sites of ranks make no sense, they are not known.
    for wrong in ([[0]], [[1], []], [["0"], []], 3):
        run = written(
            tmp_path / "run.lwt",
            [SEND + FINISH, RECEIVE + FINISH],
            {**description, "sites_of_ranks": wrong},
        )
        found = lapwing("replay", run, *LOGGOPS, "--critical-path", "--json").document
        assert [each["number"] for each in found["critical_path"]["sites"]] == [None]


def swapping(path: Path, bytes_sent: int) -> str:
    """Two ranks that start a receive and a send, wait, and compute 10 us, twice."""
    site = call_site("MPI_Irecv", "swap")
    sites = [site, {**site, "routine": "MPI_Isend", "line": 8}]
    description = {"lapwing": "recording", "sites": sites, "sites_of_ranks": [[0, 1], [0, 1]]}
    ten = bytes([0x90, 0x4E])  # 10000
    ranks = []
    for other in (1, 0):
        peer = 2 * other
        one = (
            bytes([7, *ten, 0, 0, 0, peer, 2, bytes_sent, 0])
            + bytes([6, 0, 0, 1, 0, peer, 2, bytes_sent, 1])
            + bytes([8, 0, 0, 0, 2, 0, 1])
        )
        ranks.append(2 * one + bytes([2, *ten]))
    return written(path, ranks, description)


def test_what_hiding_saves(lapwing: Lapwing, tmp_path: Path) -> None:
    run = swapping(tmp_path / "run.lwt", 8)
    machine = ["--parameters", "L=4000,o=500,g=0,G=0"]
    document = lapwing("replay", run, *machine, "--hide", "all", "--json").document
    check("replay", document)
    assert document["time"]["seconds"] == pytest.approx(40e-6)
    (site,) = document["hiding"]["sites"]
    # All that is under way, of both exchanges.
    assert site["saved"]["seconds"] == pytest.approx(8e-6)
    assert document["hiding"]["saved"] == site["saved"]
    assert (site["operation"], site["count"]) == ("messages", 4)
    assert site["way"]["pieces"] == 1
    assert site["way_together"] == site["way"]
    named = lapwing("replay", run, *machine, "--hide", "swap.c:7", "--json").document
    assert named["hiding"] == document["hiding"]
    for side in ("before", "after"):
        behind = lapwing("replay", run, *machine, "--hide", "all", "--behind", side, "--json")
        assert behind.document["hiding"]["sites"][0]["way"]["side"] == side
    assert "--hide" in lapwing("replay", run, *machine, "--behind", "after").complaint
    printed = lapwing("replay", run, *machine, "--hide", "all").table
    assert "MPI_Irecv in swap" in printed
    assert "20 %" in printed
    missed = lapwing("replay", run, *machine, "--hide", "elsewhere").complaint
    assert "no exchange begins at 'elsewhere'" in missed
    assert "'MPI_Irecv in swap (swap.c:7)'" in missed
    assert "--hide" in lapwing("replay", run, *machine, "--hide", "all", "--hide", "7").complaint


def test_hiding_in_pieces(lapwing: Lapwing, tmp_path: Path) -> None:
    run = swapping(tmp_path / "run.lwt", 101)
    # Here processors are busy with messages: nothing hides.  But the first byte of each costs no G.
    machine = ["--parameters", "L=0,o=0,g=0,G=200", "--hide", "all"]
    for pieces, option in ((32, []), (4, ["--pieces", "4"])):
        document = lapwing("replay", run, *machine, *option, "--json").document
        check("replay", document)
        (site,) = document["hiding"]["sites"]
        assert site["way"]["pieces"] == pieces
        assert site["saved"]["seconds"] == pytest.approx(2 * (pieces - 1) * 200e-9)
    whole = lapwing("replay", run, *machine, "--pieces", "1", "--json").document
    assert whole["hiding"]["sites"][0]["way"] is None
    assert "--hide" in lapwing("replay", run, *machine[:2], "--pieces", "1").complaint


def test_no_more_is_hidden_than_lies_beside(tmp_path: Path) -> None:
    recording = read_recording(tmp_path / swapping(tmp_path / "run.lwt", 8))
    profile = library.load_profile(str(PROFILE))
    (found,) = hiding_by_size(recording, profile)
    # 8 bytes, 10 us computed before and after each of two exchanges.
    assert (found["call"], found["size_classes"]) == (0, [4])
    assert 10e-6 < found["saved"]["seconds"] <= 20e-6
    # It is recorded as if messages took no time.
    played = library.replay(tmp_path / "run.lwt", profile=profile).time.seconds
    assert found["off"]["seconds"] == pytest.approx(played - 30e-6)


def chain(path: Path, ranks: int) -> str:
    """Ranks that send 8 bytes to the next one, receive from the one before, and compute 100 ns."""
    nobody = 3  # -2, doubled
    records = []
    for rank in range(ranks):
        above = 2 * (rank + 1) if rank + 1 < ranks else nobody
        below = 2 * (rank - 1) if rank > 0 else nobody
        records.append(bytes([5, 100, 1, 0, 0, above, 6, 8, below, 6, 8]) + FINISH)
    return written(path, records)


def test_more_ranks(lapwing: Lapwing, tmp_path: Path) -> None:
    run = chain(tmp_path / "run.lwt", 4)
    document = lapwing("replay", run, *LOGGOPS, "--ranks", "12", "--json").document
    check("replay", document)
    larger = lapwing("replay", chain(tmp_path / "more.lwt", 12), *LOGGOPS, "--json").document
    assert document["rank_times"] == larger["rank_times"]
    assert document["communication"] == pytest.approx(larger["communication"])
    assert (document["ranks"], document["recorded"]["ranks"]) == (12, 4)
    assert document["grid"] == {"sizes": [12], "periodic": [False]}
    assert document["recorded"]["grid"] == {"sizes": [4], "periodic": [False]}
    as_recorded = lapwing("replay", run, *LOGGOPS, "--json").document
    assert {**document["recorded"], "grid": None} == {**as_recorded["recorded"], "grid": None}
    printed = lapwing("replay", run, *LOGGOPS, "--ranks", "12", "--trace", "line.json").table
    assert "12, each rank with the work of one of 4" in printed
    check("trace", json.loads((tmp_path / "line.json").read_text()))
    paths = ["--critical-path", "--tolerance", "--json"]
    path, whole = (
        lapwing("replay", name, *LOGGOPS, *paths, *more).document["critical_path"]
        for name, more in ((run, ["--ranks", "12"]), ("more.lwt", []))
    )
    assert path == whole
    played = library.replay(tmp_path / run, parameters={"L": 2500}, ranks=8)
    assert (played.grid.sizes, played.grid.periodic) == ([8], [False])


def test_more_ranks_that_cannot_be_told(lapwing: Lapwing, tmp_path: Path) -> None:
    run = chain(tmp_path / "run.lwt", 4)
    multiple = lapwing("replay", run, *LOGGOPS, "--ranks", "6").complaint
    assert f"{run}: it cannot be played with 6 ranks: that is no multiple of" in multiple
    two = chain(tmp_path / "two.lwt", 2)
    assert (
        "rank 0, record 1: with that, each rank has all others as partners"
        in lapwing("replay", two, *LOGGOPS, "--ranks", "8").complaint
    )
    hidden = lapwing("replay", run, *LOGGOPS, "--ranks", "8", "--hide", "all").complaint
    assert "--hide: does not go with --ranks" in hidden
    schedule = lapwing("replay", str(GOAL / "mixed.goal"), *LOGGOPS, "--ranks", "8").complaint
    assert "mixed.goal: a schedule has the ranks that it has" in schedule
    assert "--ranks" in lapwing("replay", run, *LOGGOPS, "--ranks", "0").complaint


def test_a_program_that_cannot_end(lapwing: Lapwing, tmp_path: Path) -> None:
    run = written(tmp_path / "run.lwt", [SEND + FINISH, RECEIVE + RECEIVE + FINISH])
    ended = lapwing("replay", run, *LOGGOPS)
    assert (ended.status, ended.out) == (1, "")
    assert "rank 1, record 2, waits for a message from rank 0, tag 3" in ended.err
    left = written(tmp_path / "left.lwt", [SEND + FINISH, FINISH])
    assert "rank 1 never receives 8 bytes from rank 0" in lapwing("replay", left, *LOGGOPS).err


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        (SEND[:5], "rank 0, record 1: it is cut off"),
        (bytes([99]), "rank 0, record 1: there is no kind 99 of records"),
        (bytes([3, 0, 0, 0, 0, 20, 6, 8]), "rank 0, record 1: there is no rank 10"),
        (bytes([8, 0, 0, 0, *[255] * 9, 1]), "rank 0, record 1: a list of"),
    ],
)
def test_bad_records(lapwing: Lapwing, tmp_path: Path, records: bytes, complaint: str) -> None:
    run = written(tmp_path / "run.lwt", [records, RECEIVE])
    assert f"{run}: {complaint}" in lapwing("replay", run, *LOGGOPS).complaint


def test_refusals(lapwing: Lapwing, tmp_path: Path) -> None:
    run = written(tmp_path / "run.lwt", [FINISH])
    assert "--profile or --parameters" in lapwing("replay", run).complaint
    assert "no recording" in lapwing("replay", "nothing.lwt", *LOGGOPS).complaint.replace(
        "No such file", "no recording"
    )
    (tmp_path / "text.lwt").write_text("hello, this is no recording at all, not by far")
    assert "it is no recording" in lapwing("replay", "text.lwt", *LOGGOPS).complaint
    unknown = lapwing("replay", run, *LOGGOPS, "--collectives", "some")
    assert "no MPI library 'some'" in unknown.complaint
    unknown = lapwing("replay", run, *LOGGOPS, "--collectives", "alltoall=some")
    assert "some" in unknown.complaint
    assert "--tolerance" in lapwing("replay", run, *LOGGOPS, "--by-site").complaint


@pytest.mark.skipif(shutil.which("smpirun") is None, reason="no smpirun")
def test_a_program_on_its_own_cluster(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    """The simulated run, all of its collectives and messages, within a hundredth."""
    words = [str(COMMAND.parent / "lapwing-mpi.smpi"), "ft", "--class", "S", "--schedule", "slabs"]
    recorded = lapwing(
        "record",
        "--json",
        "-o",
        "run.lwt",
        "--on",
        "sim:ib4x:8",
        "--",
        *words,
        "--result",
        "r.json",
    )
    assert recorded.status == 0
    played = lapwing("replay", "run.lwt", "--profile", machine, "--json").document
    ran = played["recorded"]["time"]["seconds"]
    assert played["time"]["seconds"] == pytest.approx(ran, rel=0.01)
    assert played["communication"] == pytest.approx(played["recorded"]["communication"], abs=0.02)


@pytest.mark.skipif(shutil.which("smpicxx") is None, reason="no smpicxx")
@pytest.mark.parametrize("cells", [128, 1024])
def test_a_halo_with_more_ranks(lapwing: Lapwing, machine: str, tmp_path: Path, cells: int) -> None:
    """Jacobi iterations on 16 simulated ranks, played with 64, and run with them."""
    words = ["smpicxx", "-std=c++20", "-O2", "-o", str(tmp_path / "jacobi")]
    subprocess.run([*words, str(PROGRAMS / "jacobi" / "jacobi.cpp")], check=True)
    for ranks, along in ((16, cells), (64, 2 * cells)):
        target = ["--on", f"sim:ib4x:{ranks}", "--", "./jacobi", str(along), "10"]
        assert lapwing("record", "--json", "-o", f"{ranks}.lwt", *target).status == 0
    played = lapwing("replay", "16.lwt", "--profile", machine, "--ranks", "64", "--json").document
    ran = lapwing("replay", "64.lwt", "--profile", machine, "--json").document
    assert played["grid"]["sizes"] == [8, 8]
    assert played["messages"] == ran["messages"]
    assert played["time"]["seconds"] == pytest.approx(ran["time"]["seconds"], rel=0.01)
    assert played["time"]["seconds"] == pytest.approx(ran["recorded"]["time"]["seconds"], rel=0.03)
    assert played["time"]["seconds"] > 1.02 * played["recorded"]["time"]["seconds"]
