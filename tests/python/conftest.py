"""Set-up that all Python tests share."""

import signal
from collections.abc import Iterator

import pytest
from batch_system import NotHere, Slurm, slurm

# A shell that starts tests in the background makes them ignore keyboard interrupts, and so would
# every process that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Slurm]:
    """Two nodes under SLURM, for the tests of a module."""
    try:
        with slurm() as running:
            yield running
    except NotHere as why:
        pytest.skip(str(why))
