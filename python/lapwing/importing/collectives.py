"""Names of collectives in logs, and what their sizes mean."""

import re

from ..measurements.cell import WHOLE_MESSAGE
from .log import Log

# Smaller elements are rare where data is reduced or cut into blocks: integers and floats.
DEFAULT_ELEMENT = 4  # bytes

_KNOWN = (
    *WHOLE_MESSAGE,
    *("barrier", "alltoall", "allgather", "gather", "scatter", "reduce_scatter", "scan", "exscan"),
    *("alltoallv", "alltoallw", "allgatherv", "gatherv", "scatterv"),
)
# All blocks are as large in benchmarks, so that these do the same.
_SAME = {"reduce_scatter_block": "reduce_scatter", "reducescatter": "reduce_scatter"}
_WHOLE = (*WHOLE_MESSAGE, "scan", "exscan")


def operation(text: str) -> str | None:
    """The collective that a log names: "allreduce" of "MPI_Allreduce". None if it is unknown."""
    word = re.sub(r"[\s-]+", "_", text.strip().lower())
    word = word.removeprefix("osu_").removeprefix("mpi_")
    word = _SAME.get(word, word)
    return word if word in _KNOWN else None


def is_cut(name: str) -> bool:
    """Whether a rank's whole data is one block for each rank."""
    return name not in _WHOLE and name != "barrier"


def block(log: Log, line: int, name: str, vector: int, ranks: int | None, element: int) -> int:
    """Bytes of the block of one rank, in whole elements, of the bytes of all; 0 if there are fewer
    elements than ranks. Raises LapwingError if nobody knows how many ranks there are."""
    if ranks is None:
        raise log.refusal(
            line,
            f"the size of {name} is all of a rank's data, and nobody says on how many ranks: give "
            "--nodes and --ranks-per-node",
        )
    return vector // element // ranks * element


def note_of_empty(path: str, rows: int) -> str:
    """The note on rows without communication, which were left out."""
    what = "row with nothing" if rows == 1 else "rows with nothing"
    return f"{path}: left out {rows} {what} to send: one rank, or fewer elements than ranks"
