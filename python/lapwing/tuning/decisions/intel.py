"""The environment of Intel MPI that tells it its algorithms: a shell script to be read by a job's.

A variable for each collective has the algorithms by size, "ID:FROM-TO;ID:FROM-TO", sizes as we
count them. What Intel MPI does with it (seen with 2021.4 and 2021.14), and the script goes by:

- It does not combine conditions on numbers of processes with sizes, so the script asks for the
  number of ranks of the job itself. - Sizes between two ranges, and beyond the last, have the
  algorithm of a neighbour. Once a variable is set, nothing gives a size back to the choice of the
  library, and ID 0 is another one. So a collective is told only on ranks where there is an
  algorithm for every size.
"""

import os
import subprocess
from collections.abc import Iterable

from ...errors import LapwingError
from ...launch.algorithms import force
from .library import Library
from .table import Algorithm, Bracket, Decision, Steps, brackets, steps

_LARGEST = (1 << 31) - 1
_RANKS = "RANKS"
_VARIABLES = "I_MPI_ADJUST"
# Collectives for which Intel MPI counts the bytes of all ranks, where we count those of one.
_TOTAL = ("reduce_scatter",)


def environment(decisions: Iterable[Decision], library: Library, header: str) -> str:
    """The script. header: comment lines at its top."""
    lines = [f"# {line}".rstrip() for line in header.splitlines()]
    lines += [
        f"# To read it:  {_RANKS}=64; . ./FILE  with the number of ranks of the job",
        f': "${{{_RANKS}:?set {_RANKS} to the number of ranks of the job}}"',
    ]
    for operation, several in sorted(brackets(decisions).items()):
        for bracket in several:
            lines += ["", *_told(library, operation, bracket)]
    return "\n".join(lines) + "\n"


def settings(path: str, ranks: int) -> dict[str, str]:
    """The variables that the script sets for a job of so many ranks."""
    script = f'{_RANKS}=$1; . "$2"; env'
    words = ["sh", "-ec", script, "sh", str(ranks), os.path.abspath(path)]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    lines = (line.partition("=") for line in said.splitlines())
    return {name: value for name, _, value in lines if name.startswith(_VARIABLES)}


def told(library: Library, operation: str, algorithm: Algorithm) -> tuple[str, int]:
    """The variable and the algorithm's number. Raises LapwingError if there is none."""
    how = force("intel", operation, algorithm.name, 2)
    if how is None:
        raise LapwingError(f"{library}: no number is known for {operation} by {algorithm.name}")
    parameters = (algorithm.segment, algorithm.radix, algorithm.window)
    if any(value is not None for value in parameters):
        raise LapwingError(f"{library}: {operation} by {algorithm.name} has no parameters")
    ((variable, number),) = how.settings.items()
    return variable, int(number)


def _told(library: Library, operation: str, bracket: Bracket) -> list[str]:
    one = steps(bracket, operation, "Intel MPI's environment")
    where = _where(bracket)
    if any(algorithm is None for _, algorithm in one):
        return [f"# {operation}, {where}: left to Intel MPI, which is to choose at some sizes"]
    names = ", ".join(algorithm.name for _, algorithm in one if algorithm is not None)
    variable, value = _value(library, operation, bracket.first, one)
    return [
        f"# {operation}, {where}: {names}",
        f"if {_condition(bracket)}; then",
        f"    export {variable}='{value}'",
        "fi",
    ]


def _where(bracket: Bracket) -> str:
    if bracket.last is None:
        return f"{bracket.first} ranks and more"
    if bracket.last == bracket.first:
        return f"{bracket.first} ranks"
    return f"{bracket.first} to {bracket.last} ranks"


def _condition(bracket: Bracket) -> str:
    if bracket.last == bracket.first:
        return f'[ "${_RANKS}" -eq {bracket.first} ]'
    least = f'[ "${_RANKS}" -ge {bracket.first} ]'
    return least if bracket.last is None else f'{least} && [ "${_RANKS}" -le {bracket.last} ]'


def _value(library: Library, operation: str, ranks: int, one: Steps) -> tuple[str, str]:
    blocks = ranks if operation in _TOTAL else 1
    starts = [size * blocks for size, _ in one]
    parts = []
    variable = ""
    for i, (_, algorithm) in enumerate(one):
        assert algorithm is not None
        variable, number = told(library, operation, algorithm)
        end = starts[i + 1] - 1 if i + 1 < len(one) else _LARGEST
        if starts[i] <= _LARGEST:
            parts.append(f"{number}:{starts[i]}-{min(end, _LARGEST)}")
    return variable, ";".join(parts)
