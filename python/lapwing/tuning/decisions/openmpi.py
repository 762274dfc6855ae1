"""The file that Open MPI's `coll_tuned_dynamic_rules_filename` names, as Open MPI 4.1 reads it.

The file has whole numbers, and comments from # to the end of a line: the number of collectives; for
each its number, and the number of entries; for each entry a number of ranks, and the number of its
rules; for each rule the total size from which it holds, the algorithm, the fan-out and the size of
a segment. An entry holds up to the ranks of the next one; the first one holds below its ranks as
well.
"""

from collections.abc import Sequence

from ...launch.algorithms import force
from ..tune import Choice, Rule
from . import with_rules

# COLLTYPE_T of coll_base_functions.h.
_NUMBERS = {
    "allgather": 0,
    "allreduce": 2,
    "alltoall": 3,
    "barrier": 6,
    "bcast": 7,
    "gather": 9,
    "reduce": 11,
    "reduce_scatter": 12,
    "reduce_scatter_block": 13,
    "scatter": 15,
}
# Collectives for which Open MPI counts the bytes of all ranks, where we count those of one.
_TOTAL = ("allgather", "alltoall", "gather", "reduce_scatter", "scatter")
_BY_ITSELF = 0
_LARGEST = (1 << 63) - 1
_AS_IT_IS = (Rule(0, None, (), (), None, ()),)


def rules_file(choices: Sequence[Choice], header: str) -> str:
    """The content of the file. header: comment lines at its top."""
    by_name = {
        _setting(several[0].operation, algorithm, several[0].ranks)[0]: several
        for algorithm, several in with_rules(choices)
    }
    lines = [f"# {line}".rstrip() for line in header.splitlines()]
    lines.append(f"{len(by_name)}  # collectives")
    for name in sorted(by_name, key=_NUMBERS.__getitem__):
        brackets = _merged(_brackets(by_name[name]))
        lines += ["", f"{_NUMBERS[name]}  # {name}", f"{len(brackets)}  # numbers of ranks"]
        for ranks, rules in brackets:
            lines += [
                f"{ranks}  # ranks, and more",
                f"{len(rules)}  # rules: from so many bytes on",
            ]
            lines += rules
    return "\n".join(lines) + "\n"


def _setting(operation: str, algorithm: str, ranks: int) -> tuple[str, int, int, int]:
    """Open MPI's collective and number of the algorithm, its fan-out, and bytes of a segment."""
    how = force("openmpi", operation, algorithm, ranks)
    assert how is not None
    settings = how.settings
    key = next(key for key in settings if key.endswith("_algorithm"))
    fan_out = settings.get(f"{key}_chain_fanout", settings.get(f"{key}_tree_fanout", "0"))
    name = key.removeprefix("coll_tuned_").removesuffix("_algorithm")
    return name, int(settings[key]), int(fan_out), int(settings.get(f"{key}_segmentsize", "0"))


def _merged(brackets: Sequence[tuple[str, int, Sequence[Rule]]]) -> list[tuple[int, list[str]]]:
    """Numbers of ranks with the lines of their rules; equal neighbours are one."""
    made: list[tuple[int, list[str]]] = []
    for operation, ranks, rules in brackets:
        lines = [_line(operation, ranks, rule) for rule in rules]
        if not made or made[-1][1] != lines:
            made.append((ranks, lines))
    return made


def _brackets(choices: Sequence[Choice]) -> list[tuple[str, int, Sequence[Rule]]]:
    """Numbers of ranks with their rules; numbers in between have their own where they differ.

    Below the first number and from twice the last on, nothing was predicted, and Open MPI chooses.
    """
    operation = choices[0].operation
    made: list[tuple[str, int, Sequence[Rule]]] = []
    if choices[0].ranks > 2:
        made.append((operation, 0, _AS_IT_IS))
    ends = [*(choice.ranks for choice in choices[1:]), 2 * choices[-1].ranks]
    for choice, end in zip(choices, ends, strict=True):
        made.append((operation, choice.ranks, choice.rules))
        if choice.anywhere is not None and end > choice.ranks + 1:
            made.append((operation, choice.ranks + 1, choice.anywhere))
    made.append((operation, ends[-1], _AS_IT_IS))
    return made


def _line(operation: str, ranks: int, rule: Rule) -> str:
    size = min(rule.size * ranks if operation in _TOTAL else rule.size, _LARGEST)
    if rule.algorithm is None:
        return f"{size} {_BY_ITSELF} 0 0  # as Open MPI chooses"
    _, number, fan_out, segment = _setting(operation, rule.algorithm, ranks)
    return f"{size} {number} {fan_out} {segment}  # {rule.algorithm}"
