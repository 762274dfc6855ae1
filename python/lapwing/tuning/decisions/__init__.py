"""The files that MPIs read their choice of algorithms from, one module for each MPI."""

from collections.abc import Iterator, Sequence

from ..tune import Choice


def with_rules(choices: Sequence[Choice]) -> Iterator[tuple[str, list[Choice]]]:
    """For each operation with a rule of ours: the algorithm of one rule, and all choices."""
    by_operation: dict[str, list[Choice]] = {}
    for choice in choices:
        by_operation.setdefault(choice.operation, []).append(choice)
    for several in by_operation.values():
        rules = [rule for c in several for rule in (*c.rules, *(c.anywhere or ()))]
        named = [rule.algorithm for rule in rules if rule.algorithm is not None]
        if named:
            yield named[0], several
