"""The rooms of the library import one way, and the pure ones never see MPI."""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "lapwing"

# In the order of the way: a pure room may include itself and what stands before it.
PURE = ["profile", "model", "simulate", "predict", "plan", "io"]
# The same of those that move bytes, and what each may include of the pure ones.
MOVING: dict[str, list[str]] = {
    "compute": [],
    "transport": [],
    "pipeline": PURE,
    "calibrate": PURE,
    "fft": PURE,
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def includes(room: str) -> list[tuple[Path, str]]:
    return [
        (file, header)
        for file in sorted((SOURCE / room).glob("**/*.[ch]pp"))
        for header in INCLUDE.findall(file.read_text())
    ]


def room_of(file: Path, header: str) -> str | None:
    """The room a header of ours is in, None for everybody else's."""
    for base in (SOURCE.parent, file.parent):
        path = (base / header).resolve()
        if path.is_file() and path.is_relative_to(SOURCE):
            return path.relative_to(SOURCE).parts[0]
    return None


def test_there_are_rooms() -> None:
    assert all((SOURCE / room).is_dir() for room in PURE)


def test_pure_rooms_know_no_mpi() -> None:
    offenders = [
        f"{file.relative_to(SOURCE)}: {header}"
        for room in PURE
        for file, header in includes(room)
        if header in ("mpi.h", "shmem.h") or header.startswith("smpi/")
    ]
    assert not offenders


def test_pure_rooms_include_one_way() -> None:
    offenders = [
        f"{file.relative_to(SOURCE)}: {header}"
        for position, room in enumerate(PURE)
        for file, header in includes(room)
        if (used := room_of(file, header)) is not None and used not in PURE[: position + 1]
    ]
    assert not offenders


def test_rooms_that_move_bytes_include_one_way() -> None:
    before: set[str] = set()
    offenders = []
    for room, pure in MOVING.items():
        offenders += [
            f"{file.relative_to(SOURCE)}: {header}"
            for file, header in includes(room)
            if (used := room_of(file, header)) is not None and used not in {room, *before, *pure}
        ]
        before.add(room)
    assert not offenders


def test_only_io_knows_json() -> None:
    offenders = [
        f"{file.relative_to(SOURCE)}: {header}"
        for room in PURE[:-1]
        for file, header in includes(room)
        if header.startswith("nlohmann/")
    ]
    assert not offenders


def test_only_fft_knows_fftw() -> None:
    rooms = [room.name for room in SOURCE.iterdir() if room.is_dir() and room.name != "fft"]
    offenders = [
        f"{file.relative_to(SOURCE)}: {header}"
        for room in rooms
        for file, header in includes(room)
        if header == "fftw3.h" or room_of(file, header) == "fft"
    ]
    assert not offenders
