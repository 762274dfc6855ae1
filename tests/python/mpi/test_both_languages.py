"""A stream between a rank in C++ and one in Python."""

from pathlib import Path

import pytest
from documents import DATA
from ranks import run_ranks

HERE = Path(__file__).parent
BIN = HERE.parents[2] / "build" / "bin"


@pytest.mark.parametrize("implementation", ["openmpi", "mpich"])
@pytest.mark.parametrize("native", ["0", "1"])
def test_one_side_may_be_in_either_language(
    tmp_path: Path, implementation: str, native: str
) -> None:
    example = BIN / f"example-stream.{implementation}"
    if not example.exists():
        pytest.skip(f"no {example.name}")
    program = str(HERE / "both_languages.py")
    machine = str(DATA / "ib4x.json")
    ended = run_ranks(implementation, 2, tmp_path, program, machine, str(example), native)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("sum 65536, received in 42 messages, 5 in flight\n")
