"""Programs recorded call by call: C and Fortran, every MPI and simulated, and how they end."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from documents import check
from lapwing._core import Recording
from typed import COMMAND, Lapwing

pytestmark = pytest.mark.alone

PROGRAMS = Path(__file__).parent / "programs"
MPIS = ["openmpi", "mpich"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
Built = Callable[..., str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """One of PROGRAMS, compiled with an MPI, once."""
    folder = tmp_path_factory.mktemp("built")

    def compiled(source: str, mpi: str, *options: str) -> str:
        compilers = {"smpi": "smpicc"}
        language = "mpicc" if source.endswith(".c") else "mpif90"
        compiler = compilers.get(mpi, f"{language}.{mpi}")
        if shutil.which(compiler) is None or (
            language == "mpif90" and not shutil.which("gfortran")
        ):
            pytest.skip(f"no {compiler}")
        program = folder / f"{source}{''.join(options)}.{mpi}"
        if not program.exists():
            words = [compiler, *options, "-g", "-w", "-o", str(program), str(PROGRAMS / source)]
            subprocess.run(words, cwd=folder, check=True)
        return str(program)

    return compiled


def launched(mpi: str, ranks: int, program: str, *words: str) -> list[str]:
    """The words after `lapwing record -o FILE` that run a program."""
    if mpi == "smpi":
        return ["--on", f"sim:ib4x:{ranks}", "--", program, *words]
    options = ["--oversubscribe"] if mpi == "openmpi" else []
    return ["--", f"mpirun.{mpi}", *options, "-n", str(ranks), program, *words]


def records(path: Path) -> list[list[dict[str, Any]]]:
    """The records of each rank, without what depends on time."""
    recording = Recording(str(path))
    timed = ("computed", "duration", "site")
    return [
        [{k: v for k, v in record.items() if k not in timed} for record in recording.records(rank)]
        for rank in range(recording.ranks)
    ]


def of_kind(found: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [record for record in found if record["kind"] in kinds]


def end(peer: int, tag: int, size: int) -> dict[str, int]:
    return {"peer": peer, "tag": tag, "bytes": size}


@pytest.mark.parametrize("mpi", [*MPIS, "smpi"])
def test_every_kind_of_call(lapwing: Lapwing, built: Built, tmp_path: Path, mpi: str) -> None:
    two_groups = mpi != "smpi"
    words = launched(mpi, 4, built("calls.c", mpi), "all" if two_groups else "simulated")
    document = lapwing("record", "--json", "-o", "run.lwt", *words, **AS_ROOT).document
    check("recording", document)
    assert (document["ranks"], document["finished"], document["lost"]) == (4, True, 0)
    assert document["mpi"] == mpi
    assert {site["routine"] for site in document["sites"]} >= {"MPI_Comm_split", "MPI_Test"}
    assert all(site["file"].endswith("calls.c") for site in document["sites"])
    every = records(tmp_path / "run.lwt")
    assert document["calls"] == sum(
        len(found) - len(of_kind(found, "communicator", "finish")) for found in every
    )
    found = every[2]
    assert found[-1] == {"kind": "finish"}
    expect_messages(found, two_groups)
    expect_requests(found)
    expect_collectives(found)
    expect_communicators(every, two_groups)


def expect_messages(found: list[dict[str, Any]], two_groups: bool) -> None:
    """The messages of rank 2: the sources and tags of those that are complete are known."""
    swaps = of_kind(found, "send_receive")
    assert (swaps[0]["sent"], swaps[0]["received"]) == (end(3, 5, 4), end(1, 5, 4))
    if two_groups:  # of 2 and 0, and of 3 and 1
        assert (swaps[1]["sent"], swaps[1]["received"]) == (end(3, 2, 4), end(3, 2, 4))
    sent = [record["sent"] for record in of_kind(found, "send")]
    received = [record["received"] for record in of_kind(found, "receive")]
    assert sent == [end(2, 7, 4), end(-2, 8, 4), end(3, 11, 4)][: 2 + two_groups]
    assert received == [end(2, 7, 8), end(1, 11, 4)][: 1 + two_groups]


def expect_requests(found: list[dict[str, Any]]) -> None:
    """Requests of rank 2, twice at once, and persistent ones in a communicator of 2 and 0."""
    kinds = ("start_send", "start_receive", "wait")
    seen = [
        (record.get("request", record.get("requests")), record.get("sent", record.get("received")))
        for record in of_kind(found, *kinds)
    ]
    once = [
        (0, end(1, 3, 8000)),
        (1, end(-1, 4, 4)),
        (2, end(3, 3, 8000)),
        (3, end(3, 4, 4)),
        ([0, 1, 2, 3], None),
    ]
    again = [(0, end(0, 9, 4)), (1, end(0, 9, 4)), ([0, 1], None)]
    assert seen == [*once, *once, *again, *again, ([0], None)]


def expect_collectives(found: list[dict[str, Any]]) -> None:
    """Collectives of rank 2, in which the bytes and roots are the caller's."""
    seen = [
        (
            record["collective"],
            record["communicator"],
            record["root"],
            record["bytes"],
            record.get("blocks"),
        )
        for record in of_kind(found, "collective", "start_collective")
    ]
    # Ranks tell each other colors and keys where they split one.
    made = [(each[1], each[3]) for each in seen if each[0] == "create_communicator"]
    assert made == [(0, 8), (1, 0), (0, 0)]
    assert [each for each in seen if each[0] != "create_communicator"] == [
        ("alltoallv", 0, 0, 48, [32, 40, 48, 56]),
        ("gatherv", 0, 1, 24, None),
        ("allgather", 1, 0, 80, None),
        ("bcast", 1, 1, 80, None),
        ("reduce_scatter_block", 0, 0, 40, None),
        ("barrier", 2, 0, 0, None),
        ("allreduce", 2, 0, 80, None),
    ]


def expect_communicators(every: list[list[dict[str, Any]]], two_groups: bool) -> None:
    """All ranks of a communicator give it the same context, and none to another."""
    made = [of_kind(found, "communicator") for found in every]
    numbers = [[record["communicator"] for record in several] for several in made]
    assert numbers == [[1, 2, 2, 3][: 3 + two_groups]] * 4
    contexts = [[record["context"] for record in several] for several in made]
    assert contexts[0] == contexts[2]
    assert contexts[1] == contexts[3]
    assert contexts[0][2:] == contexts[1][2:]
    assert len({context for several in contexts for context in several}) == 5 + two_groups
    assert [record["members"] for record in made[0]][:3] == [
        [(2, -2, 2)],
        [(2, -2, 2)],
        [(0, 1, 4)],
    ]


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("module", ["OLD", "NEW"])
def test_fortran(lapwing: Lapwing, built: Built, tmp_path: Path, mpi: str, module: str) -> None:
    words = launched(mpi, 2, built("calls.F90", mpi, f"-D{module}"))
    document = lapwing("record", "--json", "-o", "run.lwt", *words, **AS_ROOT).document
    assert {site["language"] for site in document["sites"]} == {"Fortran"}
    first, second = records(tmp_path / "run.lwt")
    contexts = [
        [record["context"] for record in of_kind(each, "communicator")] for each in (first, second)
    ]
    assert contexts[0] == contexts[1]
    assert len(set(contexts[0])) == 2
    sent = [record["sent"] for record in of_kind(first, "send")]
    received = [record["received"] for record in of_kind(second, "receive")]
    assert sent == [end(1, 5, 4), end(1, 7, 4)]
    assert received == [end(0, 5, 4), end(0, 7, 4)]
    swap = of_kind(second, "send_receive")[0]
    assert (swap["sent"], swap["received"]) == (end(0, 6, 4), end(0, 6, 4))
    collectives = [record["collective"] for record in of_kind(first, "collective")]
    assert "create_communicator" in collectives
    blocks = [record["blocks"] for record in of_kind(first, "collective") if "blocks" in record]
    assert blocks[0] == [16, 16]


@pytest.mark.parametrize("mpi", MPIS)
def test_killed(lapwing: Lapwing, built: Built, tmp_path: Path, mpi: str) -> None:
    """What every rank did until then is kept; the exit status is the program's."""
    words = launched(mpi, 4, built("calls.c", mpi), "dies")
    ended = lapwing("record", "-o", "run.lwt", *words, **AS_ROOT)
    assert ended.status not in (0, 2)
    assert f"the program ended with status {ended.status}" in ended.out
    assert "not every rank reached MPI_Finalize" in ended.out
    for found in records(tmp_path / "run.lwt"):
        assert len(of_kind(found, "send_receive")) == 2
        assert not of_kind(found, "finish")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.lwt"]


def test_interrupted(built: Built, tmp_path: Path) -> None:
    words = launched("mpich", 4, built("calls.c", "mpich"), "waits")
    command = [str(COMMAND), "record", "-o", "run.lwt", *words]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waits\n"
        os.killpg(process.pid, signal.SIGINT)
        out = process.stdout.read()
        process.wait(60)  # the launcher's status, which is not always that of an error
    assert "not every rank reached MPI_Finalize" in out
    assert all(len(of_kind(found, "send_receive")) == 2 for found in records(tmp_path / "run.lwt"))


def test_rank_that_does_not_see_the_directory(
    lapwing: Lapwing, built: Built, tmp_path: Path
) -> None:
    """As on another machine: it sends its records in the end."""
    program = built("calls.c", "openmpi")
    elsewhere = "test $OMPI_COMM_WORLD_RANK = 2 && export LAPWING_OBSERVE=/nowhere"
    words = launched("openmpi", 4, "sh", "-c", f"{elsewhere}; exec {program} all")
    ended = lapwing("record", "-o", "run.lwt", "--mpi", "openmpi", *words, **AS_ROOT)
    assert (ended.status, ended.err) == (0, "")
    every = records(tmp_path / "run.lwt")
    assert [len(found) for found in every] == [len(every[0])] * 4
    expect_collectives(every[2])


def test_show(lapwing: Lapwing, built: Built, tmp_path: Path) -> None:
    words = launched("mpich", 4, built("calls.c", "mpich"))
    table = lapwing("record", "-o", "run.lwt", *words).table
    assert "B a call" in table
    said = lapwing("record", "--show", "run.lwt").out
    shown = said.splitlines()
    assert {line.split()[0] for line in shown} == {"0", "1", "2", "3"}
    one = lapwing("record", "--show", "run.lwt", "--rank", "2").out.splitlines()
    assert one == [line for line in shown if line.startswith("2 ")]
    assert "send receive to 3 tag 5 4 B from 1 tag 5 4 B" in one[0]
    assert "MPI_Sendrecv in messages (calls.c:" in one[0]
    assert any("wait requests 0 1 2 3" in line for line in one)
    document = lapwing("record", "--show", "run.lwt", "--json").document
    check("recording", document)
    assert "exists already" in lapwing("record", "-o", "run.lwt", *words).complaint
    assert lapwing("record", "--force", "-o", "run.lwt", *words).status == 0


def test_show_what_is_damaged(lapwing: Lapwing, built: Built, tmp_path: Path) -> None:
    words = launched("mpich", 2, built("calls.F90", "mpich", "-DOLD"))
    lapwing("record", "-o", "run.lwt", *words)
    whole = (tmp_path / "run.lwt").read_bytes()
    Path(tmp_path, "cut.lwt").write_bytes(whole[:-5])
    assert "cut.lwt: it is cut off" in lapwing("record", "--show", "cut.lwt").complaint
    Path(tmp_path, "other.lwt").write_text("a text")
    assert "it is no recording" in lapwing("record", "--show", "other.lwt").complaint
    size = int.from_bytes(whole[24:32], "little")
    head = whole[:24] + (2).to_bytes(8, "little") + b"{}"
    Path(tmp_path, "said.lwt").write_bytes(head + whole[32 + size :])
    assert "its description is not" in lapwing("record", "--show", "said.lwt").complaint
    kind = bytearray(whole)
    kind[32 + size + 8] = 99  # of the first record
    Path(tmp_path, "kind.lwt").write_bytes(kind)
    complaint = lapwing("record", "--show", "kind.lwt").complaint
    assert "kind.lwt: rank 0, record 1: there is no kind 99" in complaint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "missing: the program, after --"),
        (["--", "mpirun", "-n", "2", "program"], "-o: missing"),
        (["-o", "run.json", "--", "true"], "a file that ends in .lwt"),
        (["-o", "none/run.lwt", "--", "true"], "none is no directory"),
        (["-o", "run.lwt", "--", "no-such-launcher"], "no-such-launcher: no such command"),
        (["-o", "run.lwt", "--", "true"], "say --mpi openmpi"),
        (["--show", "none.lwt"], "none.lwt: No such file"),
        (["--show", "run.lwt", "--", "true"], "leave out the program"),
        (["--rank", "1", "-o", "run.lwt", "--", "true"], "--rank: goes with --show"),
        (["--show", "run.lwt", "--rank", "-1"], "--rank"),
    ],
)
def test_refused(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("record", *words).complaint
