"""Readers of the files, written from what the libraries document and do, strict as they are not.

Each gives a function of ranks, ranks on a node, and bytes as the library counts them: what it takes
of a collective, with parameters; None where it chooses by itself.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Chosen = tuple[object, ...] | None
Reader = Callable[[str, int, int, int], Chosen]

CLASSIC = {
    0: "allgather",
    2: "allreduce",
    3: "alltoall",
    6: "barrier",
    7: "bcast",
    9: "gather",
    11: "reduce",
    13: "reduce_scatter_block",
    15: "scatter",
}


def classic_rules(text: str) -> dict[int, list[tuple[int, list[list[int]]]]]:
    """The rules of Open MPI's versions 1 and 2, by collective and number of ranks."""
    lines = text.splitlines()
    second = lines[0] == "rule-file-version-2"
    assert second or not lines[0].startswith("rule-file")
    rows = [line.partition("#")[0].split() for line in lines[second:]]
    rows = [row for row in rows if row]
    at = iter(rows)

    def one() -> int:
        (number,) = next(at)
        return int(number)

    def rule() -> list[int]:
        row = [int(number) for number in next(at)]
        assert len(row) == 4 or (second and len(row) == 5)
        assert min(row) >= 0
        return row

    read = {}
    for _ in range(one()):
        collective = one()
        assert collective not in read
        entries = []
        for _ in range(one()):
            ranks = one()
            rules = [rule() for _ in range(one())]
            sizes = [row[0] for row in rules]
            assert sizes[0] == 0
            assert sizes == sorted(set(sizes))
            entries.append((ranks, rules))
        assert [ranks for ranks, _ in entries] == sorted({ranks for ranks, _ in entries})
        read[collective] = entries
    assert next(at, None) is None
    return read


def classic(text: str) -> Reader:
    by_name = {CLASSIC[number]: entries for number, entries in classic_rules(text).items()}

    def chosen(collective: str, ranks: int, ppn: int, size: int) -> Chosen:
        if collective not in by_name:
            return None
        entries = by_name[collective]
        rules = [entries[0][1], *(rules for least, rules in entries if least <= ranks)][-1]
        rule = [row for row in rules if row[0] <= size][-1]
        return tuple(rule[1:]) if rule[1] else None

    return chosen


# coll_tuned_OP_algorithm as ompi_info lists them.
NAMES = {
    "allgather": [
        "ignore",
        "linear",
        "bruck-k-fanout",
        "recursive_doubling",
        "ring",
        "neighbor",
        "two_proc",
        "sparbit",
        "direct-messaging",
    ],
    "allreduce": [
        "ignore",
        "basic_linear",
        "nonoverlapping",
        "recursive_doubling",
        "ring",
        "segmented_ring",
        "rabenseifner",
    ],
    "alltoall": ["ignore", "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"],
    "bcast": [
        "ignore",
        "basic_linear",
        "chain",
        "pipeline",
        "split_binary_tree",
        "binary_tree",
        "binomial",
        "knomial",
        "scatter_allgather",
        "scatter_allgather_ring",
    ],
    "reduce": [
        "ignore",
        "linear",
        "chain",
        "pipeline",
        "binary",
        "binomial",
        "in-order_binary",
        "rabenseifner",
        "knomial",
    ],
    "reduce_scatter_block": [
        "ignore",
        "basic_linear",
        "recursive_doubling",
        "recursive_halving",
        "butterfly",
    ],
    "gather": ["ignore", "basic_linear", "binomial", "linear_sync"],
}


def json_rules(text: str) -> Reader:
    """Open MPI's version 3: the first that fits is taken."""
    document = json.loads(text, object_pairs_hook=_no_twice)
    assert document.keys() == {"rule_file_version", "module", "collectives"}
    assert (document["rule_file_version"], document["module"]) == (3, "tuned")
    for collective, entries in document["collectives"].items():
        for entry in entries:
            assert entry.keys() == {
                "comm_size_min",
                "comm_size_max",
                "comm_rank_distribution",
                "rules",
            }
            assert 0 <= entry["comm_size_min"] <= entry["comm_size_max"] < 1 << 31
            assert entry["comm_rank_distribution"] in ("any", "single-node")
            end = -1
            for rule in entry["rules"]:
                assert rule.keys() <= {
                    "msg_size_min",
                    "msg_size_max",
                    "alg",
                    "faninout",
                    "seg_size",
                    "reqs",
                }
                assert rule["alg"] in NAMES[collective]
                assert end < rule["msg_size_min"]
                end = rule["msg_size_max"]
                assert end == "inf" or rule["msg_size_min"] <= end
                end = 1 << 63 if end == "inf" else end

    def chosen(collective: str, ranks: int, ppn: int, size: int) -> Chosen:
        for entry in document["collectives"].get(collective, []):
            if entry["comm_rank_distribution"] == "single-node" and ppn < ranks:
                continue
            if not entry["comm_size_min"] <= ranks <= entry["comm_size_max"]:
                continue
            for rule in entry["rules"]:
                end = rule["msg_size_max"]
                if rule["msg_size_min"] <= size and (end == "inf" or size <= end):
                    number = NAMES[collective].index(rule["alg"])
                    more = tuple(rule.get(key, 0) for key in ("faninout", "seg_size"))
                    return (number, *more, *([rule["reqs"]] if "reqs" in rule else []))
            return None
        return None

    return chosen


def selection(text: str) -> Reader:
    """MPICH's tree, for built-in operators, buffers not in place, and many elements."""
    document = json.loads(text, object_pairs_hook=_no_twice)
    assert len(document) == 44  # every collective: MPICH fails on those it does not find

    def holds(key: str, ranks: int, ppn: int, size: int) -> bool:
        name, sign, value = key.partition("<=" if "<=" in key else "<" if "<" in key else "=")
        if value == "any":
            return True
        if name == "comm_size" and sign == "<=":
            return ranks <= int(value)
        if name == "comm_avg_ppn":
            nodes = -(-ranks // ppn)
            return ranks <= int(value) * nodes
        if name in ("avg_msg_size", "total_msg_size"):
            return size <= int(value) if sign == "<=" else size < int(value)
        return {
            "comm_type=intra": True,
            "comm_type=inter": False,
            "comm_size=pow2": ranks & (ranks - 1) == 0,
            "is_commutative=yes": True,
            "is_op_built_in=yes": True,
            "is_sendbuf_inplace=yes": False,
            "is_sendbuf_inplace=no": True,
            "count<pow2": False,
        }[key]

    def chosen(collective: str, ranks: int, ppn: int, size: int) -> Chosen:
        tree = document[f"collective={collective}"]
        while True:
            for key, below in tree.items():
                if key.startswith("algorithm="):
                    assert len(tree) == 1
                    assert all(parameter == {} for parameter in below.values())
                    return (key.removeprefix("algorithm="), *below)
                if holds(key, ranks, ppn, size):
                    tree = below
                    break
            else:
                raise AssertionError(f"{collective}: nothing holds of {list(tree)}")

    return chosen


def adjusted(text: str, folder: Path) -> Reader:
    """Intel MPI's environment, as a shell sets it."""
    (folder / "adjust.sh").write_text(text)
    environments: dict[int, dict[str, str]] = {}

    def environment(ranks: int) -> dict[str, str]:
        said = subprocess.run(
            ["sh", "-euc", f"RANKS={ranks}; . ./adjust.sh; env"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert (said.returncode, said.stderr) == (0, "")
        pairs = (line.partition("=") for line in said.stdout.splitlines())
        return {name: value for name, _, value in pairs if name.startswith("I_MPI_")}

    def chosen(collective: str, ranks: int, ppn: int, size: int) -> Chosen:
        if ranks not in environments:
            environments[ranks] = environment(ranks)
        value = environments[ranks].get(f"I_MPI_ADJUST_{collective.upper()}")
        if value is None:
            return None
        after = 0
        found: Chosen = None
        for part in value.split(";"):
            number, _, sizes = part.partition(":")
            first, _, last = sizes.partition("-")
            assert int(first) == after  # sizes between have the algorithm of a neighbour
            after = int(last) + 1
            if int(first) <= size <= int(last):
                found = (int(number),)
        assert after == 1 << 31
        return found

    return chosen


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    assert len(made) == len(pairs)
    return made
