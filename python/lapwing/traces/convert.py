"""Which format a trace has, and its recording."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import LapwingError
from . import FORMATS, chakra, dumpi, kineto, kineto_events, otf2, otf2_archive
from .program import Program


@dataclass(frozen=True)
class Format:
    """A format of traces.

    recognise: whether a file is one of its files. read: makes the recording of these files, with
    the parts of ranks in a directory. per_rank: there is a file for each rank; numbered: and the
    last number in its name is the rank's.
    """

    recognise: Callable[[Path], bool]
    read: Callable[[Sequence[Path], Path], Program]
    per_rank: bool
    numbered: bool = False


READERS = {
    "otf2": Format(otf2_archive.is_archive, otf2.read, per_rank=False),
    "dumpi": Format(dumpi.recognise, dumpi.read, per_rank=True, numbered=True),
    "kineto": Format(kineto_events.recognise, kineto.read, per_rank=True),
    "chakra": Format(chakra.recognise, chakra.read, per_rank=True, numbered=True),
}


def convert(inputs: Sequence[str], directory: Path, kind: str | None = None) -> Program:
    """The recording of a trace.

    inputs: its file, its directory, or the files of its ranks. directory: for the parts of ranks.
    kind: one of FORMATS; None, found out. Raises LapwingError for what is no trace.
    """
    kinds = [kind] if kind else list(FORMATS)
    found: dict[str, list[Path]] = {}
    for name in inputs:
        for file in _files(Path(name)):
            known = [each for each in kinds if _is(each, file)]
            if known:
                found.setdefault(known[0], []).append(file)
            elif not Path(name).is_dir():
                raise LapwingError(f"{name}: {_unknown(kind)}")
    if not found:
        raise LapwingError(f"{inputs[0]}: {_unknown(kind)}")
    if len(found) > 1:
        names = " and ".join(sorted(found))
        raise LapwingError(f"{inputs[0]}: holds traces of {names}; say which by --from")
    [(kind, files)] = found.items()
    form = READERS[kind]
    if not form.per_rank and len(files) > 1:
        raise LapwingError(f"{files[1]}: is another trace than {files[0]}; name one")
    files = in_order(files)
    if form.numbered:
        _check_numbers(files)
    return form.read(files, directory)


def in_order(files: Sequence[Path]) -> list[Path]:
    """Files by their names, numbers in them by their values."""

    def key(file: Path) -> list[tuple[int, str]]:
        parts = re.split(r"(\d+)", file.name)
        return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]

    return sorted(files, key=key)


def _check_numbers(files: Sequence[Path]) -> None:
    """Refuse files of ranks of which one is missing between the others."""
    found = [re.findall(r"\d+", file.name) for file in files]
    if len(files) < 2 or not all(found):
        return
    ranks = [int(each[-1]) for each in found]
    for before, after, file in zip(ranks, ranks[1:], files[1:], strict=False):
        if after > before + 1:
            raise LapwingError(f"{file}: is of rank {after}, and there is none of {before + 1}")


def _files(path: Path) -> list[Path]:
    try:
        if path.is_dir():
            return [each for each in sorted(path.iterdir()) if each.is_file()]
        os.stat(path)
    except OSError as error:
        raise LapwingError(f"{path}: cannot read: {error.strerror}") from None
    return [path]


def _is(kind: str, file: Path) -> bool:
    try:
        return READERS[kind].recognise(file)
    except OSError as error:
        raise LapwingError(f"{file}: cannot read: {error.strerror}") from None


def _unknown(kind: str | None) -> str:
    return f"is no trace of {kind}" if kind else f"is no trace of {', '.join(FORMATS)}"
