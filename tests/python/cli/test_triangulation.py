"""The triangulation as a user runs it: the same on any number of ranks, whatever the points."""

import math
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

Places = list[tuple[float, float]]

MPIS = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.mpich"}


@pytest.fixture(params=list(MPIS))
def mpi(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if shutil.which(MPIS[name]) is None:
        pytest.skip(f"no {MPIS[name]}")
    return name


@pytest.fixture
def simulator() -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")


def grid() -> Places:
    return [(float(i), float(j)) for i in range(30) for j in range(20)]


def circle() -> Places:
    """Points of a lattice on one circle, exactly, and its centre."""
    radius = 5 * 13 * 17
    places = [(0.0, 0.0)]
    for x in range(-radius, radius + 1):
        y = math.isqrt(radius * radius - x * x)
        if x * x + y * y == radius * radius:
            places += [(float(x), float(y)), (float(x), float(-y))]
    return places


def clusters() -> Places:
    numbers = random.Random(5)
    centres = [(0.0, 0.0), (1.0, 0.3), (40.0, -3.0)]
    return [(x + numbers.gauss(0, 1e-3), y + numbers.gauss(0, 1e-3)) for x, y in centres * 200]


def duplicates() -> Places:
    numbers = random.Random(7)
    return numbers.choices([(numbers.random(), numbers.random()) for _ in range(50)], k=500)


INPUTS: dict[str, tuple[Callable[[], Places], int | None]] = {
    "nothing": (lambda: [], 0),
    "one": (lambda: [(1.0, 2.0)], 0),
    "two": (lambda: [(1.0, 2.0), (0.0, 0.0)], 0),
    "three": (lambda: [(1.0, 2.0), (0.0, 0.0), (5.0, 1.0)], 1),
    "line": (lambda: [(0.5 * i, 0.25 * i) for i in range(100)], 0),
    "upright": (lambda: [(1.0, float(i)) for i in range(100)], 0),
    "one place": (lambda: [(0.5, 0.5)] * 40, 0),
    "grid": (grid, 2 * 29 * 19),
    "circle": (circle, None),
    "clusters": (clusters, None),
    "duplicates": (duplicates, None),
}


def write(folder: Path, places: Places) -> Path:
    """A file of points."""
    path = folder / "points.txt"
    path.write_text("".join(f"{x!r} {y!r}\n" for x, y in places), encoding="utf-8")
    return path


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_random_points(lapwing: Lapwing, mpi: str, ranks: int) -> None:
    words = ["run", "triangulation", "--points", "3000", "--verify", "--json"]
    result = lapwing(*words, "--on", f"mpi:{ranks}", "--mpi", mpi).document
    check("triangulation", result)
    assert result["verified"]
    assert result["places"] == 3000
    alone = lapwing(*words, "--on", "mpi:1", "--mpi", mpi).document
    assert result["checksum"] == alone["checksum"]
    assert result["triangles"] == alone["triangles"] > 5900


@pytest.mark.parametrize("name", INPUTS)
def test_special_points(lapwing: Lapwing, mpi: str, tmp_path: Path, name: str) -> None:
    make, triangles = INPUTS[name]
    points = write(tmp_path, make())
    words = ["run", "triangulation", "--input", points, "--verify", "--json"]
    result = lapwing(*words, "--on", "mpi:3", "--mpi", mpi).document
    check("triangulation", result)
    assert result["verified"]
    assert triangles is None or result["triangles"] == triangles


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("name", INPUTS)
def test_special_points_on_many_ranks(lapwing: Lapwing, tmp_path: Path, name: str) -> None:
    points = write(tmp_path, INPUTS[name][0]())
    words = ["run", "triangulation", "--input", points, "--verify", "--json"]
    assert lapwing(*words, "--on", "sim:ib4x:16").document["verified"]


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("schedule", ["blocking", "overlapped"])
@pytest.mark.parametrize("transport", ["two-sided", "put", "get"])
def test_ways(lapwing: Lapwing, schedule: str, transport: str) -> None:
    words = ["run", "triangulation", "--points", "20000", "--verify", "--json"]
    words += ["--schedule", schedule, "--transport", transport]
    result = lapwing(*words, "--on", "sim:ib4x:5").document
    check("triangulation", result)
    assert result["verified"]
    assert (result["schedule"], result["transport"]) == (schedule, transport)


@pytest.mark.parametrize("transport", ["put", "get"])
def test_one_sided(lapwing: Lapwing, mpi: str, transport: str) -> None:
    words = ["run", "triangulation", "--points", "5000", "--verify", "--transport", transport]
    result = lapwing(*words, "--on", "mpi:3", "--mpi", mpi, "--json").document
    assert result["verified"]


@pytest.mark.usefixtures("simulator")
def test_overlap_is_faster_and_exact_in_simulated_time(lapwing: Lapwing) -> None:
    words = ["run", "triangulation", "--points", "50000", "--on", "sim:ib4x:8", "--json"]
    blocking = lapwing(*words, "--schedule", "blocking").document
    overlapped = lapwing(*words, "--schedule", "overlapped").document
    assert overlapped["checksum"] == blocking["checksum"]
    assert overlapped["seconds"] < blocking["seconds"]


@pytest.mark.usefixtures("simulator")
def test_planned(lapwing: Lapwing, tmp_path: Path) -> None:
    profile = tmp_path / "machine.json"
    lapwing("calibrate", "--on", "sim:ib4x:2", "-o", profile)
    words = ["run", "triangulation", profile, "--points", "50000", "--on", "sim:ib4x:4"]
    result = lapwing(*words, "--verify", "--json").document
    check("triangulation", result)
    assert result["verified"]
    exchange = result["exchange"]
    assert 0 < exchange["predicted"]["seconds"] <= exchange["blocking"]["seconds"]
    given = lapwing(*words, "--message-size", "4800", "--window", "3", "--json").document
    assert given["exchange"]["messages"][0]["size"] == 4800
    assert given["exchange"]["window"] == 3
    assert "predicted" not in given["exchange"]
    assert given["checksum"] == result["checksum"]
    assert "Predicted" in lapwing(*words).table


def test_output(lapwing: Lapwing, mpi: str, tmp_path: Path) -> None:
    points = write(tmp_path, [(0.0, 0.0), (2.0, 0.0), (1.0, 2.0), (1.0, 0.5)])
    words = ["run", "triangulation", "--input", points, "-o", tmp_path / "out.txt"]
    words += ["--trace", tmp_path / "trace.json", "--on", "mpi:2", "--mpi", mpi]
    lapwing(*words)
    assert (tmp_path / "out.txt").read_text() == "0 1 3\n0 2 3\n1 2 3\n"
    assert "traceEvents" in (tmp_path / "trace.json").read_text()
    assert "exists already" in lapwing(*words).complaint
    (tmp_path / "out.txt").write_text("old")
    lapwing(*words, "--force")
    assert (tmp_path / "out.txt").read_text().startswith("0 1 3")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--points", "-1"], "--points"),
        (["--points", "1e6"], "whole number"),
        (["--points", "9999999999999"], "whole number"),
        (["--points", "1000000000000"], "of memory"),
        (["--schedule", "never"], "overlapped"),
        (["--transport", "pigeon"], "two-sided"),
        (["--window", "0"], "--window"),
        (["--input", "nowhere.txt"], "nowhere.txt: no such file"),
        (["--input", "nowhere.txt", "--points", "3"], "leave --points"),
        (["--points", "10", "-o", "/nowhere/out.txt"], "/nowhere"),
    ],
)
def test_refusals(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("run", "triangulation", *words, "--on", "mpi:2").complaint


@pytest.mark.parametrize("line", ["1", "1 2 3", "one two", "nan 1", "1 1e300"])
def test_a_line_that_is_no_point(lapwing: Lapwing, tmp_path: Path, line: str) -> None:
    path = tmp_path / "points.txt"
    path.write_text(f"0 0\n{line}\n")
    words = ["run", "triangulation", "--input", path, "-o", tmp_path / "out.txt"]
    assert "line 2 is no point" in lapwing(*words, "--on", "mpi:2").complaint
    assert not (tmp_path / "out.txt").exists()
