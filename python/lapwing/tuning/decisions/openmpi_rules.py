"""Open MPI's classic file of rules, versions 1 and 2 (`coll_tuned_dynamic_rules_filename`).

The file has whole numbers, and comments from # to the end of a line: the number of collectives; for
each its number, and the number of entries; for each entry a number of ranks, and the number of its
rules; for each rule the size from which it holds, the algorithm, the fan-out and the size of a
segment. An entry holds up to the ranks of the next one; the first one holds below its ranks as
well. Version 2 says so in its first line, and its rules may have a fifth number: requests at once.
"""

from collections.abc import Iterable, Sequence

from ...errors import LapwingError
from .library import Library
from .openmpi_algorithms import Told, collective_of, counted, number_of, require_agreement, told
from .table import Bracket, Decision, brackets, steps, with_gaps

_VERSION_2 = "rule-file-version-2"
_BY_ITSELF = "0 0 0"
_LARGEST = (1 << 63) - 1


def rules_file(
    decisions: Iterable[Decision], library: Library, header: str, version: int = 1
) -> str:
    """The content of the file. header: comment lines at its top.  version: 1 or 2."""
    by_operation = brackets(decisions)
    lines = [_VERSION_2] if version == 2 else []
    lines += [f"# {line}".rstrip() for line in header.splitlines()]
    lines.append(f"{len(by_operation)}  # collectives")
    for operation in sorted(by_operation, key=number_of):
        entries = _entries(library, operation, by_operation[operation], version)
        lines += ["", f"{number_of(operation)}  # {collective_of(operation)}"]
        lines.append(f"{len(entries)}  # numbers of ranks")
        for first, rules in entries:
            lines.append(f"{first}  # ranks, and more")
            lines.append(f"{len(rules)}  # rules: from so many bytes on")
            lines += rules
    return "\n".join(lines) + "\n"


def _entries(
    library: Library, operation: str, several: Sequence[Bracket], version: int
) -> list[tuple[int, list[str]]]:
    """First numbers of ranks with the lines of their rules; equal neighbours are one."""
    made: list[tuple[int, list[str]]] = []
    for entry in with_gaps(several):
        rules = _rules(library, operation, entry, version)
        if not made or made[-1][1] != rules:
            made.append((entry.first, rules))
    return made


def _rules(library: Library, operation: str, entry: Bracket, version: int) -> list[str]:
    lines = []
    one = steps(entry, operation, "Open MPI's classic file of rules")
    require_agreement(operation, one, entry.first)
    for size, algorithm in one:
        least = min(counted(operation, size, entry.first), _LARGEST)
        if algorithm is None:
            lines.append(f"{least} {_BY_ITSELF}  # as Open MPI chooses")
            continue
        rule = told(library, operation, algorithm, entry.first)
        numbers = f"{rule.number} {rule.fan_out} {rule.segment}{_requests(rule, version)}"
        lines.append(f"{least} {numbers}  # {algorithm.name}")
    return lines


def _requests(rule: Told, version: int) -> str:
    if rule.requests is None:
        return ""
    if version == 1:
        raise LapwingError(
            f"{rule.collective} with {rule.requests} requests at once: version 1 of Open MPI's "
            "rules cannot say it; write version 2, for 4.1.8, 5.0.7 or later"
        )
    return f" {rule.requests}"
