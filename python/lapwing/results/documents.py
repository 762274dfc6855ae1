"""Reading result documents from files."""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _core
from ..errors import LapwingError, did_you_mean
from .provenance import Provenance, provenance_of

# The documents that a page can show, by the value of their field `lapwing`.
KINDS = {
    "profile": "what a machine measured like",
    "sweep": "a workload in equal messages of every size, and the plan",
    "sweeps": "the same over several volumes",
    "demo": "profiles and sweeps of a demonstration",
    "plan": "the messages of a workload",
    "sensitivity": "what depends on a computation's length",
    "validate": "measured operations and their predictions",
    "predict": "what an operation will cost",
    "compress": "a run of parallel compression",
    "compress-sweep": "compression with every tile and window",
    "ft": "a run of NAS FT",
    "nas": "a run of NAS MG, CG or IS",
    "fft": "transforms by several schedules",
    "triangulation": "a run of the triangulation",
    "observe": "what a program exchanges",
    "doctor": "whether an installation overlaps",
    "simulate": "how long a schedule took",
    "replay": "a recorded program on another machine",
    "tune": "which algorithms an MPI should use",
    "trace": "who did what when",
    "measurements": "what collectives took on real machines",
    "fit": "a machine's costs, fitted to measured collectives",
}


@dataclass(frozen=True)
class Result:
    """One document.

    kind: a key of KINDS except "sweeps" and "demo", which are taken apart.  label: a short name,
    unlike that of others of its kind.  path: of its file.
    """

    kind: str
    label: str
    path: str
    document: dict[str, Any]

    @property
    def provenance(self) -> Provenance:
        """Where the document comes from."""
        return provenance_of(self.document)


def load(path: str) -> list[Result]:
    """The results in a file, which may be several. Raises LapwingError."""
    return results_in(_read(path), path)


def results_in(document: Any, path: str) -> list[Result]:
    """The results in a document whose file is, or will be, `path`. Raises LapwingError."""
    kind = _kind(path, document)
    label = Path(path).name.removesuffix(".json")
    with naming_files(Result(kind, label, path, document)):
        if kind == "sweeps":
            sweeps = (_of_whole(document, each) for each in document["sweeps"])
            return [Result("sweep", label, path, sweep) for sweep in sweeps]
        if kind == "profile":
            return [Result(kind, label, path, _upgraded(document))]
        if kind == "demo":
            return [
                each
                for network in document["networks"]
                for each in _network(document, network, path)
            ]
    return [Result(kind, label, path, document)]


def results_of(*given: Any) -> list[Result]:
    """The results that a program has, or that files have.

    given: results of functions of Lapwing, documents as dicts, or paths. Raises LapwingError.
    """
    found: list[Result] = []
    for each in given:
        if isinstance(each, str | os.PathLike):
            found += load(os.fspath(each))
            continue
        document = getattr(each, "document", each)
        kind = _kind("a result", document)
        same = sum(result.kind == kind for result in found)
        found += results_in(document, f"{kind} {same + 1}" if same else kind)
    return found


@contextlib.contextmanager
def naming_files(*results: Result) -> Iterator[None]:
    """Turn errors from missing or malformed fields into a LapwingError that names the files."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        paths = ", ".join(dict.fromkeys(result.path for result in results))
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise LapwingError(f"{paths}: no whole {results[0].kind} document: {what}") from None


def _network(demo: dict[str, Any], network: dict[str, Any], path: str) -> Iterator[Result]:
    target = network["target"]
    yield Result("profile", target, path, _upgraded(network["profile"]))
    for sweep in network["sweeps"]:
        yield Result("sweep", target, path, {"target": target, **_of_whole(demo, sweep)})


def _of_whole(whole: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """A part of a document with the provenance of the whole."""
    return {"provenance": whole["provenance"], **part} if "provenance" in whole else part


def _upgraded(profile: dict[str, Any]) -> dict[str, Any]:
    """A profile document of any version, in the present form. ValueError if it is none."""
    upgraded: dict[str, Any] = json.loads(_core.upgraded_profile(json.dumps(profile)))
    return upgraded


def _read(path: str) -> Any:
    try:
        return json.loads(Path(path).read_bytes(), parse_constant=_refuse)
    except OSError as error:
        raise LapwingError(f"{path}: cannot read the result: {error.strerror}") from None
    except (ValueError, RecursionError):  # ValueError: also a null character in the path
        raise LapwingError(f"{path}: not a JSON document, or one cut short") from None


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _kind(path: str, document: Any) -> str:
    found = document.get("lapwing") if isinstance(document, dict) else None
    if found is None and isinstance(document, dict) and "schema_version" in document:
        found = "profile"  # early profiles have no field `lapwing`
    if not isinstance(found, str):
        raise LapwingError(
            f'{path}: no result of Lapwing: it has no "lapwing" that says which; make it with '
            "--json or -o"
        )
    if found not in KINDS:
        near = did_you_mean(found, list(KINDS))
        raise LapwingError(
            f'{path}: a "{found}" has nothing to show{near}; there are {", ".join(KINDS)}'
        )
    return found
