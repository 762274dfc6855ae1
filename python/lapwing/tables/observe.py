"""Tables of an observed program."""

from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..observing.savings import SIDES, hiding_computation
from ..results.call_site import call_site, site_name
from ..results.sentences import messages_in_words
from ..units import printable, show_seconds, show_share, show_size
from .layout import facts, table, titled, warnings

_WIDEST = 26  # characters
_VERDICTS = {  # short forms for a narrow column
    "little to gain": "little",
    "overlaps already": "overlaps",
    "nothing beside it": "alone",
    "nothing sent": "empty",
}


def observe_tables(document: dict[str, Any], most: int) -> list[RenderableType]:
    """The run, its exchanges by what overlap saves, and how to overlap them."""
    shown = document["exchanges"][:most]
    parts: list[RenderableType] = [_run(document), "", _exchanges(document, shown)]
    hidden = len(document["exchanges"]) - len(shown)
    if hidden > 0:
        parts.append(Text(f"and {hidden} more (--most)", style="dim"))
    for number, exchange in enumerate(shown, 1):
        if exchange["verdict"] == "worth it":
            parts += ["", _advice(document, exchange, number)]
    return [*parts, *warnings(_doubts(document))]


def _run(document: dict[str, Any]) -> RenderableType:
    time, computation = document["time"]["seconds"], document["computation"]["seconds"]
    share = f", {show_share(computation / time)} of it computation" if time else ""
    return facts(
        printable(" ".join(document["command"])),
        [
            ("ranks", str(document["ranks"])),
            ("time", f"{show_seconds(time)}{share}"),
            ("machine", _machine(document)),
        ],
    )


def _machine(document: dict[str, Any]) -> str:
    if document["machine"] is None:
        return "none: what there is to save at most"
    if document["same_machine"] is None:
        return f"{document['machine']}; whether the program ran there is not known (--on tells)"
    return str(document["machine"])


def _exchanges(document: dict[str, Any], shown: list[dict[str, Any]]) -> RenderableType:
    made = table(
        ("", "right"),
        ("where", "left"),
        ("pattern", "left"),
        ("volume", "right"),
        ("times", "right"),
        ("in calls", "right"),
        ("saves", "right"),
        ("", "left"),
    )
    for number, exchange in enumerate(shown, 1):
        spent = exchange["initiating"]["seconds"] + exchange["waiting"]["seconds"]
        made.add_row(
            str(number),
            _short(call_site(document["calls"][exchange["call"]])),
            exchange["pattern"] if exchange["operation"] == "messages" else exchange["operation"],
            show_size(exchange["volume"]) if exchange["volume"] else "",
            f"{exchange['count']:.4g}",
            show_seconds(spent * exchange["count"]),
            show_seconds(exchange["saved_in_all"]["seconds"]),
            _VERDICTS.get(exchange["verdict"], exchange["verdict"]),
        )
    at_most = "" if document["machine"] else " at most"
    return titled(f"Exchanges, by what overlapping each alone saves a rank{at_most}", made)


def _advice(document: dict[str, Any], exchange: dict[str, Any], number: int) -> RenderableType:
    calls = document["calls"]
    others = ", ".join(site_name(calls[member]) for member in exchange["members"])
    plan = exchange["plan"]
    side = exchange["hidden_behind"]
    compute = hiding_computation(exchange, side)
    rows = [
        ("begins", site_name(calls[exchange["call"]])),
        ("with", others),
        ("with peers", str(exchange["peers"]) if exchange["peers"] else ""),
        (
            "in calls",
            f"{show_seconds(exchange['initiating']['seconds'] + exchange['waiting']['seconds'])}"
            f" each, on the rank that waits least "
            f"{show_seconds(exchange['quickest_rank']['seconds'])}",
        ),
        ("hides behind", f"{show_seconds(compute)} of computation {SIDES[side]} it"),
        ("saves", f"{saved_in_words(exchange['saved'])} each"),
    ]
    if exchange["copy"]:
        copy = show_seconds(exchange["copy"]["seconds"])
        rows.append(("", f"and {copy} more if the program packs: send from its place"))
    if plan:
        rows.append(("messages", messages_in_words(plan)))
        rows.append(("window", f"{plan['window']} in flight"))
        predicted = show_seconds(plan["predicted"]["seconds"])
        rows.append(("predicted", f"{predicted} with that computation"))
    title = f"{number}: {exchange['pattern']} of {show_size(exchange['volume'])}"
    return facts(title, rows)


def saved_in_words(saved: dict[str, float]) -> str:
    """`19 us (18 us to 20 us)`: a saving and its range."""
    low, middle, high = (show_seconds(saved[name]) for name in ("low", "seconds", "high"))
    return middle if low == high else f"{middle} ({low} to {high})"


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def _doubts(document: dict[str, Any]) -> list[str]:
    said = []
    if document["same_machine"] is False:
        said.append(
            f"{document['machine']} is of another machine than {document['target']}, where the "
            "program ran: savings are those that it predicts for its own"
        )
    if document["computation"]["seconds"] == 0:
        said.append(
            "the program's computation takes no time, so nothing can hide its messages: "
            "under SimGrid charge it with smpi_execute"
        )
    if document["exit_status"] != 0:
        said.append(f"the program ended with status {document['exit_status']}")
    if not document["complete"]:
        said.append("not every rank reached MPI_Finalize: the report covers the time until then")
    if document["lost"]:
        said.append(f"{document['lost']} calls found no room in the table and are left out")
    return said
