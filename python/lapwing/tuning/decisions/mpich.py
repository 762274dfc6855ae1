"""The file that `MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE` names, as MPICH 4 and 5 read it.

The file is a tree of objects. Their keys are conditions; MPICH follows the first that holds, and a
key "algorithm=..." ends the search. The file replaces all of MPICH's own choices, so it must have
every collective: MPICH fails if it does not find one. Where MPICH is to choose by itself, its own
tree is repeated.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...errors import LapwingError
from ...launch.algorithms import force
from .library import Library
from .mpich_defaults import INTRA, Tree, leaf, others, whole
from .table import Algorithm, Bracket, Decision, Steps, brackets

# Collectives for which MPICH counts the bytes of all ranks, where we count those of one.
_TOTAL = ("allgather", "reduce_scatter", "reduce_scatter_block")
# Conditions under which an algorithm cannot be used, and the algorithm that is used then.
_ONLY_WHERE_BLOCKS_FILL = {
    ("allreduce", "reduce_scatter_allgather"): "recursive_doubling",
    ("allreduce", "ring"): "recursive_doubling",
    ("reduce", "reduce_scatter_gather"): "binomial",
}
# Algorithms that the settings of MPICH 4.0 do not know, and the version that has them.
LATER = {("allreduce", "ring"): ((4, 1), "allreduce", "ring")}
# What the file calls the parameters, by the ends of the names of MPICH's settings.
_PARAMETERS = {
    "_KVAL": "k",
    "_TREE_TYPE": "tree_type",
    "_CHUNK_SIZE": "chunk_size",
    "_IS_NON_BLOCKING": "is_non_blocking",
}
_LARGEST = (1 << 31) - 1
_PAGE = 4096


@dataclass(frozen=True)
class Told:
    """An algorithm as the file names it, with its parameters."""

    collective: str
    name: str
    parameters: tuple[tuple[str, str], ...] = ()


def selection(decisions: Iterable[Decision], library: Library) -> str:
    """The content of the file."""
    by_name = {
        collective_of(operation): (operation, several)
        for operation, several in brackets(decisions).items()
    }
    defaults = others(library)
    document = {}
    for name, default in INTRA.items():
        intra = _by_ranks(library, name, *by_name[name], default) if name in by_name else default
        document[f"collective={name}"] = _expanded(name, whole(name, intra))
    for name, tree in defaults.items():
        document[f"collective={name}"] = _expanded(name, tree)
    if unknown := by_name.keys() - INTRA.keys():
        raise LapwingError(
            f"{library}: there is nothing to choose for {', '.join(sorted(unknown))}"
        )
    content = json.dumps(document, indent=2) + "\n"
    # MPICH maps the file, and finds its end by the zeros after it in the last page.
    return content + "\n" if len(content) % _PAGE == 0 else content


def told(library: Library, operation: str, algorithm: Algorithm) -> Told:
    """How the file names `algorithm`. Raises LapwingError if it cannot."""
    made = _named(library, operation, algorithm.name)
    if made is None:
        raise LapwingError(f"{library}: no rule can name {operation} by {algorithm.name}")
    parameters = dict(made.parameters)
    for name, value in (("k", algorithm.radix), ("chunk_size", algorithm.segment)):
        if value is not None and name in parameters:
            parameters[name] = str(value)
        elif value is not None:
            raise LapwingError(f"{library}: {operation} by {algorithm.name} has no {name}")
    if algorithm.window is not None:
        raise LapwingError(f"{library}: {operation} by {algorithm.name} has no window")
    return Told(made.collective, made.name, tuple(parameters.items()))


def collective_of(operation: str) -> str:
    """MPICH's name of `operation`."""
    return "reduce_scatter_block" if operation == "reduce_scatter" else operation


def _named(library: Library, operation: str, name: str) -> Told | None:
    if later := LATER.get((operation, name)):
        since, collective, theirs = later
        return Told(collective, theirs) if library.at_least(*since) else None
    how = force("mpich", operation, name, 2)
    settings = dict(how.settings) if how else {}
    chosen = [key for key in settings if key.endswith("_INTRA_ALGORITHM")]
    if len(chosen) != 1:
        return None
    collective = chosen[0].removesuffix("_INTRA_ALGORITHM")
    theirs = settings.pop(chosen[0])
    settings.pop(f"{collective}_DEVICE_COLLECTIVE", None)
    parameters = {}
    for key, value in settings.items():
        end = next((end for end in _PARAMETERS if key.endswith(end)), None)
        if end is None or not library.at_least(4, 1):
            return None
        parameters[_PARAMETERS[end]] = value
    return Told(collective.lower(), theirs, tuple(parameters.items()))


def _by_ranks(
    library: Library, name: str, operation: str, several: Sequence[Bracket], default: Tree
) -> Tree:
    """The brackets by numbers of ranks.

    MPICH tests "comm_size<" as "<=" wherever other conditions stand above it, so the tree has "<="
    alone.
    """
    made: dict[str, Tree] = {}
    for bracket in several:
        if bracket.first > 1 and f"comm_size<={bracket.first - 1}" not in made:
            made[f"comm_size<={bracket.first - 1}"] = default
        tree = _by_ppn(library, name, operation, bracket, default)
        if bracket.last is None:
            return {**made, "comm_size=any": tree} if made else tree
        before = f"comm_size<={bracket.first - 1}"
        if made.get(before) == tree:
            del made[before]
        made[f"comm_size<={bracket.last}"] = tree
    return {**made, "comm_size=any": default}


def _by_ppn(library: Library, name: str, operation: str, bracket: Bracket, default: Tree) -> Tree:
    trees = {
        ppn: _by_size(library, name, operation, bracket.first, one, default)
        for ppn, one in bracket.by_ppn.items()
    }
    ppns = sorted(ppn for ppn in trees if ppn is not None)
    if len(ppns) < 2:
        (tree,) = trees.values()
        return tree
    made: dict[str, Tree] = {f"comm_avg_ppn<={ppn}": trees[ppn] for ppn in ppns}
    return {**made, "comm_size=any": default}


def _by_size(
    library: Library, name: str, operation: str, ranks: int, one: Steps, default: Tree
) -> Tree:
    key = "total_msg_size" if name in _TOTAL else "avg_msg_size"
    blocks = ranks if name in _TOTAL else 1
    trees = [
        default if algorithm is None else _leaf(told(library, operation, algorithm))
        for _, algorithm in one
    ]
    ends = [size * blocks for size, _ in one[1:]]
    made: dict[str, Tree] = {}
    for tree, end in zip(trees, ends, strict=False):
        if end > _LARGEST:
            made[f"{key}=any"] = tree
            return made
        made[f"{key}<{end}"] = tree
    return {**made, f"{key}=any": trees[-1]} if made else trees[-1]


def _leaf(taken: Told) -> Tree:
    theirs = leaf(f"intra_{taken.name}", **dict(taken.parameters))
    otherwise = _ONLY_WHERE_BLOCKS_FILL.get((taken.collective, taken.name))
    if otherwise is None:
        return theirs
    few = f"intra_{otherwise}"
    counted: Tree = {"count<pow2": few, "count=any": theirs}
    return {"is_op_built_in=yes": counted, "is_op_built_in=no": few}


def _expanded(collective: str, tree: Tree) -> dict[str, object]:
    if isinstance(tree, str):
        name, *parameters = tree.split()
        ended: dict[str, object] = {parameter: {} for parameter in parameters}
        return {f"algorithm=MPIR_{collective.capitalize()}_{name}": ended}
    return {key: _expanded(collective, below) for key, below in tree.items()}
