"""Real libraries do what the files say: who sends how much to whom is the decided algorithm's."""

import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest
from real_libraries import RealLibrary, Traffic, real_libraries, same

from lapwing.launch.algorithms import algorithms, force, options
from lapwing.tuning.decisions.formats import can_say, chosen_format, settings, write
from lapwing.tuning.decisions.library import parse_library
from lapwing.tuning.decisions.table import Algorithm, Decision

SIMULATE = Path(__file__).parents[3] / "build" / "bin" / "lapwing-simulate"
FOUND = real_libraries()
LIBRARIES = pytest.mark.parametrize("real", FOUND, ids=[one.library.text for one in FOUND])

# For each operation one algorithm below a size, another one from it on, and none from a second on.
PAIRS = {
    "bcast": ("binomial", "scatter-ring"),
    "allgather": ("ring", "bruck"),
    "alltoall": ("bruck", "pairwise"),
    "allreduce": ("recursive-doubling", "ring"),
    "reduce": ("binomial", "scatter-gather"),
    "reduce_scatter": ("recursive-halving", "pairwise"),
    "gather": ("linear", "binomial"),
    "scatter": ("linear", "binomial"),
}
FIRST, SECOND = 30000, 60000
SIZES = (8192, FIRST - 8, FIRST)


@cache
def ours(operation: str, algorithm: str, ranks: int, size: int) -> Traffic:
    """What Lapwing's schedule of the algorithm sends."""
    with tempfile.TemporaryDirectory() as folder:
        goal = Path(folder) / "schedule.goal"
        words = ["--collective", operation, "--algorithm", algorithm, "--ranks", str(ranks)]
        words += ["--size", str(size), "--write", str(goal)]
        subprocess.run([SIMULATE, *words], check=True, capture_output=True)
        text = goal.read_text()
    made = [[0.0] * ranks for _ in range(ranks)]
    rank = -1
    for line in text.splitlines():
        if line.startswith("rank "):
            rank = int(line.split()[1])
        elif sent := re.search(r"send (\d+)b to (\d+)", line):
            made[rank][int(sent[2])] += int(sent[1]) / size
    return made


def pairs(real: RealLibrary) -> dict[str, tuple[str, str]]:
    """The pairs that the library can be told."""
    known = {}
    for operation, (low, high) in PAIRS.items():
        if real.library.family == "openmpi" and operation == "scatter":
            high = "binomial-nearest-first"
        if all(can_say(real.library, operation, name) for name in (low, high)):
            known[operation] = (low, high)
    return known


def first_size(real: RealLibrary, operation: str) -> int:
    """The size from which the second algorithm holds; of Open MPI's gathers, there is none."""
    if real.library.family == "openmpi" and operation in ("gather", "scatter"):
        return 0
    return FIRST


def decided(real: RealLibrary) -> list[Decision]:
    """A pair by size on 4 and 5 ranks; the other way round on 6.

    For the largest messages nothing, but for Intel MPI, which then would get no rule at all.
    """
    made = []
    for operation, (low, high) in pairs(real).items():
        first = first_size(real, operation)
        for ranks, names in (((4, 5), (low, high)), ((6, 6), (high, low))):
            if first == 0:
                made.append(Decision(operation, ranks, (0, None), Algorithm(names[1])))
                continue
            end = None if real.library.family == "intel" else SECOND
            made.append(Decision(operation, ranks, (0, first), Algorithm(names[0])))
            made.append(Decision(operation, ranks, (first, end), Algorithm(names[1])))
    return made


def references(
    real: RealLibrary, ranks: int, cases: list[tuple[str, int]]
) -> tuple[list[Traffic], list[Traffic]]:
    """What the first algorithm of each pair sends, and the second one.

    By Lapwing's schedule; with Open MPI, whose trees have other shapes, by the settings that force
    it.
    """
    known = pairs(real)
    if real.library.family != "openmpi":
        low, high = (
            [ours(name, known[name][i], ranks, size) for name, size in cases] for i in (0, 1)
        )
        return low, high
    runs = []
    for i in (0, 1):
        forced = {}
        for operation, names in known.items():
            how = force("openmpi", operation, names[i], ranks)
            assert how is not None
            forced |= options("openmpi", how.settings)[1]
        runs.append(real.traffic(ranks, cases, forced))
    return runs[0], runs[1]


def told(real: RealLibrary, folder: Path, content: str, ranks: int) -> dict[str, str]:
    """The environment in which the library follows a file."""
    path = folder / "file"
    path.write_text(content)
    return settings(real.library, str(path), ranks)


def formats(real: RealLibrary) -> list[int | None]:
    best = chosen_format(real.library)
    return [None] if best is None else list(range(1, best + 1))


@pytest.mark.alone
@LIBRARIES
def test_algorithms_are_taken(real: RealLibrary, tmp_path: Path) -> None:
    known = pairs(real)
    assert len(known) >= 5
    for ranks in (4, 6):
        cases = [(name, size) for name in known for size in SIZES]
        by_algorithm = references(real, ranks, cases)
        for version in formats(real):
            content = write(decided(real), real.library, "a header", version)
            seen = real.traffic(ranks, cases, told(real, tmp_path, content, ranks))
            for i, (name, size) in enumerate(cases):
                above = size >= first_size(real, name)
                which = above == (ranks == 4)
                assert same(seen[i], by_algorithm[which][i]), (version, name, ranks, size)
                assert not same(seen[i], by_algorithm[not which][i]), (name, ranks, size)


@pytest.mark.alone
@pytest.mark.nightly
@LIBRARIES
def test_the_library_goes_on_to_choose_elsewhere(real: RealLibrary, tmp_path: Path) -> None:
    content = write(decided(real), real.library, "a header")
    # Other numbers of ranks; larger messages, which Intel MPI cannot be left alone.
    for ranks, size in ((3, 8192), (7, 56000), (6, 100000)):
        if real.library.family == "intel" and ranks == 6:
            continue
        cases = [(name, size) for name in pairs(real) if ranks != 6 or first_size(real, name)]
        with_file = real.traffic(ranks, cases, told(real, tmp_path, content, ranks))
        without = real.traffic(ranks, cases, {})
        for (name, _), one, other in zip(cases, with_file, without, strict=True):
            assert same(one, other), (name, ranks, size)


@pytest.mark.alone
@pytest.mark.parametrize("ranks", [6, 8])
def test_intel_numbers_are_ours(ranks: int) -> None:
    found = [real for real in FOUND if real.library.family == "intel"]
    if not found:
        pytest.skip("no Intel MPI: scripts/mpi-packages installs it")
    # The first algorithm of each operation in one run, then the second, ...
    runs: dict[int, dict[str, str]] = {}
    settings_of: dict[int, dict[str, str]] = {}
    for operation in PAIRS:
        for name in algorithms("intel", operation):
            how = force("intel", operation, name, ranks)
            assert how is not None
            if how.differs(ranks, 96000):
                continue
            number = next(i for i in range(9) if operation not in runs.get(i, {}))
            runs.setdefault(number, {})[operation] = name
            settings_of.setdefault(number, {}).update(how.settings)
    assert len(runs) >= 2
    for number, names in runs.items():
        cases = [(operation, 96000) for operation in names]
        seen = found[0].traffic(ranks, cases, settings_of[number])
        for (operation, name), traffic in zip(names.items(), seen, strict=True):
            assert same(traffic, ours(operation, name, ranks, 96000)), (operation, name)


@pytest.mark.alone
def test_requests_at_once_are_read(tmp_path: Path) -> None:
    """A fifth number in a rule of version 2 is not taken for the size of the next one."""
    table = [
        Decision("alltoall", (6, 7), (0, FIRST), Algorithm("linear", window=2)),
        Decision("alltoall", (6, 7), (FIRST, None), Algorithm("bruck", window=3)),
    ]
    for real in FOUND:
        if real.library.family != "openmpi" or chosen_format(real.library) != 2:
            continue
        content = write(table, real.library, "", 2)
        assert " 1 0 0 2 " in content
        low, high = real.traffic(
            6, [("alltoall", 8192), ("alltoall", FIRST)], told(real, tmp_path, content, 6)
        )
        assert same(low, ours("alltoall", "linear", 6, 8192))
        assert same(high, ours("alltoall", "bruck", 6, FIRST))


@pytest.mark.alone
def test_later_algorithms(tmp_path: Path) -> None:
    """Algorithms that settings do not know, because the oldest release does not have them."""
    for operation, name in (("allgather", "sparbit"), ("allreduce", "ring")):
        table = [Decision(operation, (6, 6), (0, None), Algorithm(name))]
        for real in FOUND:
            if real.library.family != "intel" and can_say(real.library, operation, name):
                content = write(table, real.library, "")
                (traffic,) = real.traffic(6, [(operation, FIRST)], told(real, tmp_path, content, 6))
                assert same(traffic, ours(operation, name, 6, FIRST)), (real.library, name)


def test_the_libraries_of_this_machine_are_looked_at() -> None:
    here = {one.library.family for one in FOUND}
    if shutil.which("mpirun.openmpi"):
        assert "openmpi" in here
    if shutil.which("mpiexec.mpich"):
        assert "mpich" in here
    assert parse_library("mpich-4.2").at_least(4, 1)
