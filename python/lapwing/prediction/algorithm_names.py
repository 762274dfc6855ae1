"""What measurements and MPI libraries call an algorithm, as one of Lapwing's algorithms.

Open MPI's names are those of its component `tuned` (4.1 to 5.0), MPICH's the values of its
`MPIR_CVAR_*_INTRA_ALGORITHM` (4.x; Cray MPICH has the same), PICO's those of its configuration
(HLC-Lab/pico), which adds to each name whose code it is. Fujitsu MPI is an Open MPI with algorithms
of its own for tori, which Lapwing lacks.
"""

import re
from collections.abc import Mapping

_Names = Mapping[str, Mapping[str, str]]

# Segments are those of the library's default, which has none: a pipeline is then a single chain.
# Algorithms that call other collectives are not here, as the library chooses how these are done: an
# allgather "linear" (a gather and a bcast), an allreduce "nonoverlapping" (a reduce and a bcast), a
# reduce_scatter "non_overlapping" or "basic_linear" (a reduce and a scatter).
_OPENMPI: _Names = {
    "barrier": {
        "linear": "linear",
        "recursive_doubling": "recursive-doubling",
        "bruck": "dissemination",
        "tree": "tree",
    },
    "bcast": {
        "basic_linear": "linear",
        "chain": "chains",
        "pipeline": "chain",
        "split_binary_tree": "split-binary",
        "binary_tree": "binary",
        "binomial": "binomial",
        "knomial": "k-nomial",
        "scatter_allgather": "scatter-recursive-doubling",
        "scatter_allgather_ring": "scatter-ring",
    },
    "reduce": {
        "linear": "linear",
        "chain": "chains",
        "pipeline": "chain",
        "binary": "binary",
        "binomial": "binomial",
        "in_order_binary": "in-order-binary",
        "rabenseifner": "scatter-gather",
        "knomial": "k-nomial",
    },
    "allreduce": {
        "basic_linear": "linear",
        "recursive_doubling": "recursive-doubling",
        "ring": "ring",
        "segmented_ring": "ring",  # without a segment size it is the ring
        "rabenseifner": "rabenseifner",
        "allgather_reduce": "allgather-reduce",
    },
    "alltoall": {
        "linear": "linear",
        "pairwise": "ring",
        "modified_bruck": "bruck",
        "linear_sync": "linear-sync",
    },
    "allgather": {
        "bruck": "bruck",
        "recursive_doubling": "recursive-doubling",
        "ring": "ring",
        "neighbor": "neighbour-exchange",
        "sparbit": "sparbit",
    },
    "reduce_scatter": {
        "recursive_doubling": "recursive-doubling",
        "recursive_halving": "recursive-halving",
        "ring": "ring",
        "butterfly": "butterfly",
    },
    "gather": {
        "basic_linear": "linear",
        "binomial": "binomial",
        "linear_sync": "linear-sync",
    },
    "scatter": {
        "basic_linear": "linear",
        "binomial": "binomial-nearest-first",
        "linear_nb": "linear",
    },
}

_MPICH: _Names = {
    "barrier": {"dissemination": "dissemination"},
    "bcast": {
        "binomial": "binomial",
        "scatter_recursive_doubling_allgather": "scatter-recursive-doubling",
        "scatter_ring_allgather": "scatter-ring",
    },
    "reduce": {"binomial": "binomial", "reduce_scatter_gather": "scatter-gather"},
    "allreduce": {
        "recursive_doubling": "recursive-doubling",
        "reduce_scatter_allgather": "rabenseifner",
        "ring": "ring",
    },
    "alltoall": {
        "brucks": "bruck",
        "k_brucks": "k-bruck",
        "pairwise": "pairwise",
        "scattered": "staggered",
    },
    "allgather": {
        "brucks": "bruck",
        "k_brucks": "k-bruck",
        "recursive_doubling": "recursive-doubling",
        "ring": "ring",
    },
    "reduce_scatter": {
        "pairwise": "pairwise",
        "recursive_doubling": "recursive-doubling",
        "recursive_halving": "recursive-halving",
    },
    "gather": {"binomial": "binomial"},
    "scatter": {"binomial": "binomial"},
}

# PICO's own code over point-to-point messages.
_PICO: _Names = {
    "bcast": {
        "scatter_allgather": "scatter-recursive-doubling",
        "bine_lat": "bine",
        "bine_lat_new": "bine",
        "bine_lat_i_new": "bine",
        "bine_bdw_static": "bine-scatter-allgather",
        "bine_bdw_remap": "bine-scatter-allgather",
    },
    "reduce": {
        "bine_lat": "bine",
        "bine_bdw": "bine-scatter-gather",
        "bine_binomial_tree": "bine",
        "bine_reduce_scatter_gather": "bine-scatter-gather",
    },
    "allreduce": {
        "recursive_doubling": "recursive-doubling",
        "ring": "ring",
        "rabenseifner": "rabenseifner",
        "bine_lat": "bine",
        "bine_bdw_static": "bine-scatter-allgather",
        "bine_bdw_remap": "bine-scatter-allgather",
        "bine_bdw_remap_segmented": "bine-segmented",
    },
    "alltoall": {"bine": "bine", "bine_log": "bine", "bruck_log": "bruck"},
    "allgather": {
        "k_bruck": "bruck",  # its radix is 2
        "recursive_doubling": "recursive-doubling",
        "ring": "ring",
        "sparbit": "sparbit",
        "bine_2_blocks": "bine-two-blocks",
        "bine_2_blocks_dtype": "bine-two-blocks",
        "bine_permute_static": "bine",
        "bine_permute_remap": "bine",
        "bine_send_static": "bine-send",
        "bine_send_remap": "bine-send",
        "bine_block_by_block": "bine-block-by-block",
        "bine_vec_doubling_cont_permute": "bine",
        "bine_vec_doubling_cont_send": "bine-send",
    },
    "reduce_scatter": {
        "recursive_halving": "recursive-halving",
        "recursive_distance_doubling": "butterfly",
        "ring": "ring",
        "butterfly": "butterfly",
        "bine_static": "bine",
        "bine_permute_remap": "bine",
        "bine_send_remap": "bine-send",
        "bine_block_by_block": "bine-block-by-block",
        "bine_vec_halving_cont_permute": "bine",
    },
    "gather": {"bine": "bine", "bine_binomial_tree_cont_permute": "bine"},
    "scatter": {"bine": "bine", "bine_binomial_tree_cont_permute": "bine"},
}

# What PICO's configuration or Fujitsu MPI calls an algorithm of `_OPENMPI`.
_OPENMPI_ALIASES: _Names = {
    "bcast": {
        "linear": "basic_linear",
        "split_binary": "split_binary_tree",
        "binary": "binary_tree",
    },
    "reduce": {"in_order": "in_order_binary"},
    "allreduce": {
        "linear": "basic_linear",
        "ring_segmented": "segmented_ring",
    },
    "allgather": {"k_bruck": "bruck"},
    "gather": {"linear": "basic_linear", "linear_synch": "linear_sync"},
    "scatter": {"linear": "basic_linear"},
}
# Likewise of `_MPICH`.
_MPICH_ALIASES: _Names = {
    "reduce": {"rabenseifner": "reduce_scatter_gather"},
    "allreduce": {"rabenseifner": "reduce_scatter_allgather"},
}

# allgather_reduce came with Open MPI 6; an older one ignores its number, and decides by itself.
_ALLGATHER_REDUCE_SINCE = 6


def algorithm_named(operation: str, label: str, mpi: str = "") -> str | None:
    """Lapwing's name of an algorithm that a measurement or an MPI library calls `label`.

    operation: as in `lapwing predict`; "reduce_scatter_block" is a reduce_scatter.  label: PICO's
    ("bine_lat_over", "ring_ompi", "default-binomial", "BRUCK-LOG-MPI-0-1"), Open MPI's, MPICH's or
    Lapwing's own.  mpi: the library with its version ("OMPI 4.1.6", "CRAY_MPICH 8.1.29"), which
    tells apart what libraries call by one name.

    None if Lapwing has no such algorithm, or if the label says that the library decides.
    """
    operation = operation.lower().removesuffix("_block")
    whose, name = _parsed(label, mpi)
    if whose == "openmpi":
        name = _OPENMPI_ALIASES.get(operation, {}).get(name, name)
        if name == "allgather_reduce" and 0 < _major_version(mpi) < _ALLGATHER_REDUCE_SINCE:
            return None
        return _OPENMPI.get(operation, {}).get(name)
    if whose == "mpich":
        name = _MPICH_ALIASES.get(operation, {}).get(name, name)
        return _MPICH.get(operation, {}).get(name)
    if whose == "pico":
        return _PICO.get(operation, {}).get(name)
    return _of_anybody(operation, name)


def is_own_choice(label: str) -> bool:
    """Whether a label says that the library decided by itself, as "default_ompi" does."""
    text = label.strip().lower().replace("-", "_")
    return text in {"", "auto", "default", "default_ompi", "default_mpich", "default_default"}


def owner(label: str, mpi: str = "") -> str:
    """Whose code an algorithm is: "openmpi", "mpich", "pico"; empty if that is unknown.

    label, mpi: as for `algorithm_named`; the label may also say that the library decided.
    """
    return _parsed(label, mpi)[0]


def _parsed(label: str, mpi: str) -> tuple[str, str]:
    """Whose algorithm a label is, and its name without that."""
    text = label.strip().lower()
    if torus := re.fullmatch(r"([a-z_0-9-]+?)-mpi-\d+-\d+", text):
        return "pico", torus[1].replace("-", "_")
    text = text.replace("-", "_")
    if over := re.fullmatch(r"(\w+?)(?:_over|_any_even)(?:_\d+|_any_even)?", text):
        return "pico", over[1]
    for suffix, whose in (("_ompi", "openmpi"), ("_mpich", "mpich")):
        if text.endswith(suffix):
            return whose, text.removesuffix(suffix)
    if text.startswith("default_"):
        return "openmpi", text.removeprefix("default_")
    return _library(mpi), text


def _library(mpi: str) -> str:
    text = mpi.lower()
    if "mpich" in text:
        return "mpich"
    return "openmpi" if re.search(r"ompi|open ?mpi|fj ?mpi|fujitsu", text) else ""


def _major_version(mpi: str) -> int:
    """0 if the text has none."""
    found = re.search(r"(\d+)\.\d", mpi)
    return int(found[1]) if found else 0


def _of_anybody(operation: str, name: str) -> str | None:
    """A name without an owner: Lapwing's own, or the same algorithm for all owners."""
    own = name.replace("_", "-")
    known = {
        *_OPENMPI.get(operation, {}).values(),
        *_MPICH.get(operation, {}).values(),
        *_PICO.get(operation, {}).values(),
    }
    if own in known:
        return own
    meant = {
        names[operation][name]
        for names in (_OPENMPI, _MPICH, _PICO)
        if name in names.get(operation, {})
    }
    return meant.pop() if len(meant) == 1 else None
