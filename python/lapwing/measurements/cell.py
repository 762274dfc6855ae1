"""Measured times of collectives, as typed values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

# Operations whose size is the whole message.
WHOLE_MESSAGE = ("bcast", "reduce", "allreduce")


class Setup(NamedTuple):
    """What was timed and where. Cells of one setup differ by run alone.

    None: the log does not say.  ranks: all of them.  size: bytes.  shape: as of a cell.
    """

    system: str | None
    mpi: str | None
    operation: str
    algorithm: str
    nodes: int | None
    ranks_per_node: int | None
    ranks: int | None
    size: int
    shape: tuple[int, ...] = ()

    @property
    def is_default(self) -> bool:
        """Whether the library chose the algorithm: "default", "default_…" or "default-default"."""
        name = self.algorithm
        return name in ("default", "default-default") or name.startswith("default_")

    @property
    def title(self) -> str:
        """All but algorithm and size, in words: "lumi, bcast, 8 nodes, 1 rank a node"."""
        parts = [self.system, self.mpi, self.operation]
        if self.nodes is not None:
            nodes = "x".join(map(str, self.shape)) or str(self.nodes)
            parts.append(f"{nodes} nodes" if self.nodes > 1 else "1 node")
        if self.ranks_per_node is not None:
            parts.append(f"{self.ranks_per_node} rank{'s'[: self.ranks_per_node > 1]} a node")
        elif self.ranks is not None:
            parts.append(f"{self.ranks} ranks")
        elif self.nodes is None:
            parts.append("unknown ranks")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One operation in one run, timed many times. Times are in seconds; None: the log has none.

    operation: "allreduce", "reduce_scatter", ….
    algorithm: as the log names it; "default" if it names none.
    size: bytes, as `lapwing.predict` counts them: the whole message of a bcast, reduce or
        allreduce; from each rank to each of an alltoall; 0 of a barrier. Of an allgather, gather,
        scatter or reduce_scatter it is the block of one rank.
    nodes, ranks_per_node, ranks: ranks is nodes times ranks_per_node where both are known.
    shape: nodes of each dimension, if they are a block of a torus; else empty.
    system, mpi: names.
    median, mean, quartiles, minimum, maximum: over iterations; `median` or `mean` is there.
    over_ranks: whether times are those of the slowest rank (of each iteration, or the one with the
        largest mean), or the mean of all ranks.
    mean_over_ranks: mean over iterations and ranks, beside times of the slowest rank.
    samples: iterations.
    run: the same of cells that were measured together.
    source: place in `Measurements.sources`.
    """

    operation: str
    algorithm: str
    size: int
    nodes: int | None = None
    ranks_per_node: int | None = None
    ranks: int | None = None
    shape: tuple[int, ...] = ()
    system: str | None = None
    mpi: str | None = None
    median: float | None = None
    mean: float | None = None
    quartiles: tuple[float, float] | None = None
    minimum: float | None = None
    maximum: float | None = None
    over_ranks: Literal["slowest", "mean"] | None = None
    mean_over_ranks: float | None = None
    samples: int | None = None
    run: str | None = None
    source: int = 0

    @property
    def seconds(self) -> float:
        """The time of the cell: its median if there is one, else its mean."""
        time = self.mean if self.median is None else self.median
        assert time is not None
        return time

    @property
    def setup(self) -> Setup:
        """What was timed and where, without the run."""
        return Setup(
            self.system,
            self.mpi,
            self.operation,
            self.algorithm,
            self.nodes,
            self.ranks_per_node,
            self.ranks,
            self.size,
            self.shape,
        )


@dataclass(frozen=True)
class Source:
    """A log. file: its path, as it was given.  tool: what wrote it.  version: of the tool."""

    file: str
    tool: str
    version: str | None = None


@dataclass(frozen=True)
class Typical:
    """A setup in all its runs. Times are in seconds.

    seconds: the median over runs.  low, high: the least and the greatest run; of a single run its
    quartiles, or None if it has none.  cells: one for each run.
    """

    setup: Setup
    seconds: float
    low: float | None
    high: float | None
    cells: Sequence[Cell]


@dataclass(frozen=True)
class Measurements:
    """Measured times of collectives, with the logs that they come from.

    cells: one for each operation, algorithm, number of ranks, size and run.
    sources: the logs.
    notes: what was left out of the logs, and what they do not tell, one line each.
    """

    cells: Sequence[Cell]
    sources: Sequence[Source] = ()
    notes: Sequence[str] = ()

    def typical(self) -> list[Typical]:
        """Each setup once, in the order of its first cell: the median over its runs."""
        setups: dict[Setup, list[Cell]] = {}
        for cell in self.cells:
            setups.setdefault(cell.setup, []).append(cell)
        return [_typical(setup, cells) for setup, cells in setups.items()]

    def by_title(self) -> dict[str, list[Typical]]:
        """What differs in algorithm and size alone, by size: "lumi, bcast, 8 nodes, …"."""
        groups: dict[str, list[Typical]] = {}
        for each in sorted(self.typical(), key=lambda one: one.setup.size):
            groups.setdefault(each.setup.title, []).append(each)
        order = dict.fromkeys(cell.setup.title for cell in self.cells)
        return {title: groups[title] for title in order}


def _typical(setup: Setup, cells: Sequence[Cell]) -> Typical:
    from statistics import median  # takes longer to load than all else that is imported here

    times = [cell.seconds for cell in cells]
    spread = (min(times), max(times)) if len(cells) > 1 else cells[0].quartiles
    low, high = spread or (None, None)
    return Typical(setup, median(times), low, high, cells)
