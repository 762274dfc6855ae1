"""The loops of docs/python.md on several ranks."""

import sys
from pathlib import Path

import pytest
from documents import DATA
from ranks import run_ranks

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))

from pages import ROOT, blocks

BLOCKS = [each for each in blocks(ROOT / "docs" / "python.md") if each.language == "python"]
STENCIL = next(each.text for each in BLOCKS if "mpi.Halo" in each.text)
STREAM = next(each.text for each in BLOCKS if "mpi.stream" in each.text)
EXCHANGE = next(each for each in BLOCKS if "mpi.exchange" in each.text)
MACHINE = repr(str(DATA / "ib4x.json"))

# The same plate on one rank, without communication.
CHECK = """
parts = comm.gather(now[1:-1])
if comm.rank == 0:
    now = np.zeros((100 * comm.size + 2, 200))
    now[:, 0] = 1
    after = now.copy()
    for _ in range(100):
        relax(1, 100 * comm.size + 1)
        now, after = after, now
    print(np.concatenate(parts).tobytes() == now[1:-1].tobytes())
"""


def test_the_stencil_is_short() -> None:
    assert len([line for line in STENCIL.splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize(("implementation", "ranks"), [("openmpi", 2), ("mpich", 3)])
def test_the_stencil_is_the_blocking_one(tmp_path: Path, implementation: str, ranks: int) -> None:
    program = (STENCIL + CHECK).replace('"machine.json"', MACHINE)
    ended = run_ranks(implementation, ranks, tmp_path, "-c", program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("implementation", ["openmpi", "mpich"])
def test_the_stream_arrives(tmp_path: Path, implementation: str) -> None:
    program = STREAM.replace('"machine.json"', MACHINE)
    ended = run_ranks(implementation, 2, tmp_path, "-c", program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "131072.0\n", "")


@pytest.mark.parametrize(("implementation", "ranks"), [("openmpi", 3), ("mpich", 2)])
def test_the_exchange_is_whole(tmp_path: Path, implementation: str, ranks: int) -> None:
    check = "if comm.rank == 0:\n    print(total, into.sum(axis=1).tolist())\n"
    program = "\n".join([EXCHANGE.marks["given"].replace("; ", "\n"), EXCHANGE.text, check])
    program = program.replace('"machine.json"', MACHINE)
    ended = run_ranks(implementation, ranks, tmp_path, "-c", program)
    others = ranks - 1
    expected = f"{4096.0 * others} {[0.0] + [4096.0] * others}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, expected, "")
