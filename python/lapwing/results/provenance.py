"""Where a document comes from: target, date, version and command.

Each document of a command has it in its field `provenance`. A profile has it in `machine`.
"""

import os
import time
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]

# What these say of themselves is in fields that their readers know.
_OWN = ("profile", "learnt")

_this_run: dict[str, str] = {}


@dataclass(frozen=True)
class Provenance:
    """What a document says of its origin; empty where it says nothing."""

    target: str = ""
    date: str = ""
    version: str = ""
    command: str = ""

    @property
    def simulated(self) -> bool:
        """Whether it is of a simulated cluster, on which nothing else runs."""
        return self.target.startswith("sim:")


def begin(command: str, target: str | None) -> None:
    """Note the command line of this run, and the target that it names, for `with_provenance`."""
    _this_run.clear()
    _this_run["command"] = command
    if target is not None:
        _this_run["target"] = target


def with_provenance(document: Document) -> Document:
    """The document with the provenance of this run, after its field `lapwing`.

    The date is SOURCE_DATE_EPOCH where that is set: then a document comes out again.
    """
    kind = document.get("lapwing")
    if not _this_run or kind is None or kind in _OWN or "provenance" in document:
        return document
    return {"lapwing": kind, "provenance": _of_this_run(), **document}


def trace_with_provenance(text: str) -> str:
    """The same for the text of a trace, which may be long: its last field is the provenance."""
    return text.removesuffix(_END) + _last_field() if _this_run else text


def add_to_trace(path: str) -> None:
    """The same for the file of a trace that ranks have written."""
    with open(path, "r+b") as file:
        file.seek(-len(_END), os.SEEK_END)
        if _this_run and file.read() == _END.encode():
            file.seek(-len(_END), os.SEEK_END)
            file.write(_last_field().encode())


_END = "}\n"  # of the text of a trace


def _last_field() -> str:
    import json

    return f',"provenance":{json.dumps(_of_this_run(), ensure_ascii=False)}{_END}'


def _of_this_run() -> dict[str, str]:
    from importlib.metadata import version

    epoch = float(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    return {**_this_run, "date": date, "version": version("lapwing")}


def provenance_of(document: Document) -> Provenance:
    """The provenance of a document, as far as it says it; a profile says its version, too."""
    said = document.get("provenance") or document.get("machine")
    if not isinstance(said, dict):
        said = {}
    known = {name: str(said.get(name) or "") for name in ("target", "date", "version", "command")}
    known["version"] = known["version"] or str(said.get("lapwing") or "")
    if not known["target"]:
        known["target"] = str(document.get("target") or "")
    return Provenance(**known)
