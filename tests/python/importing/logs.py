"""Logs as tools print them, written to the working directory."""

from pathlib import Path

import pytest

from lapwing import Imported, LapwingError, import_logs


def written(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def imported(text: str, **said: object) -> Imported:
    return import_logs([written("log.txt", text)], **said)  # type: ignore[arg-type]


def cells(text: str, **said: object) -> list:
    measurements = imported(text, **said).measurements
    assert measurements is not None
    return list(measurements.cells)


def complaint(text: str, **said: object) -> str:
    with pytest.raises(LapwingError) as raised:
        imported(text, **said)
    return str(raised.value)


def rows(columns: dict[str, list], width: int = 12) -> str:
    """A table of words below each other, as tools print them."""
    return "".join(
        "".join(str(word).rjust(width) for word in row).lstrip() + "\n"
        for row in zip(*columns.values(), strict=True)
    )
