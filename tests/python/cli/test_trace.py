"""`--trace` of runs and sweeps: a time line with arrows, and the simulated times of without."""

import json
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

WORKLOAD = ["--volume", "64KB", "--ratio", "1"]


@pytest.mark.parametrize(
    "words",
    [
        ["run", "stream", "machine.json", "--on", "sim:ib4x", *WORKLOAD],
        ["run", "alltoall", "machine.json", "--on", "sim:ib4x:3", *WORKLOAD],
        ["run", "ft", "--on", "sim:ib4x:2"],
        ["run", "fft", "--size", "16", "--schedule", "slabs", "--on", "sim:ib4x:2"],
        ["sweep", "machine.json", "--on", "sim:ib4x", *WORKLOAD, "--repeat", "1"],
    ],
)
def test_runs(lapwing: Lapwing, machine: str, tmp_path: Path, words: list[str]) -> None:
    plain = lapwing(*words, "--json")
    traced = lapwing(*words, "--trace", "trace.json", "--json")
    assert plain.status == traced.status
    assert traced.err == ""
    compare = json.loads(plain.out), json.loads(traced.out)
    for name in ("seconds", "planned", "blocking"):
        if name in compare[0]:
            assert compare[1][name] == pytest.approx(compare[0][name], rel=1e-9)
    trace = json.loads((tmp_path / "trace.json").read_text())
    check("trace", trace)
    assert trace["provenance"]["command"].startswith(f"lapwing {words[0]} ")
    kinds = {event["ph"] for event in trace["traceEvents"]}
    assert kinds == {"M", "X", "s", "f"}
    begins = [event["id"] for event in trace["traceEvents"] if event["ph"] == "s"]
    ends = [event["id"] for event in trace["traceEvents"] if event["ph"] == "f"]
    assert sorted(begins) == sorted(ends)
    said = lapwing(*words, "--trace", "trace.json").complaint
    assert "trace.json: exists already" in said
