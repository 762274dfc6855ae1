"""Forcing an MPI to take an algorithm: the MPI's name for ours, and the settings that choose it.

Only algorithms with the same schedule are here. An algorithm that differs at some numbers of ranks
or some sizes says so, and is not compared there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

# MPIs whose own choice of algorithms is known, as a table.
TABLES = ("mvapich2", "mpich", "openmpi")
# Stands for the own choice of the MPI that runs.
OWN_CHOICE = "mpi"

Reason = Callable[[int, int], str]


def _always(ranks: int, size: int) -> str:
    return ""


@dataclass(frozen=True)
class Forced:
    """How one MPI is made to take an algorithm.

    settings: the MPI's settings, by name.  differs: why its schedule is not ours for a number of
    ranks and a size, bytes; the empty string if it is.
    """

    settings: Mapping[str, str]
    differs: Reason = field(default=_always)


def is_power_of_two(number: int) -> bool:
    """Whether a number is 1, 2, 4, 8 ..."""
    return number & (number - 1) == 0


def force(mpi: str, operation: str, algorithm: str, ranks: int) -> Forced | None:
    """How `mpi` ("simgrid", "openmpi", "mpich", "intel") is made to run `operation` by `algorithm`.

    None if it cannot be. The MPI's own choice needs no settings. The simulator can also take the
    choices of other MPIs, by the names in TABLES.
    """
    if algorithm == OWN_CHOICE or (operation, algorithm) == ("send", "direct"):
        return Forced({})
    if mpi == "simgrid" and algorithm in _SELECTORS:
        return Forced({"smpi/coll-selector": _SELECTORS[algorithm]})
    if algorithm == mpi:
        return Forced({})
    if mpi == "simgrid" and (operation, algorithm) == ("alltoall", "pairwise"):
        # SimGrid's handles powers of two only; for other numbers our schedule is that of the ring.
        algorithm = "pairwise" if is_power_of_two(ranks) else "ring"
    return _KNOWN.get(mpi, {}).get((operation, algorithm))


def algorithms(mpi: str, operation: str) -> list[str]:
    """The algorithms of `operation` that `mpi` can be made to take."""
    if operation == "send":
        return ["direct"]
    return [name for known, name in _KNOWN.get(mpi, {}) if known == operation]


def options(mpi: str, settings: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """`settings` as options of the launcher, and as environment variables."""
    if mpi == "simgrid":
        return [f"--cfg={name}:{value}" for name, value in settings.items()], {}
    if mpi == "openmpi" and settings:
        settings = {"coll_tuned_use_dynamic_rules": "1", **settings}
        return [], {f"OMPI_MCA_{name}": value for name, value in settings.items()}
    return [], {f"MPIR_CVAR_{name}": value for name, value in settings.items()}


def _only(condition: Callable[[int, int], bool], reason: str) -> Reason:
    return lambda ranks, size: "" if condition(ranks, size) else reason


def _scatters_to_all(ranks: int, size: int) -> bool:
    """Whether parts of size / ranks bytes, rounded up, leave a part for the last rank."""
    return (ranks - 1) * -(-size // ranks) < size


_POWER = _only(lambda ranks, size: is_power_of_two(ranks), "not a power of two")
_EVEN = _only(lambda ranks, size: ranks % 2 == 0, "an odd number of ranks")
_DIVIDES = _only(
    lambda ranks, size: size % ranks == 0, "the number of ranks does not divide the size"
)
_FULL = _only(lambda ranks, size: _scatters_to_all(ranks, size), "a rank's part is empty")
_POWER_AND_FULL = _only(
    lambda ranks, size: is_power_of_two(ranks) and _scatters_to_all(ranks, size),
    "not a power of two, or a rank's part is empty",
)
_SEGMENT = 8192  # bytes; the simulator's pipelines and ours send segments of this size
_ONE_SEGMENT = _only(lambda ranks, size: size <= _SEGMENT, "more than a segment of 8 KB")
_AT_ONCE = _only(lambda ranks, size: size <= _SEGMENT, "sends its segments all at once")
# With less data, Open MPI takes the chain.
_TWO_BYTES = _only(lambda ranks, size: size > 1, "nothing to split")
_TWO_SEGMENTS = _only(lambda ranks, size: size >= 2 * _SEGMENT, "halves of less than 8 KB")
# With less data, Open MPI takes the linear algorithm or recursive doubling.
_SPREADS = _only(lambda ranks, size: size >= 8 * ranks, "fewer doubles than ranks")
_POWER_AND_SPREADS = _only(
    lambda ranks, size: is_power_of_two(ranks) and size >= 8 * ranks,
    "not a power of two, or fewer doubles than ranks",
)
# SimGrid 3.32 aborts otherwise.
_SHARES = _only(
    lambda ranks, size: is_power_of_two(ranks) or size >= ranks,
    "the simulator fails at fewer elements than ranks, unless a power of two",
)
# Below this size, the algorithm sends segments of 1 KB.
_LARGE_SEGMENTS = _only(lambda ranks, size: size >= 370_728, "segments of 1 KB")

_RADIX = 4  # Open MPI's default, of its k-nomial trees and of how many chains there are
# Open MPI rounds the number of segments of a block, and takes the ring if a block is no segment.
_SEGMENTS_OF_BLOCKS = _only(
    lambda ranks, size: size % (ranks * _SEGMENT) == 0 and size > 0,
    "blocks are not whole segments of 8 KB",
)

_SELECTORS = {"mvapich2": "mvapich2", "mpich": "mpich", "openmpi": "ompi"}


def _simgrid(operation: str, name: str, **more: str) -> dict[str, str]:
    return {f"smpi/{operation}": name, **{f"smpi/{other}": to for other, to in more.items()}}


_SIMGRID: dict[tuple[str, str], Forced] = {
    ("barrier", "dissemination"): Forced(_simgrid("barrier", "ompi_bruck")),
    ("barrier", "recursive-doubling"): Forced(_simgrid("barrier", "mvapich2_pair")),
    ("barrier", "tree"): Forced(_simgrid("barrier", "ompi_tree")),
    ("barrier", "linear"): Forced(_simgrid("barrier", "ompi_basic_linear")),
    ("bcast", "linear"): Forced(_simgrid("bcast", "flattree")),
    ("bcast", "binomial"): Forced(_simgrid("bcast", "binomial_tree")),
    ("bcast", "chain"): Forced(_simgrid("bcast", "NTSL"), differs=_ONE_SEGMENT),
    ("bcast", "pipelined"): Forced(_simgrid("bcast", "NTSL"), differs=_AT_ONCE),
    ("bcast", "pipelined-split-binary"): Forced(
        _simgrid("bcast", "ompi_split_bintree"), differs=_LARGE_SEGMENTS
    ),
    ("bcast", "scatter-ring"): Forced(_simgrid("bcast", "scatter_LR_allgather"), differs=_FULL),
    ("bcast", "scatter-recursive-doubling"): Forced(
        _simgrid("bcast", "scatter_rdb_allgather"), differs=_POWER_AND_FULL
    ),
    ("alltoall", "linear"): Forced(_simgrid("alltoall", "basic_linear")),
    ("alltoall", "pairwise"): Forced(_simgrid("alltoall", "pair")),
    ("alltoall", "bruck"): Forced(_simgrid("alltoall", "bruck")),
    ("alltoall", "ring"): Forced(_simgrid("alltoall", "ring")),
    ("allgather", "ring"): Forced(_simgrid("allgather", "NTSLR")),
    ("allgather", "recursive-doubling"): Forced(_simgrid("allgather", "rdb"), differs=_POWER),
    ("allgather", "bruck"): Forced(_simgrid("allgather", "bruck")),
    ("allgather", "neighbour-exchange"): Forced(
        _simgrid("allgather", "ompi_neighborexchange"), differs=_EVEN
    ),
    ("allreduce", "recursive-doubling"): Forced(_simgrid("allreduce", "rdb")),
    ("allreduce", "ring"): Forced(_simgrid("allreduce", "lr"), differs=_DIVIDES),
    ("allreduce", "rabenseifner"): Forced(_simgrid("allreduce", "rab_rdb")),
    ("allreduce", "reduce-bcast"): Forced(
        _simgrid("allreduce", "redbcast", reduce="binomial", bcast="binomial_tree")
    ),
    ("reduce", "binomial"): Forced(_simgrid("reduce", "binomial")),
    ("reduce", "linear"): Forced(_simgrid("reduce", "flat_tree")),
    ("reduce", "scatter-gather"): Forced(_simgrid("reduce", "scatter_gather"), differs=_SHARES),
    ("reduce", "in-order-binary"): Forced(_simgrid("reduce", "ompi_in_order_binary")),
    ("reduce", "k-nomial"): Forced(_simgrid("reduce", "mvapich2_knomial")),
    ("reduce_scatter", "recursive-doubling"): Forced(
        _simgrid("reduce_scatter", "mpich_rdb"), differs=_POWER
    ),
    ("reduce_scatter", "butterfly"): Forced(_simgrid("reduce_scatter", "ompi_butterfly")),
    ("reduce_scatter", "recursive-halving"): Forced(
        _simgrid("reduce_scatter", "ompi_basic_recursivehalving")
    ),
    ("reduce_scatter", "pairwise"): Forced(_simgrid("reduce_scatter", "mpich_pair")),
    ("reduce_scatter", "ring"): Forced(_simgrid("reduce_scatter", "ompi_ring")),
    ("gather", "binomial"): Forced(_simgrid("gather", "ompi_binomial")),
    ("gather", "linear"): Forced(_simgrid("gather", "ompi_basic_linear")),
    ("scatter", "binomial-nearest-first"): Forced(_simgrid("scatter", "ompi_binomial")),
    ("scatter", "linear"): Forced(_simgrid("scatter", "ompi_basic_linear")),
}


def _tuned(operation: str, number: int, **more: int) -> dict[str, str]:
    """Settings of Open MPI's component `tuned`, which numbers its algorithms."""
    named = f"coll_tuned_{operation}_algorithm"
    return {
        named: str(number),
        **{f"{named}_{what}": str(value) for what, value in more.items()},
    }


_OPENMPI: dict[tuple[str, str], Forced] = {
    ("barrier", "linear"): Forced(_tuned("barrier", 1)),
    ("barrier", "recursive-doubling"): Forced(_tuned("barrier", 3)),
    ("barrier", "dissemination"): Forced(_tuned("barrier", 4)),
    ("barrier", "tree"): Forced(_tuned("barrier", 6)),
    ("bcast", "linear"): Forced(_tuned("bcast", 1)),
    ("bcast", "chain"): Forced(_tuned("bcast", 2, segmentsize=0, chain_fanout=1)),
    ("bcast", "pipelined"): Forced(_tuned("bcast", 3, segmentsize=_SEGMENT)),
    ("bcast", "split-binary"): Forced(_tuned("bcast", 4, segmentsize=0), differs=_TWO_BYTES),
    ("bcast", "pipelined-split-binary"): Forced(
        _tuned("bcast", 4, segmentsize=_SEGMENT), differs=_TWO_SEGMENTS
    ),
    ("bcast", "binomial"): Forced(_tuned("bcast", 6, segmentsize=0)),
    ("bcast", "scatter-recursive-doubling"): Forced(_tuned("bcast", 8), differs=_POWER_AND_SPREADS),
    ("bcast", "scatter-ring"): Forced(_tuned("bcast", 9), differs=_SPREADS),
    ("bcast", "chains"): Forced(_tuned("bcast", 2, segmentsize=0, chain_fanout=_RADIX)),
    ("bcast", "binary"): Forced(_tuned("bcast", 5, segmentsize=0)),
    ("bcast", "pipelined-binary"): Forced(_tuned("bcast", 5, segmentsize=_SEGMENT)),
    ("bcast", "k-nomial"): Forced(_tuned("bcast", 7, segmentsize=0, knomial_radix=_RADIX)),
    ("alltoall", "linear"): Forced(_tuned("alltoall", 1)),
    ("alltoall", "linear-sync"): Forced(_tuned("alltoall", 4)),
    ("alltoall", "pairwise"): Forced(_tuned("alltoall", 2)),
    ("alltoall", "ring"): Forced(_tuned("alltoall", 2)),
    ("alltoall", "bruck"): Forced(_tuned("alltoall", 3)),
    ("allgather", "bruck"): Forced(_tuned("allgather", 2)),
    ("allgather", "recursive-doubling"): Forced(_tuned("allgather", 3), differs=_POWER),
    ("allgather", "ring"): Forced(_tuned("allgather", 4)),
    ("allgather", "neighbour-exchange"): Forced(_tuned("allgather", 5), differs=_EVEN),
    ("allgather", "gather-bcast"): Forced(
        {
            **_tuned("allgather", 1),
            **_tuned("gather", 2),
            **_tuned("bcast", 6, segmentsize=0),
        }
    ),
    ("allreduce", "linear"): Forced(_tuned("allreduce", 1)),
    ("allreduce", "segmented-ring"): Forced(
        _tuned("allreduce", 5, segmentsize=_SEGMENT), differs=_SEGMENTS_OF_BLOCKS
    ),
    ("allreduce", "reduce-bcast"): Forced(
        {
            **_tuned("allreduce", 2),
            **_tuned("reduce", 5, segmentsize=0),
            **_tuned("bcast", 6, segmentsize=0),
        }
    ),
    ("allreduce", "recursive-doubling"): Forced(_tuned("allreduce", 3)),
    ("allreduce", "ring"): Forced(_tuned("allreduce", 4), differs=_SPREADS),
    ("allreduce", "rabenseifner"): Forced(_tuned("allreduce", 6), differs=_SPREADS),
    ("reduce", "linear"): Forced(_tuned("reduce", 1)),
    ("reduce", "binomial"): Forced(_tuned("reduce", 5, segmentsize=0)),
    ("reduce", "chain"): Forced(_tuned("reduce", 3, segmentsize=0)),
    ("reduce", "pipelined"): Forced(_tuned("reduce", 3, segmentsize=_SEGMENT)),
    ("reduce", "chains"): Forced(_tuned("reduce", 2, segmentsize=0, chain_fanout=_RADIX)),
    ("reduce", "binary"): Forced(_tuned("reduce", 4, segmentsize=0)),
    ("reduce", "pipelined-binary"): Forced(_tuned("reduce", 4, segmentsize=_SEGMENT)),
    ("reduce", "in-order-binary"): Forced(_tuned("reduce", 6, segmentsize=0)),
    ("reduce", "scatter-gather"): Forced(_tuned("reduce", 7), differs=_SPREADS),
    ("reduce_scatter", "recursive-halving"): Forced(_tuned("reduce_scatter_block", 3)),
    ("reduce_scatter", "recursive-doubling"): Forced(
        _tuned("reduce_scatter_block", 2), differs=_POWER
    ),
    ("reduce_scatter", "butterfly"): Forced(_tuned("reduce_scatter_block", 4)),
    ("gather", "linear"): Forced(_tuned("gather", 1)),
    ("gather", "linear-sync"): Forced(_tuned("gather", 3, segmentsize=0)),
    ("gather", "binomial"): Forced(_tuned("gather", 2)),
    ("scatter", "linear"): Forced(_tuned("scatter", 1)),
    ("scatter", "binomial-nearest-first"): Forced(_tuned("scatter", 2)),
}


def _cvar(operation: str, name: str) -> dict[str, str]:
    """Settings that make MPICH choose, and not ask a device for its own collectives first."""
    return {f"{operation}_INTRA_ALGORITHM": name, f"{operation}_DEVICE_COLLECTIVE": "0"}


_MPICH: dict[tuple[str, str], Forced] = {
    ("barrier", "dissemination"): Forced(_cvar("BARRIER", "dissemination")),
    ("bcast", "binomial"): Forced(_cvar("BCAST", "binomial")),
    ("bcast", "scatter-recursive-doubling"): Forced(
        _cvar("BCAST", "scatter_recursive_doubling_allgather"), differs=_POWER
    ),
    ("bcast", "scatter-ring"): Forced(_cvar("BCAST", "scatter_ring_allgather")),
    ("alltoall", "bruck"): Forced(_cvar("ALLTOALL", "brucks")),
    ("alltoall", "pairwise"): Forced(_cvar("ALLTOALL", "pairwise")),
    ("alltoall", "staggered"): Forced(_cvar("ALLTOALL", "scattered")),
    ("allgather", "bruck"): Forced(_cvar("ALLGATHER", "brucks")),
    ("allgather", "recursive-doubling"): Forced(
        _cvar("ALLGATHER", "recursive_doubling"), differs=_POWER
    ),
    ("allgather", "ring"): Forced(_cvar("ALLGATHER", "ring")),
    ("allreduce", "recursive-doubling"): Forced(_cvar("ALLREDUCE", "recursive_doubling")),
    ("allreduce", "rabenseifner"): Forced(_cvar("ALLREDUCE", "reduce_scatter_allgather")),
    ("reduce", "binomial"): Forced(_cvar("REDUCE", "binomial")),
    ("reduce", "scatter-gather"): Forced(_cvar("REDUCE", "reduce_scatter_gather")),
    ("reduce_scatter", "pairwise"): Forced(_cvar("REDUCE_SCATTER_BLOCK", "pairwise")),
    ("reduce_scatter", "recursive-doubling"): Forced(
        _cvar("REDUCE_SCATTER_BLOCK", "recursive_doubling"), differs=_POWER
    ),
    ("reduce_scatter", "recursive-halving"): Forced(
        _cvar("REDUCE_SCATTER_BLOCK", "recursive_halving")
    ),
    ("gather", "binomial"): Forced(_cvar("GATHER", "binomial")),
    ("scatter", "binomial"): Forced(_cvar("SCATTER", "binomial")),
}


def _adjust(operation: str, number: int) -> dict[str, str]:
    """The setting of Intel MPI, which numbers its algorithms."""
    return {f"I_MPI_ADJUST_{operation.upper()}": str(number)}


# Who sends how much to whom is the same with Intel MPI 2021.4 and 2021.14.
_INTEL: dict[tuple[str, str], Forced] = {
    ("barrier", "dissemination"): Forced(_adjust("barrier", 1)),
    ("barrier", "recursive-doubling"): Forced(_adjust("barrier", 2)),
    ("bcast", "binomial"): Forced(_adjust("bcast", 1)),
    ("bcast", "scatter-recursive-doubling"): Forced(_adjust("bcast", 2), differs=_POWER),
    ("bcast", "scatter-ring"): Forced(_adjust("bcast", 3)),
    ("alltoall", "bruck"): Forced(_adjust("alltoall", 1)),
    ("alltoall", "linear"): Forced(_adjust("alltoall", 2)),
    ("alltoall", "pairwise"): Forced(_adjust("alltoall", 3)),
    ("allgather", "recursive-doubling"): Forced(_adjust("allgather", 1), differs=_POWER),
    ("allgather", "bruck"): Forced(_adjust("allgather", 2)),
    ("allgather", "ring"): Forced(_adjust("allgather", 3)),
    ("allreduce", "recursive-doubling"): Forced(_adjust("allreduce", 1)),
    ("allreduce", "rabenseifner"): Forced(_adjust("allreduce", 2)),
    ("allreduce", "ring"): Forced(_adjust("allreduce", 8)),
    ("reduce", "binomial"): Forced(_adjust("reduce", 2)),
    ("reduce", "scatter-gather"): Forced(_adjust("reduce", 5)),
    ("reduce_scatter", "recursive-halving"): Forced(_adjust("reduce_scatter", 1)),
    ("reduce_scatter", "pairwise"): Forced(_adjust("reduce_scatter", 2)),
    ("gather", "binomial"): Forced(_adjust("gather", 1)),
    ("gather", "linear"): Forced(_adjust("gather", 3)),
    ("scatter", "binomial"): Forced(_adjust("scatter", 1)),
    ("scatter", "linear"): Forced(_adjust("scatter", 3)),
}

_KNOWN = {"simgrid": _SIMGRID, "openmpi": _OPENMPI, "mpich": _MPICH, "intel": _INTEL}
