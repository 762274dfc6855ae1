"""lapwing.mpi as programs use it: under mpirun, with mpi4py."""

import subprocess
import sys
from pathlib import Path

import pytest
from documents import DATA
from ranks import run_ranks

HERE = Path(__file__).parent
MACHINE = str(DATA / "ib4x.json")


@pytest.mark.parametrize(
    ("implementation", "ranks"), [("openmpi", 2), ("openmpi", 3), ("mpich", 2), ("mpich", 3)]
)
def test_loops_give_what_blocking_ones_do(tmp_path: Path, implementation: str, ranks: int) -> None:
    ended = run_ranks(implementation, ranks, tmp_path, str(HERE / "loops.py"), MACHINE)
    assert (ended.returncode, ended.stdout) == (
        0,
        f"{ranks} ranks: all as the blocking loops\n",
    ), ended.stderr


def line_of(printed: str) -> str:
    """The line of Lapwing; a second rank may have one, too, before the first has ended the job."""
    lines = [each for each in printed.splitlines() if each.startswith("lapwing: ")]
    assert 1 <= len(lines) <= 2
    assert len({each.split(":")[1] for each in lines}) == len(lines)
    return lines[0]


@pytest.mark.parametrize("implementation", ["openmpi", "mpich"])
@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("longer", "rank 0: stream from rank 1: rank 1 sends a stream of another"),
        ("other_sizes", "rank 0: stream from rank 1: rank 1 sends a stream of another"),
        ("edges", "halo, exchange 0: a message of rank"),
        ("computation", "rank 0: stream from rank 1, element 0: integer division"),
        ("loop", "rank 0: uncaught: out of the loop"),
    ],
)
def test_what_cannot_go_well_ends_with_one_line(
    tmp_path: Path, implementation: str, program: str, says: str
) -> None:
    ended = run_ranks(implementation, 2, tmp_path, str(HERE / "failing.py"), MACHINE, program)
    assert ended.returncode != 0
    assert says in line_of(ended.stderr)
    is_bug = program in ("computation", "loop")
    assert ("Traceback" in ended.stderr) == is_bug


@pytest.mark.parametrize("implementation", ["openmpi", "mpich"])
def test_all_ranks_hear_that_plans_disagree(tmp_path: Path, implementation: str) -> None:
    ended = run_ranks(implementation, 2, tmp_path, str(HERE / "failing.py"), MACHINE, "collective")
    assert ended.returncode != 0
    assert "plans disagree in volume: 8000 bytes on rank 0, 16000 bytes on rank 1" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_exceptions_can_go_on_to_the_caller(tmp_path: Path) -> None:
    ended = run_ranks("openmpi", 2, tmp_path, str(HERE / "failing.py"), MACHINE, "raised")
    assert (ended.returncode, ended.stdout) == (0, "raised\n" * 2)


@pytest.mark.parametrize("module", ["lapwing.mpi", "lapwing.fft"])
def test_without_mpi4py_there_is_one_line(module: str) -> None:
    program = f"import sys; sys.modules['mpi4py'] = None; import {module}"
    if module == "lapwing.fft":
        program += "; lapwing.fft.Transform(None, (4, 4, 4))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    line = ended.stderr.splitlines()[-1]
    assert line.startswith(f"lapwing.errors.LapwingError: {module} needs mpi4py (")
    assert line.endswith('pip install "lapwing[mpi]"')
