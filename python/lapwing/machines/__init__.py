"""Published machines: profiles made from figures that papers print, each with its source."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the machines that come with Lapwing."""
    return sorted(file.stem for file in _FOLDER.glob("*.json"))


def find(name: str) -> Path | None:
    """The file with the profile of the machine `name`; None if there is no such machine."""
    return _FOLDER / f"{name}.json" if name in names() else None
