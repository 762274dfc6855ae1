"""The patch of an observed program: it compiles, and exchanges what it says it does."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typed import Lapwing

ROOT = Path(__file__).parents[3]
OBSERVED = ROOT / "tests" / "data" / "results" / "observed"
MACHINE = str(ROOT / "tests" / "data" / "profiles" / "ib4x.json")
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-DOMPI_SKIP_MPICXX"]
PEERS = 2
COMPUTED = {"seconds": 1e-3}


def compiles(mpi: str, file: Path, *words: str) -> None:
    """Assert that a compiler takes a file without a warning."""
    fortran = file.suffix == ".f90"
    compiler = f"{'mpif90' if fortran else 'mpicxx'}.{mpi}"
    if shutil.which(compiler) is None or (fortran and shutil.which("gfortran") is None):
        pytest.skip(f"no {compiler}")
    options = ["-std=f2018", "-Wall", "-Wno-unused-dummy-argument", "-Werror"]
    if not fortran:
        options = ["-std=c++20", *WARNINGS, f"-I{ROOT / 'src'}"]
    command = [compiler, *options, *(words or ["-fsyntax-only"]), str(file)]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def patched(lapwing: Lapwing, folder: Path, record: str) -> tuple[str, dict[str, Any]]:
    """The patch of a record, and the document."""
    words = [MACHINE, "--from", record, "--patch", "overlapped.cpp", "-o", "ranked.json", "--force"]
    ended = lapwing("observe", *words)
    assert (ended.status, ended.err) == (0, "")
    return (folder / "overlapped.cpp").read_text(), json.loads((folder / "ranked.json").read_text())


@pytest.mark.parametrize("mpi", ["openmpi", pytest.param("mpich", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("program", ["jacobi", "ft", "mg"])
def test_compiles_as_it_is(lapwing: Lapwing, tmp_path: Path, program: str, mpi: str) -> None:
    text, document = patched(lapwing, tmp_path, str(OBSERVED / f"{program}.json"))
    compiles(mpi, tmp_path / "overlapped.cpp")
    module = tmp_path / "overlapped.f90"
    assert module.exists() == (program != "jacobi")
    if module.exists():
        compiles(mpi, module)
        assert "TODO(computation)" in module.read_text()
    else:
        assert "TODO(computation)" in text
    assert max(map(len, text.splitlines())) <= 100
    assert "\t" not in text
    if program == "ft":
        assert says_plan(text, document["exchanges"][0])


def says_plan(text: str, exchange: dict[str, Any]) -> bool:
    """Whether the first plan of a patch says what each of the others gets in the exchange's."""
    plan, others = exchange["plan"], exchange["communicator"] - 1
    written = text[text.index("Plan plan_1()") :]
    written = written[: written.index("return plan;")]
    runs = [list(map(int, run)) for run in re.findall(r"append\((\d+), (\d+)\)", written)]
    planned = [[size // others, count] for size, count in plan["compact"]["runs"]]
    return runs == planned and f"plan.window = {plan['window']};" in written


def test_what_is_filled_in_by_observation(lapwing: Lapwing, tmp_path: Path) -> None:
    text, _ = patched(lapwing, tmp_path, str(OBSERVED / "jacobi.json"))
    # Rank 5 of 4 x 4 has four neighbours; side s sends with tag s and receives with s ^ 1.
    for row in ("{5, 1, 0, 1,", "{5, 9, 1, 0,", "{5, 4, 2, 3,", "{5, 6, 3, 2,"):
        assert f"    {row} 512, 512}}," in text or f"    {row} 4096, 4096}}," in text
    assert "{0, 1, 3, 2" in text
    assert "std::vector<lapwing::Edge<Element>>" in text
    assert "using Element = double;" in text
    assert "jacobi.cpp:15" in text
    text, _ = patched(lapwing, tmp_path, str(OBSERVED / "ft.json"))
    assert "using Element = std::complex<double>;" in text
    assert "complex(c_double_complex)" in (tmp_path / "overlapped.f90").read_text()


def exchange(operation: str, size: int, sides: str, **changed: Any) -> dict[str, Any]:
    """An exchange between three ranks that waits 50 ms, beside computation on these sides."""
    none = {"seconds": 0.0}
    made: dict[str, Any] = {
        "call": 0,
        "members": [],
        "operation": operation,
        "communicator": 0 if operation == "messages" else 3,
        "ranks": 3,
        "peers": 0,
        "count": 10.0,
        "messages": 1.0,
        "sent": 2.0 * size,
        "received": 2.0 * size,
        "size": float(size),
        "blocking": True,
        "initiating": none,
        "waiting": {"seconds": 5e-2},
        "before": {"seconds": 3e-2} if sides in ("before", "both") else none,
        "packing": none,
        "behind": none,
        "after": {"seconds": 3e-2} if sides in ("after", "both") else none,
        "beside": {"seconds": 3e-2} if sides == "both" else none,
        "quickest_rank": {"seconds": 5e-2},
        "deviation": {"seconds": 1e-4},
        "element": "double",
        "root": 0 if operation in ("bcast", "reduce", "gather", "scatter") else None,
        "messages_of_ranks": [],
    }
    return {**made, **changed}


def neighbours(size: int, tags: tuple[int, int], phase: int = 0) -> list[dict[str, Any]]:
    """A ring of three ranks: to the next one with the first tag, back with the second.

    phase: that of what comes with the second; all that comes with the first is of the first one.
    """
    ways = [(1, tags[0], True), (2, tags[1], True), (2, tags[0], False), (1, tags[1], False)]
    return [
        {
            "rank": rank,
            "messages": [
                {
                    "peer": (rank + distance) % 3,
                    "tag": tag,
                    "sends": sends,
                    "phase": phase if tag == tags[1] else 0,
                    "messages": 1.0,
                    "bytes": float(size),
                }
                for distance, tag, sends in ways
            ],
        }
        for rank in range(3)
    ]


def record(*exchanges: dict[str, Any]) -> dict[str, Any]:
    """A record of a program that does this, each at a place of its own."""
    calls = [
        {
            "routine": f"MPI_{each['operation'].capitalize()}",
            "language": "C",
            "function": f"part_{number}",
            "file": "program.c",
            "line": 10 + number,
            "module": "program",
            "offset": 100 * number,
            "count": 30,
            "sent": 0,
            "received": 0,
            "time": COMPUTED,
        }
        for number, each in enumerate(exchanges)
    ]
    return {
        "command": ["program"],
        "exit_status": 0,
        "target": None,
        "cluster": None,
        "ranks": 3,
        "complete": True,
        "lost": 0,
        "time": {"seconds": 1.0},
        "computation": {"seconds": 0.05},
        "calls": calls,
        "exchanges": [{**each, "call": number} for number, each in enumerate(exchanges)],
    }


COLLECTIVES = ["bcast", "reduce", "gather", "scatter", "allgather", "reduce_scatter", "scan"]
SIZE = 1 << 19


def every_kind() -> list[dict[str, Any]]:
    """An exchange of every kind that a patch has a skeleton for."""
    one_way = {"peers": 1, "received": float(SIZE), "sent": 0.0}
    return [
        exchange("alltoall", SIZE, "both"),
        exchange("alltoall", SIZE, "after"),
        exchange("alltoall", SIZE, "before"),
        exchange("messages", SIZE, "after", **one_way),
        exchange("messages", SIZE, "before", **{**one_way, "sent": float(SIZE), "received": 0.0}),
        exchange("messages", SIZE, "after", **{**one_way, "peers": 2}),
        exchange("messages", SIZE, "before", peers=2, sent=2.0 * SIZE, received=0.0),
        exchange("messages", SIZE, "after", peers=2, messages_of_ranks=neighbours(SIZE, (3, 4))),
        exchange(
            "messages", SIZE, "after", peers=2, messages_of_ranks=neighbours(SIZE, (3, 4), phase=1)
        ),
        exchange("allreduce", SIZE, "before"),
        exchange("allreduce", SIZE, "before", element="int32"),
        *(exchange(operation, SIZE, "before") for operation in COLLECTIVES),
        exchange("bcast", SIZE + 1, "after"),
    ]


@pytest.mark.parametrize("language", ["C", "Fortran"])
def test_every_kind(lapwing: Lapwing, tmp_path: Path, language: str) -> None:
    made = record(*every_kind())
    for call in made["calls"]:
        call["language"] = language
    (tmp_path / "seen.json").write_text(json.dumps(made))
    text, document = patched(lapwing, tmp_path, "seen.json")
    worth = [each for each in document["exchanges"] if each["verdict"] == "worth it"]
    assert len(worth) == len(every_kind())
    compiles("openmpi", tmp_path / "overlapped.cpp")
    if language == "Fortran":
        compiles("openmpi", tmp_path / "overlapped.f90")
    for used in ("Halo<", "pipeline<", "stream<", "multi<", "feed(", "Allreduce "):
        assert f"lapwing::{used}" in text, used
    for operation in COLLECTIVES:
        assert f"MPI_I{operation}" in text


def written(values: str, first: str = "") -> str:
    """Code that fills `values`, elements from `first` on of what goes to `peer`."""
    return (
        f"for (std::size_t k = 0; k < {values}.size(); ++k) "
        f"{values}[k] = value(transport.rank(), peer, {first}k);"
    )


def checked(values: str, first: str = "") -> str:
    """Code that checks what came from `peer`."""
    return (
        f"for (std::size_t k = 0; k < {values}.size(); ++k) "
        f"check({values}[k], value(peer, transport.rank(), {first}k));"
    )


def of_tile(does: str) -> str:
    """Code that does something with each element `i` of a tile, of rank `r`, the `k`-th of it."""
    return (
        "int me = 0; MPI_Comm_rank(communicator, &me); "
        "for (int r = 0; r < ranks; ++r) for (std::int64_t n = 0; n < tile.count; ++n) { "
        "const auto i = static_cast<std::size_t>(r * tile.count + n); "
        f"const auto k = static_cast<std::size_t>(tile.first + n); {does} }}"
    )


OF_SIDE = "const int peer = sides[i].peer; auto& transport = neighbours.transport; "
FILLS = {
    "write `values`, elements from part.first": written("values", "part.first + "),
    "write tile.out": of_tile("tile.out[i] = value(me, r, k);"),
    "use tile.in": of_tile("check(tile.in[i], value(r, me, k));"),
    "write `out`, all that goes": "const int peer = peers.front(); " + written("out"),
    "write what sides[i].peer": OF_SIDE + written("out[i]"),
    "use `values`, elements": checked("values", "part.first + "),
    "use piece.data, elements from piece.first on of what rank `peer`": checked(
        "piece.data", "piece.first + "
    ),
    "take what came": OF_SIDE + checked("in[i]"),
    "write `values`.": "values.assign(count, transport.rank() + 1.0);",
    "use `sums`.": "for (const double sum : sums) check(sum, 6);",
}
CHECKS = """
#include <cstdio>
long checked = 0, wrong = 0;
double value(int from, int to, std::size_t k) { return from * 1e8 + to * 1e7 + double(k); }
void check(double a, double b) { ++checked; if (a != b) ++wrong; }
"""
MAIN = """
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        using namespace overlapped;
        CALLS
    }
    long all[2] = {checked, wrong};
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("checked %ld wrong %ld\\n", all[0], all[1]);
    MPI_Finalize();
}
"""


def one_way(text: str, receives: str) -> str:
    """The calls of a pair of functions: between the first rank and both others, or one of them."""
    sends = receives.replace("_receives", "_sends")
    body = {name: text.split(f"void {name}(")[1].split("\n}\n")[0] for name in (sends, receives)}
    several = "lapwing::multi" in body[receives] or "lapwing::pipeline" in body[sends]
    others = "{1, 2}" if several else "{1}"
    first, second = (sends, receives) if "lapwing::pipeline" in body[sends] else (receives, sends)
    alone = "{0}" if several else "rank == 1 ? std::vector{0} : std::vector<int>{}"
    return f"rank == 0 ? {first}(MPI_COMM_WORLD, {others}) : {second}(MPI_COMM_WORLD, {alone});"


def test_exchanges_what_it_says(lapwing: Lapwing, tmp_path: Path) -> None:
    """Every skeleton but MPI's own collectives, filled in, on three ranks."""
    if shutil.which("mpirun.mpich") is None:
        pytest.skip("no mpirun.mpich")
    kinds = every_kind()[:10]
    (tmp_path / "seen.json").write_text(json.dumps(record(*kinds)))
    text, _ = patched(lapwing, tmp_path, "seen.json")
    lines = []
    for line in text.splitlines():
        todo = line.strip().removeprefix("// TODO(computation): ")
        lines.append(next((code for begin, code in FILLS.items() if todo.startswith(begin)), line))
    filled = "\n".join(lines).replace("#include <mpi.h>", f"#include <mpi.h>\n{CHECKS}")
    names = re.findall(r"^void (exchange_\w+)\(MPI_Comm communicator(.*)\) \{", text, re.M)
    assert len(names) == len(kinds) + 4  # those that go one way have two functions
    calls = []
    for name, given in names:
        if name.endswith("_receives"):
            calls.append(one_way(text, name))
        elif not name.endswith("_sends"):
            calls.append(f"{name}(MPI_COMM_WORLD{', 2' if 'int times' in given else ''});")
    program = tmp_path / "filled.cpp"
    program.write_text(filled + MAIN.replace("CALLS", "\n        ".join(calls)))
    built = ROOT / "build" / "src" / "lapwing"
    command = [
        "mpicxx.mpich",
        "-std=c++20",
        "-O1",
        f"-I{ROOT / 'src'}",
        "-o",
        "filled",
        str(program),
    ]
    subprocess.run([*command, f"-L{built}", "-llapwing_io", "-llapwing"], cwd=tmp_path, check=True)
    done = subprocess.run(
        ["mpirun.mpich", "-n", "3", "./filled"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    found = re.search(r"checked (\d+) wrong (\d+)", done.stdout)
    assert found, (done.stdout, done.stderr)
    assert int(found[1]) > 9 * SIZE // 8
    assert int(found[2]) == 0


FORTRAN_FILLS = {
    "write values": "values(k, p) = cmplx(100 * me + p, first + k - 1, c_double_complex)",
    "use values": "if (values(k, p) == cmplx(100 * p + me, first + k - 1, c_double_complex)) "
    "right = right + 1",
}
FORTRAN_MAIN = """
program main
    use mpi
    use lapwing_overlapped
    implicit none
    integer :: error, total
    call mpi_init(error)
    call mpi_comm_rank(mpi_comm_world, me, error)
    call overlap_1(mpi_comm_world)
    call mpi_allreduce(right, total, 1, mpi_integer, mpi_sum, mpi_comm_world, error)
    if (me == 0) print *, total
    call mpi_finalize(error)
end program
"""


def test_fortran_exchanges_what_it_says(lapwing: Lapwing, tmp_path: Path) -> None:
    """The all-to-all of NPB's FT, filled in by a program in Fortran, on four ranks."""
    if shutil.which("mpif90.mpich") is None or shutil.which("gfortran") is None:
        pytest.skip("no mpif90.mpich")
    patched(lapwing, tmp_path, str(OBSERVED / "ft.json"))
    module = (tmp_path / "overlapped.f90").read_text()
    for begin, code in FORTRAN_FILLS.items():
        todo = next(line for line in module.splitlines() if f"TODO(computation): {begin}" in line)
        of_ranks = f"do p = 0, ranks - 1\ndo k = 1, count\n{code}\nend do\nend do"
        loop = f"integer :: p\ninteger(c_int64_t) :: k\n{of_ranks}"
        module = module.replace(todo, loop, 1)
    state = "implicit none\ninteger :: me = 0, right = 0"
    program = module.replace("implicit none", state, 1) + FORTRAN_MAIN
    (tmp_path / "main.f90").write_text(program)
    include, built = f"-I{ROOT / 'src'}", f"-L{ROOT / 'build' / 'src' / 'lapwing'}"
    libraries = [built, "-llapwing_io", "-llapwing", "-lstdc++"]
    for command in (
        ["mpicxx.mpich", "-std=c++20", "-O1", include, "-c", "overlapped.cpp"],
        ["mpif90.mpich", "-w", "-o", "main", "main.f90", "overlapped.o", *libraries],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    words = ["mpirun.mpich", "-n", "4", "./main"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    # Class S: 64 x 64 x 64 elements, of which each of 4 ranks sends 1 / 16 to each rank.
    assert int(done.stdout) == 64**3, done.stderr


@pytest.mark.parametrize("program", ["jacobi", "ft", "mg", "is"])
@pytest.mark.parametrize("machine", [MACHINE, None])
def test_no_more_is_saved_than_spent(lapwing: Lapwing, machine: str | None, program: str) -> None:
    words = [*([machine] if machine else []), "--from", str(OBSERVED / f"{program}.json")]
    document = lapwing("observe", *words, "--json").document
    assert document["same_machine"] == (None if machine is None else program == "jacobi")
    for each in document["exchanges"]:
        saved, spent = each["saved"], each["initiating"]["seconds"] + each["waiting"]["seconds"]
        cost = spent if each["communication"] is None else each["communication"]["seconds"]
        assert 0 <= saved["low"] <= saved["seconds"] <= saved["high"]
        assert saved["seconds"] <= cost + 1e-12
        if machine is None or document["same_machine"]:
            assert saved["high"] <= spent + 1e-12
        assert each["saved_in_all"]["high"] == pytest.approx(saved["high"] * each["count"])


def test_standard_output(lapwing: Lapwing) -> None:
    words = [MACHINE, "--from", str(OBSERVED / "ft.json"), "--patch", "-"]
    ended = lapwing("observe", *words)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("// Skeletons that overlap")
    assert "// module lapwing_overlapped" in ended.out


def test_nothing_worth_it(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "seen.json").write_text(json.dumps(record()))
    ended = lapwing("observe", MACHINE, "--from", "seen.json", "--patch", "overlapped.cpp")
    assert ended.status == 0
    assert "no exchange is worth overlapping" in ended.err
    assert not (tmp_path / "overlapped.cpp").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--patch", "x.cpp"], "needs a machine to plan for"),
        ([MACHINE, "--patch", "x.c"], "name a file that ends in .cpp"),
        ([MACHINE, "--patch", "there.cpp"], "there.cpp: exists already"),
        ([MACHINE, "--patch", "beside.cpp"], "beside.f90: exists already"),
        ([MACHINE, "--patch", "-", "--json"], "not together with --json"),
        ([MACHINE, "--trace", "t.json"], "run the program"),
        ([MACHINE, "-o", "no/x.html"], "no is no directory"),
    ],
)
def test_refused(lapwing: Lapwing, tmp_path: Path, words: list[str], said: str) -> None:
    for name in ("there.cpp", "beside.f90"):
        (tmp_path / name).write_text("")
    ended = lapwing("observe", *words, "--from", str(OBSERVED / "ft.json"))
    assert said in ended.complaint
