"""The file that MPICH's `MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE` names, as MPICH 4.0 reads it.

The file is a tree of objects. Their keys are conditions; MPICH follows the first that holds, and a
key "algorithm=..." ends the search. The file replaces all of MPICH's own choices, so it must have
every collective: MPICH fails if it does not find one.
"""

import json
from collections.abc import Sequence

from ...launch.algorithms import force
from ..tune import Choice, Rule
from . import with_rules
from .mpich_defaults import INTRA, OTHERS, Tree, whole

# Collectives for which MPICH counts the bytes of all ranks, where we count those of one.
_TOTAL = ("allgather", "reduce_scatter", "reduce_scatter_block")
# Conditions under which an algorithm cannot be used, and the algorithm that is used then.
_ONLY_WHERE_BLOCKS_FILL = {
    "allreduce": ("reduce_scatter_allgather", "recursive_doubling"),
    "reduce": ("reduce_scatter_gather", "binomial"),
}
_LARGEST = (1 << 31) - 1
_PAGE = 4096


def selection(choices: Sequence[Choice]) -> str:
    """The content of the file."""
    by_name = {
        _setting(several[0].operation, algorithm)[0]: several
        for algorithm, several in with_rules(choices)
    }
    document = {}
    for name, default in INTRA.items():
        intra = _by_ranks(name, by_name[name]) if name in by_name else default
        document[f"collective={name}"] = _expanded(name, whole(name, intra))
    for name, tree in OTHERS.items():
        document[f"collective={name}"] = _expanded(name, tree)
    content = json.dumps(document, indent=2) + "\n"
    # MPICH maps the file, and finds its end by the zeros after it in the last page.
    return content + "\n" if len(content) % _PAGE == 0 else content


def _setting(operation: str, algorithm: str) -> tuple[str, str]:
    """MPICH's names of the collective and of the algorithm."""
    how = force("mpich", operation, algorithm, 2)
    assert how is not None
    key = next(key for key in how.settings if key.endswith("_INTRA_ALGORITHM"))
    return key.removesuffix("_INTRA_ALGORITHM").lower(), how.settings[key]


def _by_ranks(name: str, choices: Sequence[Choice]) -> Tree:
    """The choices by numbers of ranks.

    Below the first number and from twice the last on, where nothing was predicted, MPICH chooses.
    """
    default = INTRA[name]
    steps: list[tuple[int, Tree]] = [(choices[0].ranks, default)] if choices[0].ranks > 2 else []
    ends = [*(choice.ranks for choice in choices[1:]), 2 * choices[-1].ranks]
    for choice, end in zip(choices, ends, strict=True):
        tree = _by_size(name, choice, choice.rules)
        if choice.anywhere is not None:
            others = _by_size(name, choice, choice.anywhere)
            tree = {"comm_size=pow2": tree, "comm_size=any": others}
        if steps and steps[-1][1] == tree:
            steps.pop()
        steps.append((end, tree))
    if steps[-1][1] == default:
        steps.pop()
    made: dict[str, Tree] = {f"comm_size<{end}": tree for end, tree in steps}
    return {**made, "comm_size=any": default} if made else default


def _by_size(name: str, choice: Choice, rules: Sequence[Rule]) -> Tree:
    key = "total_msg_size" if name in _TOTAL else "avg_msg_size"
    blocks = choice.ranks if name in _TOTAL else 1
    trees = [_leaf(name, choice.operation, rule) for rule in rules]
    ends = [rule.size * blocks for rule in rules[1:]]
    made: dict[str, Tree] = {}
    for tree, end in zip(trees, ends, strict=False):
        if end > _LARGEST:
            made[f"{key}=any"] = tree
            return made
        made[f"{key}<{end}"] = tree
    return {**made, f"{key}=any": trees[-1]} if made else trees[-1]


def _leaf(name: str, operation: str, rule: Rule) -> Tree:
    if rule.algorithm is None:
        return INTRA[name]
    _, theirs = _setting(operation, rule.algorithm)
    limited, otherwise = _ONLY_WHERE_BLOCKS_FILL.get(name, ("", ""))
    if theirs != limited:
        return f"intra_{theirs}"
    few = f"intra_{otherwise}"
    counted: Tree = {"count<pow2": few, "count=any": f"intra_{theirs}"}
    return {"is_op_built_in=yes": counted, "is_op_built_in=no": few}


def _expanded(collective: str, tree: Tree) -> dict[str, object]:
    if isinstance(tree, str):
        return {f"algorithm=MPIR_{collective.capitalize()}_{tree}": {}}
    return {key: _expanded(collective, below) for key, below in tree.items()}
