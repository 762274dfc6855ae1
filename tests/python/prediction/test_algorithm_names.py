"""What others call an algorithm."""

import pytest
from lapwing._core import collective_algorithms

from lapwing.prediction.algorithm_names import (
    _MPICH,
    _MPICH_ALIASES,
    _OPENMPI,
    _OPENMPI_ALIASES,
    _PICO,
    algorithm_named,
    is_own_choice,
)


@pytest.mark.parametrize(
    ("operation", "label", "name"),
    [
        # PICO's own code, with the segment size at the end, or on a torus.
        ("allreduce", "recursive_doubling_over", "recursive-doubling"),
        ("allreduce", "bine_lat_over", "bine"),
        ("allreduce", "bine_bdw_remap_over", "bine-scatter-allgather"),
        ("allreduce", "bine_bdw_remap_segmented_over_16384", "bine-segmented"),
        ("allgather", "k_bruck_over", "bruck"),
        ("allgather", "sparbit_over", "sparbit"),
        ("allgather", "bine_2_blocks_dtype_over", "bine-two-blocks"),
        ("allgather", "bine_block_by_block_over_any_even", "bine-block-by-block"),
        ("reduce_scatter", "bine_block_by_block_any_even", "bine-block-by-block"),
        ("reduce_scatter", "recursive_distance_doubling_over", "butterfly"),
        ("reduce", "BINE-BINOMIAL_TREE-MPI-1048576-1", "bine"),
        ("alltoall", "BRUCK-LOG-MPI-0-1", "bruck"),
        # What PICO forces Open MPI, MPICH and Cray MPICH to take.
        ("allgather", "neighbor_ompi", "neighbour-exchange"),
        ("alltoall", "pairwise_ompi", "ring"),
        ("reduce", "in_order_ompi", "in-order-binary"),
        ("bcast", "pipeline_ompi", "chain"),
        ("scatter", "binomial_ompi", "binomial-nearest-first"),
        ("allreduce", "rabenseifner_mpich", "rabenseifner"),
        ("alltoall", "pairwise_mpich", "pairwise"),
        ("allgather", "k_brucks_mpich", "k-bruck"),
        ("scatter", "binomial_mpich", "binomial"),
        # Fujitsu MPI.
        ("bcast", "default-split-binary-tree", "split-binary"),
        ("alltoall", "default-linear-sync", "linear-sync"),
        # Lapwing's own, and names that mean the same to all.
        ("allgather", "neighbour-exchange", "neighbour-exchange"),
        ("bcast", "binomial", "binomial"),
        ("reduce_scatter_block", "recursive_halving", "recursive-halving"),
        ("allreduce", "reduce_scatter_allgather", "rabenseifner"),
        ("allreduce", " RING_over ", "ring"),
    ],
)
def test_a_label_is_one_of_our_algorithms(operation: str, label: str, name: str) -> None:
    assert algorithm_named(operation, label) == name


@pytest.mark.parametrize(
    ("operation", "label"),
    [
        ("allgather", "default_ompi"),
        ("allreduce", "default_mpich"),
        ("bcast", "default-default"),
        ("allreduce", "non_blocking_mpich"),
        ("allreduce", "default-trix3"),
        ("alltoall", "default-blacc6d"),
        ("allreduce", "sparbit_over"),
        # The library chooses how their parts are done.
        ("allgather", "default-gtbc"),
        ("allreduce", "nonoverlapping_ompi"),
        ("reduce_scatter", "non_overlapping_ompi"),
        ("frobnicate", "ring_over"),
        ("allreduce", ""),
        ("allreduce", "_over"),
        ("allreduce", "-MPI-0-1"),
    ],
)
def test_what_lapwing_lacks_is_none(operation: str, label: str) -> None:
    assert algorithm_named(operation, label) is None


def test_the_library_tells_apart_what_has_one_name() -> None:
    assert algorithm_named("alltoall", "pairwise", "OMPI 4.1.6") == "ring"
    assert algorithm_named("alltoall", "pairwise", "FJMPI 4.0.1") == "ring"
    assert algorithm_named("alltoall", "pairwise", "CRAY_MPICH 8.1.29") == "pairwise"
    assert algorithm_named("alltoall", "pairwise", "Open MPI 5.0.7") == "ring"
    assert algorithm_named("scatter", "binomial", "MPICH 4.2.1") == "binomial"


def test_allgather_reduce_came_with_open_mpi_6() -> None:
    name = "allgather_reduce_ompi"
    assert algorithm_named("allreduce", name, "OMPI 4.1.6") is None
    assert algorithm_named("allreduce", name, "customOMPI 5.0.7") is None
    assert algorithm_named("allreduce", name, "OMPI 6.0.0") == "allgather-reduce"
    assert algorithm_named("allreduce", name) == "allgather-reduce"


def test_own_choices_of_libraries() -> None:
    assert is_own_choice("default_ompi")
    assert is_own_choice("default_mpich")
    assert is_own_choice("default-default")
    assert not is_own_choice("default-ring")
    assert not is_own_choice("ring_ompi")


def test_every_name_is_an_algorithm_of_its_operation() -> None:
    for names in (_OPENMPI, _MPICH, _PICO):
        for operation, ours in names.items():
            assert set(ours.values()) <= set(collective_algorithms(operation))


def test_other_names_of_an_algorithm_lead_to_it() -> None:
    for aliases, names in ((_OPENMPI_ALIASES, _OPENMPI), (_MPICH_ALIASES, _MPICH)):
        for operation, others in aliases.items():
            assert set(others.values()) <= set(names[operation])
