"""Records that are written from Python: what is read back, and what no record can have."""

from pathlib import Path
from typing import Any

import pytest
from lapwing._core import encode_record
from programs import recording_of

from lapwing.traces import FORMATS
from lapwing.traces.convert import READERS

LARGEST = (1 << 64) - 1
CALL = {"computed": 5, "duration": LARGEST, "site": 3}
MESSAGE = {"peer": 1, "tag": 7, "bytes": LARGEST}
COLLECTIVE = {"communicator": 1, "root": 1, "bytes": 9}


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {
            "kind": "communicator",
            "communicator": 1,
            "context": LARGEST,
            "members": [(1, -1, 2), (2, 1, 1)],
        },
        {"kind": "send", "communicator": 1, "sent": MESSAGE},
        {"kind": "receive", "communicator": 0, "received": MESSAGE | {"peer": -1, "tag": -1}},
        {"kind": "send_receive", "communicator": 1, "sent": MESSAGE, "received": MESSAGE},
        {"kind": "start_send", "communicator": 0, "sent": MESSAGE | {"peer": -2}, "request": 0},
        {"kind": "start_receive", "communicator": 0, "received": MESSAGE, "request": 1},
        {"kind": "wait", "requests": [1, 0]},
        {"kind": "forget", "request": 1},
        {"kind": "collective", "collective": "barrier", **COLLECTIVE},
        {"kind": "start_collective", "collective": "alltoallv", "request": 2, **COLLECTIVE},
        {"kind": "collective", "collective": "gatherv", "blocks": [1, LARGEST, 3], **COLLECTIVE},
        {"kind": "other"},
    ]
    records = [each if "members" in each else each | CALL for each in records]
    records.append({"kind": "finish", "computed": 8})
    recording = recording_of(tmp_path, [records, [], []])
    assert list(recording.records(0)) == records
    assert b"".join(map(encode_record, recording.records(0))) == b"".join(
        map(encode_record, records)
    )


def test_every_format_has_a_reader() -> None:
    assert list(READERS) == list(FORMATS)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"kind": "whatever"},
        {"kind": "collective", "collective": "whatever"},
        {"kind": "send", "computed": -1},
        {"kind": "send", "computed": 1 << 64},
        {"kind": "send", "computed": 0.5},
        {"kind": "wait", "requests": [-1]},
        {"kind": "send", "sent": MESSAGE | {"peer": 1 << 63}},
    ],
)
def test_what_no_record_can_have(record: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a record"):
        encode_record(record)
