"""A stream and an exchange of edges between a rank in C++ and one in Python."""

from pathlib import Path

import pytest
from documents import DATA
from ranks import run_ranks

HERE = Path(__file__).parent
BIN = HERE.parents[2] / "build" / "bin"


SUM = "sum 65536, received in 42 messages, 5 in flight\n"


# Under MPICH `lapwing::program` ends with a collective call, in which this rank takes no part.
@pytest.mark.parametrize(
    ("implementation", "name", "says"),
    [
        ("openmpi", "stream", SUM),
        ("mpich", "stream", SUM),
        ("openmpi", "stencil", "beside the hot side: 0.887861\n"),
    ],
)
@pytest.mark.parametrize("native", ["0", "1"])
def test_one_side_may_be_in_either_language(
    tmp_path: Path, implementation: str, native: str, name: str, says: str
) -> None:
    example = BIN / f"example-{name}.{implementation}"
    if not example.exists():
        pytest.skip(f"no {example.name}")
    program = str(HERE / "both_languages.py")
    machine = str(DATA / "ib4x.json")
    ended = run_ranks(implementation, 2, tmp_path, program, machine, str(example), native)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(says)
