"""Programs that tests write down, and recordings read back."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lapwing._core import Recording, encode_record

import lapwing
from lapwing.prediction.recordings import write_recording
from lapwing.traces.convert import convert

Record = dict[str, Any]

MACHINE = {"L": 2500, "o": 1500, "G": 6}


def recording_of(folder: Path, ranks: Sequence[Sequence[Record]]) -> Recording:
    """A recording of these records."""
    parts = []
    for rank, records in enumerate(ranks):
        part = folder / f"part.{rank}"
        part.write_bytes(b"".join(map(encode_record, records)))
        parts.append((part, part.stat().st_size))
    path = folder / "written.lwt"
    with open(path, "wb") as file:
        write_recording(file, {"lapwing": "recording"}, parts)
    return Recording(str(path))


def converted(folder: Path, *inputs: Path, kind: str | None = None) -> Recording:
    """The recording of a trace."""
    parts = folder / "parts"
    parts.mkdir(exist_ok=True)
    program = convert([str(each) for each in inputs], parts, kind)
    path = folder / "converted.lwt"
    with open(path, "wb") as file:
        program.write(file)
    assert not list(parts.iterdir())
    return Recording(str(path))


def plain(recording: Recording, rank: int) -> list[Record]:
    """The records of a rank, without call sites and what tells communicators apart."""
    return [
        {key: value for key, value in record.items() if key not in ("site", "context")}
        for record in recording.records(rank)
    ]


def calls(recording: Recording, rank: int) -> list[Record]:
    """The same without times, communicators' records and the end."""
    return [
        {key: value for key, value in record.items() if key not in ("computed", "duration")}
        for record in plain(recording, rank)
        if record["kind"] not in ("communicator", "finish")
    ]


def notes(recording: Recording) -> list[str]:
    """What the conversion left out."""
    found: list[str] = json.loads(recording.description)["converted"]["notes"]
    return found


def times(recording: Recording) -> list[int]:
    """When each rank ends on MACHINE, nanoseconds."""
    played = lapwing.replay(recording, parameters=MACHINE)
    return [round(time.seconds * 1e9) for time in played.rank_times]
