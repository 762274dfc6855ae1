"""MPICH's own choices, which its selection file must repeat for every collective.

From 4.0 to 5.0 they are the same but for what the barrier is called. A tree is an algorithm,
without the prefix "MPIR_" and the name of the collective, and its parameters after it ("NAME k=2"),
or an ordered mapping of conditions to trees.
"""

from .library import Library

Tree = str | dict[str, "Tree"]


def leaf(algorithm: str, **parameters: str) -> Tree:
    """The tree that is one algorithm."""
    return " ".join([algorithm, *(f"{name}={value}" for name, value in parameters.items())])


def _total(least: int, below: Tree, above: Tree) -> Tree:
    return {f"total_msg_size<{least}": below, "total_msg_size=any": above}


def _average(*steps: tuple[int, Tree], above: Tree) -> Tree:
    made: dict[str, Tree] = {f"avg_msg_size<={size}": tree for size, tree in steps}
    return {**made, "avg_msg_size=any": above}


def _unless_few(few: Tree, many: Tree) -> Tree:
    """`many` if there are enough blocks to spread over the ranks and the operator is built in."""
    counted: Tree = {"count<pow2": few, "count=any": many}
    return {"is_op_built_in=yes": counted, "is_op_built_in=no": few}


def _gathered(schedule: str) -> Tree:
    """The tree of allgather and similar collectives."""
    doubling, brucks, ring = (
        f"intra_{schedule}{name}" for name in ("recursive_doubling", "brucks", "ring")
    )
    return {
        "comm_size=pow2": _total(524288, doubling, ring),
        "comm_size=any": _total(81920, brucks, ring),
    }


def _not_commutative(schedule: str, *, regular: bool) -> Tree:
    """The tree of reduce_scatter and similar collectives, for operators that do not commute.

    regular: all blocks have one size.
    """
    doubling = f"intra_{schedule}recursive_doubling"
    noncommutative = f"intra_{schedule}noncommutative"
    tree: Tree = {"comm_size=pow2": noncommutative, "comm_size=any": doubling}
    return tree if regular else {"is_block_regular=yes": tree, "is_block_regular=no": doubling}


def _scattered(schedule: str) -> Tree:
    """The tree of reduce_scatter and similar collectives, for operators that commute."""
    return _total(524288, f"intra_{schedule}recursive_halving", f"intra_{schedule}pairwise")


def _reduced(schedule: str, *, regular: bool) -> Tree:
    return {
        "is_commutative=yes": _scattered(schedule),
        "is_commutative=no": _not_commutative(schedule, regular=regular),
    }


def _in_place(replaced: Tree, other: Tree) -> Tree:
    return {"is_sendbuf_inplace=yes": replaced, "is_sendbuf_inplace=no": other}


def _kinds(intra: Tree, inter: str) -> Tree:
    return {"comm_type=intra": intra, "comm_type=inter": f"inter_{inter}"}


_BINOMIAL_BCAST = "intra_binomial"
_DOUBLING_BCAST = "intra_scatter_recursive_doubling_allgather"
_RING_BCAST = "intra_scatter_ring_allgather"
_SCHEDULED_BCAST = "intra_sched_"

# The trees for intra-communicators, data that is not in place, and operators that commute. A tuned
# tree replaces one of them, and has it where MPICH is to choose. Numbers of ranks have "<=", which
# means the same wherever it stands; "<" does not.
INTRA: dict[str, Tree] = {
    "bcast": {
        "comm_size<=7": _BINOMIAL_BCAST,
        "comm_size=pow2": _average(
            (12288, _BINOMIAL_BCAST), (524288, _DOUBLING_BCAST), above=_RING_BCAST
        ),
        "comm_size=any": _average((12288, _BINOMIAL_BCAST), above=_RING_BCAST),
    },
    "allreduce": _average(
        (8, "intra_recursive_doubling"),
        above=_unless_few("intra_recursive_doubling", "intra_reduce_scatter_allgather"),
    ),
    "allgather": _gathered(""),
    "reduce": _average(
        (2048, "intra_binomial"),
        above=_unless_few("intra_binomial", "intra_reduce_scatter_gather"),
    ),
    "reduce_scatter": _scattered(""),
    "reduce_scatter_block": _scattered(""),
    # MPICH's own tree has "comm_size<8" below another condition, where it tests "<=".
    "alltoall": {
        "comm_size<=8": _average((32768, "intra_scattered"), above="intra_pairwise"),
        "comm_size=any": _average(
            (256, "intra_brucks"), (32768, "intra_scattered"), above="intra_pairwise"
        ),
    },
}

_NOT_COMMUTATIVE = {
    "reduce_scatter": _not_commutative("", regular=False),
    "reduce_scatter_block": _not_commutative("", regular=True),
}
_INTER = {
    "bcast": "remote_send_local_bcast",
    "allreduce": "reduce_exchange_bcast",
    "allgather": "local_gather_remote_bcast",
    "reduce": "local_reduce_remote_send",
    "reduce_scatter": "remote_reduce_local_scatter",
    "reduce_scatter_block": "remote_reduce_local_scatter",
    "alltoall": "pairwise_exchange",
}


def whole(collective: str, intra: Tree) -> Tree:
    """The whole tree of a collective, with `intra` in place of `INTRA[collective]`."""
    if collective in _NOT_COMMUTATIVE:
        other = _NOT_COMMUTATIVE[collective]
        intra = {"is_commutative=yes": intra, "is_commutative=no": other}
    if collective == "alltoall":
        intra = _in_place("intra_pairwise_sendrecv_replace", intra)
    return _kinds(intra, _INTER[collective])


_FEW_BYTES = 2048

_OTHERS: dict[str, Tree] = {
    "allgatherv": _kinds(_gathered(""), "remote_gather_local_bcast"),
    "gather": {
        "comm_type=intra": "intra_binomial",
        "comm_type=inter": _total(_FEW_BYTES, "inter_local_gather_remote_send", "inter_linear"),
    },
    "scatter": {
        "comm_type=intra": "intra_binomial",
        "comm_type=inter": _total(_FEW_BYTES, "inter_remote_send_local_scatter", "inter_linear"),
    },
    "gatherv": "allcomm_linear",
    "scatterv": "allcomm_linear",
    "scan": {
        "is_node_consecutive=yes": "intra_smp",
        "is_node_consecutive=no": "intra_recursive_doubling",
    },
    "exscan": "intra_recursive_doubling",
    "alltoallv": _kinds(
        _in_place("intra_pairwise_sendrecv_replace", "intra_scattered"), "pairwise_exchange"
    ),
    "alltoallw": _kinds(
        _in_place("intra_pairwise_sendrecv_replace", "intra_scattered"), "pairwise_exchange"
    ),
    "neighbor_allgather": "allcomm_nb",
    "neighbor_allgatherv": "allcomm_nb",
    "neighbor_alltoall": "allcomm_nb",
    "neighbor_alltoallv": "allcomm_nb",
    "neighbor_alltoallw": "allcomm_nb",
    "ibarrier": _kinds("intra_sched_recursive_doubling", "sched_bcast"),
    "ibcast": _kinds(
        {
            "comm_hierarchy=parent": "intra_sched_smp",
            "comm_hierarchy=any": {
                "comm_size<8": f"{_SCHEDULED_BCAST}binomial",
                "comm_size=pow2": {
                    "avg_msg_size<12288": f"{_SCHEDULED_BCAST}binomial",
                    "avg_msg_size<524288": (
                        f"{_SCHEDULED_BCAST}scatter_recursive_doubling_allgather"
                    ),
                    "avg_msg_size=any": f"{_SCHEDULED_BCAST}scatter_ring_allgather",
                },
                "comm_size=any": {
                    "avg_msg_size<12288": f"{_SCHEDULED_BCAST}binomial",
                    "avg_msg_size=any": f"{_SCHEDULED_BCAST}scatter_ring_allgather",
                },
            },
        },
        "sched_flat",
    ),
    "iallreduce": _kinds(
        _average(
            (_FEW_BYTES, "intra_sched_recursive_doubling"),
            above=_unless_few(
                "intra_sched_recursive_doubling", "intra_sched_reduce_scatter_allgather"
            ),
        ),
        "sched_remote_reduce_local_bcast",
    ),
    "iallgather": _kinds(_gathered("sched_"), "sched_local_gather_remote_bcast"),
    "iallgatherv": _kinds(_gathered("sched_"), "sched_remote_gather_local_bcast"),
    "ireduce": _kinds(
        {
            "comm_hierarchy=parent": {
                "is_commutative=yes": "intra_sched_smp",
                "is_commutative=no": "intra_sched_binomial",
            },
            "comm_hierarchy=any": _average(
                (_FEW_BYTES, "intra_sched_binomial"),
                above=_unless_few("intra_sched_binomial", "intra_sched_reduce_scatter_gather"),
            ),
        },
        "sched_local_reduce_remote_send",
    ),
    "ireduce_scatter": _kinds(
        _reduced("sched_", regular=False), "sched_remote_reduce_local_scatterv"
    ),
    "ireduce_scatter_block": _kinds(
        _reduced("sched_", regular=True), "sched_remote_reduce_local_scatterv"
    ),
    "igather": {
        "comm_type=intra": "intra_sched_binomial",
        "comm_type=inter": _total(_FEW_BYTES, "inter_sched_short", "inter_sched_long"),
    },
    "iscatter": {
        "comm_type=intra": "intra_sched_binomial",
        "comm_type=inter": _total(
            _FEW_BYTES, "inter_sched_remote_send_local_scatter", "inter_sched_linear"
        ),
    },
    "igatherv": "allcomm_sched_linear",
    "iscatterv": "allcomm_sched_linear",
    "iscan": {
        "comm_hierarchy=parent": "intra_sched_smp",
        "comm_hierarchy=any": "intra_sched_recursive_doubling",
    },
    "iexscan": "intra_sched_recursive_doubling",
    "ialltoall": _kinds(
        _in_place(
            "intra_sched_inplace",
            {
                "comm_size<8": _average(
                    (32768, "intra_sched_permuted_sendrecv"), above="intra_sched_pairwise"
                ),
                "comm_size=any": _average(
                    (_FEW_BYTES, "intra_sched_brucks"),
                    (32768, "intra_sched_permuted_sendrecv"),
                    above="intra_sched_pairwise",
                ),
            },
        ),
        "sched_pairwise_exchange",
    ),
    "ialltoallv": _kinds(
        _in_place("intra_sched_inplace", "intra_sched_blocked"), "sched_pairwise_exchange"
    ),
    "ialltoallw": _kinds(
        _in_place("intra_sched_inplace", "intra_sched_blocked"), "sched_pairwise_exchange"
    ),
    "ineighbor_allgather": "allcomm_sched_linear",
    "ineighbor_allgatherv": "allcomm_sched_linear",
    "ineighbor_alltoall": "allcomm_sched_linear",
    "ineighbor_alltoallv": "allcomm_sched_linear",
    "ineighbor_alltoallw": "allcomm_sched_linear",
}


def others(library: Library) -> dict[str, Tree]:
    """The whole trees of all collectives that are not in `INTRA`."""
    plain = (
        leaf("intra_k_dissemination", k="2")
        if library.at_least(4, 1)
        else leaf("intra_dissemination")
    )
    barrier = _kinds({"comm_hierarchy=parent": "intra_smp", "comm_hierarchy=any": plain}, "bcast")
    return {**_OTHERS, "barrier": barrier}
