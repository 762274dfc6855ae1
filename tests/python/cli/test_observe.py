"""Programs observed unchanged: C and Fortran, old and new, under every MPI, and how they end."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from documents import check
from typed import Lapwing

pytestmark = pytest.mark.alone

PROGRAMS = Path(__file__).parent / "programs"
DATA = Path(__file__).parents[2] / "data"
OBSERVED = DATA / "results" / "observed"
MACHINE = str(DATA / "profiles" / "ib4x.json")
MPIS = ["openmpi", "mpich"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    """One of PROGRAMS, compiled with an MPI, once."""
    folder = tmp_path_factory.mktemp("built")

    def compiled(source: str, mpi: str) -> str:
        compiler = f"{'mpicc' if source.endswith('.c') else 'mpif90'}.{mpi}"
        if shutil.which(compiler) is None or shutil.which(f"mpirun.{mpi}") is None:
            pytest.skip(f"no {compiler}")
        if not source.endswith(".c") and shutil.which("gfortran") is None:
            pytest.skip("no gfortran")
        program = folder / f"{Path(source).stem}.{mpi}"
        if not program.exists():
            words = [compiler, "-g", "-w", "-o", str(program), str(PROGRAMS / source)]
            subprocess.run(words, cwd=folder, check=True)
        return str(program)

    return compiled


def launched(mpi: str, program: str, *words: str) -> list[str]:
    options = ["--oversubscribe"] if mpi == "openmpi" else []
    return ["--", f"mpirun.{mpi}", *options, "-n", "2", program, *words]


def seen(document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The fields of each exchange that do not depend on time: pattern, volume, count, calls."""
    calls = document["calls"]
    return sorted(
        (
            exchange["pattern"],
            exchange["volume"],
            exchange["count"],
            exchange["messages"],
            calls[exchange["call"]]["routine"],
            calls[exchange["call"]]["function"],
        )
        for exchange in document["exchanges"]
    )


@pytest.mark.parametrize("mpi", MPIS)
def test_every_kind_of_exchange(
    lapwing: Lapwing, built: Callable[[str, str], str], mpi: str
) -> None:
    words = launched(mpi, built("exchanges.c", mpi))
    document = lapwing("observe", "--json", *words, **AS_ROOT).document
    check("observe", document)
    assert (document["ranks"], document["complete"], document["lost"]) == (2, True, 0)
    assert document["computation"]["seconds"] <= document["time"]["seconds"]
    found = seen(document)
    assert ("halo", 3000, 4, 2, "MPI_Irecv", "halo") in found
    assert ("halo", 70000, 5, 2, "MPI_Startall", "overlapped") in found
    assert ("stream", 500, 6, 1, "MPI_Send", "stream") in found
    assert ("stream", 500, 6, 1, "MPI_Recv", "stream") in found
    assert ("alltoall", 40000, 3, 1, "MPI_Alltoall", "collectives") in found
    assert ("buckets", 8, 3, 1, "MPI_Allreduce", "collectives") in found
    assert ("bcast", 9000, 1, 1, "MPI_Ibcast", "collectives") in found
    assert len(found) == 8  # messages to MPI_PROC_NULL belong to the exchange before them
    started = next(e for e in document["exchanges"] if e["volume"] == 70000)
    assert started["behind"]["seconds"] >= 0.02
    routines = {document["calls"][member]["routine"] for member in started["members"]}
    assert routines == {"MPI_Waitany"}
    assert all(call["file"].endswith("exchanges.c") for call in document["calls"])


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("source", ["old.f", "new.f90"])
def test_fortran(lapwing: Lapwing, built: Callable[[str, str], str], mpi: str, source: str) -> None:
    words = launched(mpi, built(source, mpi))
    document = lapwing("observe", "--json", *words, **AS_ROOT).document
    assert sorted(entry[:5] for entry in seen(document)) == [
        ("alltoall", 20000, 4, 1, "MPI_Alltoall"),
        ("halo", 800, 4, 2, "MPI_Irecv"),
    ]
    assert {call["line"] for call in document["calls"]} >= {16 if source == "old.f" else 17}


def test_table_and_what_was_kept(
    lapwing: Lapwing, built: Callable[[str, str], str], tmp_path: Path
) -> None:
    words = launched("mpich", built("exchanges.c", "mpich"))
    ended = lapwing("observe", "-o", "seen.json", *words)
    # In narrow columns the call site is cut short.
    assert "collectives" in ended.table
    assert "alltoall" in ended.table
    again = lapwing("observe", "--from", "seen.json").table
    assert again == ended.table
    kept = Path(tmp_path, "seen.json").read_text()
    check("observe", json.loads(kept))
    assert '"line": 48' in kept


@pytest.mark.parametrize(
    ("mpi", "end", "status"),
    [("mpich", "aborts", 5), ("openmpi", "dies", None), ("openmpi", "fails", 3)],
)
def test_programs_that_fail(
    lapwing: Lapwing, built: Callable[[str, str], str], mpi: str, end: str, status: int | None
) -> None:
    """The command shows what was recorded until then, and has the program's exit status."""
    ended = lapwing("observe", "--json", *launched(mpi, built("exchanges.c", mpi), end), **AS_ROOT)
    document = json.loads(ended.out)
    check("observe", document)
    assert ended.status == document["exit_status"] != 0
    assert status in (None, ended.status)
    assert document["complete"] == (end == "fails")
    assert ("halo", 3000) in {entry[:2] for entry in seen(document)}


def test_program_that_charges_no_computation(lapwing: Lapwing, tmp_path: Path) -> None:
    """Simulated, it computes in no time: nothing is worth it, and the table says why."""
    recorded = json.loads((OBSERVED / "jacobi.json").read_text())
    recorded["computation"] = {"seconds": 0.0}
    for exchange in recorded["exchanges"]:
        exchange |= {side: {"seconds": 0.0} for side in ("before", "behind", "after", "beside")}
    (tmp_path / "seen.json").write_text(json.dumps(recorded))
    ended = lapwing("observe", MACHINE, "--from", "seen.json", "--json")
    assert ended.status == 0
    verdicts = {exchange["verdict"] for exchange in ended.document["exchanges"]}
    assert verdicts <= {"nothing beside it", "nothing sent"}
    assert "charge it with smpi_execute" in lapwing("observe", MACHINE, "--from", "seen.json").out


def test_nothing_to_observe(lapwing: Lapwing, tmp_path: Path) -> None:
    if shutil.which("mpirun.mpich") is None:
        pytest.skip("no mpirun.mpich")
    # Of two ranks that end at once this launcher sometimes dies itself, by SIGPIPE.
    ended = lapwing("observe", "--", "mpirun.mpich", "-n", "2", "sleep", "0.2")
    assert (ended.status, ended.out) == (1, "")
    assert "no rank initialized an MPI" in ended.err
    ended = lapwing("observe", "--", "mpirun.mpich", "-n", "1", "sh", "-c", "exit 4")
    assert ended.status == 4
    assert "before any rank had initialized MPI" in ended.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "missing: the program, after --"),
        (["--from", "x.json", "--", "program"], "leave out the program"),
        (["--from", "x.json"], "x.json: cannot read"),
        (["--", "no-such-launcher", "-n", "2"], "no-such-launcher: no such command"),
        (["--", "true"], "say --mpi openmpi"),
        (["--on", "mpi:2", "--", "no-such-program"], "no such program"),
        (["nothing.json", "--", "mpirun", "-n", "2", "true"], "nothing.json"),
    ],
)
def test_refused(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("observe", *words).complaint


def test_not_what_was_kept(lapwing: Lapwing, tmp_path: Path) -> None:
    Path(tmp_path, "seen.json").write_text("{}")
    assert (
        "not what `lapwing observe -o` writes"
        in lapwing("observe", "--from", "seen.json").complaint
    )
