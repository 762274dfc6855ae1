"""Tables of the algorithms chosen for an MPI."""

import os
import shlex
from typing import Any

from rich.console import Group
from rich.text import Text

from ..units import show_share, show_size
from .layout import table, titled
from .numbers import microseconds


def tune_tables(document: dict[str, Any]) -> list[Group | Text]:
    """The tables of a tune document."""
    rules = [rule for rule in document["rules"] if rule["algorithm"] is not None]
    made: list[Group | Text] = [_rules(document, rules)] if rules else []
    kept = len(document["rules"]) - len(rules)
    if not rules:
        name = document["library"]["name"]
        if document["measured"] is None:
            made.append(Text(f"{name} chooses well by itself everywhere."))
        else:
            made.append(Text(f"No rule is sure enough: {name} chooses everywhere."))
    elif kept:
        what = "rule leaves" if kept == 1 else "rules leave"
        made.append(Text(f"\n{kept} more {what} the choice to {document['library']['name']}."))
    if document["measured"] is not None:
        made += [
            Text(f"Left out of the measurements: {note}.") for note in document["measured"]["notes"]
        ]
    if document["suggested"]:
        made += [Text(), _suggested(document["suggested"])]
    if document["verified"]:
        made += [Text(), _verified(document)]
    if document["file"] is not None:
        made.append(Text(f"\nThe rules are in {document['file']}; to use them:"))
        made.append(Text(_usage(document["for"], document["file"]), no_wrap=True))
    return made


def _suggested(cases: list[dict[str, Any]]) -> Group:
    made = table(
        ("collective", "left"),
        ("algorithm", "left"),
        ("ranks", "right"),
        ("on a node", "right"),
        ("size", "right"),
    )
    for case in cases:
        made.add_row(
            case["operation"],
            case["algorithm"] or "own choice",
            str(case["ranks"]),
            str(case["ppn"]),
            show_size(case["size"]),
        )
    return titled("Worth measuring next", made)


def _usage(mpi: str, path: str) -> str:
    there = shlex.quote(path) if os.path.isabs(path) else f'"$PWD"/{shlex.quote(path)}'
    if mpi == "intel":
        return f"  RANKS=64; . {there}    # the number of ranks of the job"
    if mpi == "mpich":
        return f"  export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={there}"
    return (
        "  export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"
        f"  export OMPI_MCA_coll_tuned_dynamic_rules_filename={there}"
    )


def _rules(document: dict[str, Any], rules: list[dict[str, Any]]) -> Group:
    made = table(
        ("collective", "left"),
        ("ranks", "right"),
        ("from", "right"),
        ("algorithm", "left"),
        ("us", "right"),
        ("default", "left"),
        ("us", "right"),
        ("gain", "right"),
    )
    for rule in rules:
        at = _most_gained(rule)
        default = rule["default"]
        made.add_row(
            rule["operation"],
            str(rule["ranks"]),
            show_size(rule["from"]),
            rule["algorithm"],
            microseconds(rule["predicted"][at]["seconds"]),
            ", ".join(rule["default_algorithms"]) or "?",
            microseconds(default[at]["seconds"]) if default else "?",
            f"{rule['gain']:.2f}" if rule["gain"] is not None else "?",
        )
    return titled(
        f"Rules for {document['library']['name']} (times where each rule gains most)",
        made,
    )


def _most_gained(rule: dict[str, Any]) -> int:
    if not rule["default"]:
        return 0
    pairs = zip(rule["default"], rule["predicted"], strict=True)
    gains = [a["seconds"] / b["seconds"] if b["seconds"] else 1.0 for a, b in pairs]
    return gains.index(max(gains))


def _verified(document: dict[str, Any]) -> Group:
    made = table(
        ("collective", "left"),
        ("ranks", "right"),
        ("size", "right"),
        ("algorithm", "left"),
        ("us", "right"),
        ("default us", "right"),
        ("error", "right"),
        ("", "left"),
    )
    kept = {
        (rule["operation"], rule["ranks"], size)
        for rule in document["rules"]
        if rule["algorithm"] is not None
        for size in rule["sizes"]
    }
    for entry in document["verified"]:
        place = (entry["operation"], entry["ranks"], entry["size"])
        made.add_row(
            entry["operation"],
            str(entry["ranks"]),
            show_size(entry["size"]),
            entry["algorithm"],
            microseconds(entry["tuned"]["seconds"]),
            microseconds(entry["default"]["seconds"]),
            show_share(entry["error"], 1),
            "" if place in kept else "dropped",
        )
    return titled("Timed with the rules and without", made)
