"""The files by which MPIs choose their algorithms, one module for each MPI."""

from collections.abc import Iterator, Sequence

from ..tune import Choice


def told(choices: Sequence[Choice]) -> Iterator[tuple[str, list[Choice]]]:
    """The operations of which an MPI is told anything: one of the algorithms, and all choices."""
    by_operation: dict[str, list[Choice]] = {}
    for choice in choices:
        by_operation.setdefault(choice.operation, []).append(choice)
    for several in by_operation.values():
        rules = [rule for c in several for rule in (*c.rules, *(c.anywhere or ()))]
        named = [rule.algorithm for rule in rules if rule.algorithm is not None]
        if named:
            yield named[0], several
