"""Open MPI's file of rules in JSON, version 3, which Open MPI 6 reads.

For each collective a list of objects: the numbers of ranks, where the ranks are, and a list of
rules with the sizes, the algorithm by its name and its parameters. The first that fits holds; where
none fits Open MPI chooses, so its own choice needs no rule.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import LapwingError
from .library import Library
from .openmpi_algorithms import collective_of, counted, number_of, require_agreement, told
from .table import Bracket, Decision, Steps, brackets

_LARGEST_RANKS = (1 << 31) - 1
_LARGEST = (1 << 63) - 1
_SINGLE_NODE = "single-node"


def rules_document(decisions: Iterable[Decision], library: Library) -> str:
    """The content of the file."""
    by_operation = brackets(decisions)
    collectives = {
        collective_of(operation): [
            entry
            for bracket in by_operation[operation]
            for entry in _entries(library, operation, bracket)
        ]
        for operation in sorted(by_operation, key=number_of)
    }
    document = {"rule_file_version": 3, "module": "tuned", "collectives": collectives}
    return json.dumps(document, indent=2) + "\n"


def _entries(library: Library, operation: str, bracket: Bracket) -> Iterator[dict[str, Any]]:
    """The bracket for ranks on one node, which only such ranks take, then for others."""
    alone = {
        ppn: one
        for ppn, one in bracket.by_ppn.items()
        if ppn is not None and bracket.last is not None and ppn >= bracket.last
    }
    others = {ppn: one for ppn, one in bracket.by_ppn.items() if ppn not in alone}
    if len(others) > 1:
        ppns = ", ".join(sorted(str(ppn) for ppn in others))
        raise LapwingError(
            f"{operation} on {bracket.first} ranks: Open MPI's rules tell only one node from "
            f"several, and there are decisions for {ppns} ranks on a node; keep one of them"
        )
    for placed, several in ((_SINGLE_NODE, alone), ("any", others)):
        for one in list(several.values())[:1]:
            rules = list(_rules(library, operation, bracket, one))
            if rules or placed == _SINGLE_NODE:
                last = _LARGEST_RANKS if bracket.last is None else bracket.last
                yield {
                    "comm_size_min": bracket.first,
                    "comm_size_max": last,
                    "comm_rank_distribution": placed,
                    "rules": rules,
                }


def _rules(
    library: Library, operation: str, bracket: Bracket, one: Steps
) -> Iterator[dict[str, Any]]:
    require_agreement(operation, one, bracket.first)
    starts = [min(counted(operation, size, bracket.first), _LARGEST) for size, _ in one]
    for i, (_, algorithm) in enumerate(one):
        if algorithm is None:
            continue
        rule = told(library, operation, algorithm, bracket.first)
        made: dict[str, Any] = {"msg_size_min": starts[i]}
        made["msg_size_max"] = starts[i + 1] - 1 if i + 1 < len(one) else "inf"
        made["alg"] = rule.name
        if rule.fan_out:
            made["faninout"] = rule.fan_out
        if rule.segment:
            made["seg_size"] = rule.segment
        if rule.requests is not None:
            made["reqs"] = rule.requests
        yield made
