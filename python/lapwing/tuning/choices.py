"""What a tuner chose, with the times that it chose by, and the table of decisions this makes."""

from collections.abc import Sequence
from dataclasses import dataclass

from .decisions.table import Algorithm, Decision


@dataclass(frozen=True)
class Rule:
    """The algorithm from one size on, up to the size of the next rule.

    size: bytes, as predictions count them.  algorithm: by our name; None, the MPI's own choice.
    sizes, seconds: sizes of the grid that the rule covers, with the predicted time of each.
    default, default_algorithms: predicted times and algorithms of the MPI's own choice; None if
    that is unknown.
    """

    size: int
    algorithm: str | None
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    default: tuple[float, ...] | None
    default_algorithms: tuple[str, ...]

    @property
    def gain(self) -> float | None:
        """Largest speed-up over the MPI's own choice; None if that is unknown."""
        if self.default is None:
            return None
        return max(a / b if b > 0 else 1.0 for a, b in zip(self.default, self.seconds, strict=True))


# The library's own choice for all sizes.
OWN_CHOICE = (Rule(0, None, (), (), None, ()),)


@dataclass(frozen=True)
class Choice:
    """The rules of an operation from a number of ranks on, up to the ranks of the next choice.

    anywhere: rules for numbers of ranks that are odd or no power of two; None, the same rules.
    """

    operation: str
    ranks: int
    rules: tuple[Rule, ...]
    anywhere: tuple[Rule, ...] | None = None

    @property
    def departs(self) -> bool:
        """Whether any rule differs from the MPI's own choice."""
        return any(rule.algorithm is not None for rule in (*self.rules, *(self.anywhere or ())))


def decisions(choices: Sequence[Choice], ppn: int | None = None) -> list[Decision]:
    """The choices as a table. ppn: ranks on each node that they are for; None, any.

    Below the first number of ranks and from twice the last on nothing was predicted, and the
    library chooses.
    """
    made: list[Decision] = []
    for i, choice in enumerate(choices):
        following = choices[i + 1] if i + 1 < len(choices) else None
        if following is not None and following.operation == choice.operation:
            last = following.ranks - 1
        else:
            last = 2 * choice.ranks - 1
        if choice.anywhere is None:
            made += _decisions(choice.operation, (choice.ranks, last), choice.rules, ppn)
            continue
        made += _decisions(choice.operation, (choice.ranks, choice.ranks), choice.rules, ppn)
        if last > choice.ranks:
            made += _decisions(choice.operation, (choice.ranks + 1, last), choice.anywhere, ppn)
    return made


def _decisions(
    operation: str, ranks: tuple[int, int], rules: Sequence[Rule], ppn: int | None
) -> list[Decision]:
    ends = [*(rule.size for rule in rules[1:]), None]
    return [
        Decision(
            operation,
            ranks,
            (rule.size, end),
            None if rule.algorithm is None else Algorithm(rule.algorithm),
            ppn,
        )
        for rule, end in zip(rules, ends, strict=True)
    ]
