"""MPI test programs on more ranks than the machine has cores, in simulation."""

from pathlib import Path

import pytest
from simulation import can_simulate, simulated

from lapwing.testbed import load_cluster


@pytest.mark.skipif(not can_simulate("property"), reason="no smpirun")
@pytest.mark.parametrize(("ranks", "cases"), [(2, 20), (4, 4), (16, 1), (32, 0)])
def test_whatever_is_pipelined(tmp_path: Path, ranks: int, cases: int) -> None:
    """Run tests/mpi/property.cpp with `cases` cases; 0 runs one collective of each kind."""
    simulated("property", [str(cases)], ranks, load_cluster("ib4x"), tmp_path)
