"""Time lines: what each rank does when, from a trace or a simulated plan."""

import json
import os
from typing import Any

from ..launch.scratch import scratch
from ..results.call_site import site_name
from ..units import show_seconds, show_share, show_size
from .intervals import MOST_INTERVALS, MOST_ROWS, intervals
from .spec import About, Row, Spec

# A plan of more messages would be a grey block.
_MOST_MESSAGES = 400
# What a rank of an observed program keeps, at most: `EventRing::most`.
_RING = "65,536 of a rank"


def traced(label: str, trace: dict[str, Any]) -> list[Spec]:
    """The time line of the first ranks of a trace, as far as it can be drawn."""
    rows, words = _rows(trace)
    about = About(f"time-{label}", f"Time line of {label}", words, "timeline")
    return _there(intervals(about, rows))


def _rows(trace: dict[str, Any]) -> tuple[list[Row], str]:
    """The rows of a trace as far as they can be drawn, and what they are."""
    names, busy = _events(trace)
    places = sorted({place for place, _ in busy})[:MOST_ROWS]
    titles = {place: names.get(place, f"rank {place[0]}") for place in places}
    rows: list[Row] = [
        {
            "row": titles[place],
            "what": what,
            "start_s": start,
            "end_s": start + length,
            "note": note,
        }
        for place, (start, length, what, note) in busy
        if place in titles
    ]
    drawn = sorted(rows, key=_start)[:MOST_INTERVALS]
    # Lines stand in the order of their ranks.
    drawn.sort(key=lambda row: list(titles.values()).index(row["row"]))
    words = "What each rank does when: " + ", ".join(sorted({row["what"] for row in drawn})) + "."
    if len(drawn) < len(busy):
        end = max(row["end_s"] for row in drawn)
        words += (
            f" Drawn are {len(drawn):,} of {len(busy):,} intervals: {len(titles)} rows, the first "
            f"{show_seconds(end)}; the file of the trace has all of them."
        )
    return drawn, words


def _start(row: Row) -> float:
    return float(row["start_s"])


_Place = tuple[int, int]
_Busy = tuple[float, float, str, str]


def _events(trace: dict[str, Any]) -> tuple[dict[_Place, str], list[tuple[_Place, _Busy]]]:
    """The names of the rows; and each interval: row, start and length (s), name, note."""
    processes: dict[int, str] = {}
    threads: dict[_Place, str] = {}
    busy: list[tuple[_Place, _Busy]] = []
    for event in trace["traceEvents"]:
        process, thread = event.get("pid", 0), event.get("tid", 0)
        if event["name"] == "process_name":
            processes[process] = event["args"]["name"]
        elif event["name"] == "thread_name":
            threads[process, thread] = event["args"]["name"]
        elif event["ph"] == "X":
            note = ", ".join(f"{name} {value}" for name, value in event.get("args", {}).items())
            times = (event["ts"] * 1e-6, event["dur"] * 1e-6, event["name"], note)
            busy.append(((process, thread), times))
    names = {
        (process, thread): " ".join(
            word
            for word in (
                processes.get(process, f"rank {process}"),
                threads.get((process, thread), ""),
            )
            if word
        )
        for (process, thread), _ in busy
    }
    return names, busy


def observed(label: str, document: dict[str, Any]) -> list[Spec]:
    """The time line of an observed program, if it was recorded."""
    line = document.get("timeline")
    if not line or not line["intervals"]:
        return []
    begin = line["begin"]
    ranks = sorted({interval["rank"] for interval in line["intervals"]})
    calls = document["calls"]
    rows = [
        {
            "row": f"rank {each['rank']}",
            "what": each["what"],
            "start_s": max(0.0, each["start"] - begin),
            "end_s": max(0.0, each["end"] - begin),
            "note": "" if each["call"] is None else site_name(calls[each["call"]]),
        }
        for each in sorted(line["intervals"], key=lambda each: int(each["rank"]))
    ]
    arrows = [
        {
            "row": f"rank {each['from']}",
            "to": f"rank {each['to']}",
            "start_s": each["sent"] - begin,
            "end_s": each["arrived"] - begin,
            "note": f"{show_size(each['bytes'])}, tag {each['tag']}",
        }
        for each in line["messages"]
        if each["from"] in ranks and each["to"] in ranks
    ]
    words = (
        f"What {len(ranks)} of {document['ranks']} ranks do, from {show_seconds(begin)} after the "
        f"beginning, to {show_seconds(line['end'])}: computation, the initiation of communication, "
        "and exposed communication, while a rank waits in MPI. Lines are messages, from the call "
        f"that sends to the end of the one that completes the receive.{_dropped(line)}"
    )
    about = About(f"time-{label}", f"Time line of {label}", words, "timeline")
    return _there(intervals(about, rows, arrows))


def _dropped(line: dict[str, Any]) -> str:
    """What the time line does not have."""
    said = ""
    if line["kept"] < line["recorded"]:
        said += f" The latest {line['kept']:,} of {line['recorded']:,} events were kept, {_RING}."
    if line["unmatched"]:
        said += f" Of {line['unmatched']:,} ends of messages the other one is not known."
    return said


def plan_timeline(profile: Any, plan: dict[str, Any], label: str) -> list[Spec]:
    """The time line of a stream's plan, simulated on the machine that `profile` describes.

    Empty for other patterns, and for plans of too many messages.
    """
    from ..prediction.schedules import read, run_schedule

    sizes = plan["messages"]
    if plan["pattern"] != "stream" or plan["direction"] != "fetch" or not sizes:
        return []
    if len(sizes) > _MOST_MESSAGES or not plan["compute"]["seconds"]:
        return []
    with scratch() as folder:
        path = folder / "plan.goal"
        path.write_text(_goal(plan), encoding="utf-8")
        result = run_schedule(read(os.fspath(path)), profile=profile, trace=True)
    assert result.trace is not None
    finish, predicted = float(str(result.finish_ns)) * 1e-9, plan["predicted"]["seconds"]
    words = (
        f"A plan of {len(sizes)} messages for {show_size(plan['volume'])}, played event by event "
        "on the profile: rank 0 sends while rank 1 computes on what has come. It ends after "
        f"{show_seconds(finish)}, {show_share(abs(finish / predicted - 1), 1)} from what the plan "
        f"predicts; blocking takes {show_seconds(plan['blocking']['seconds'])}."
    )
    about = About(f"steps-{label}", f"Steps of the plan, {label}", words, "timeline")
    return _there(intervals(about, _rows(json.loads(result.trace))[0]))


def _there(made: Spec | None) -> list[Spec]:
    return [made] if made else []


def _goal(plan: dict[str, Any]) -> str:
    """The plan as a GOAL schedule, with as many receives pending as its window has messages."""
    sizes, window = plan["messages"], plan["window"]
    nanoseconds = plan["compute"]["seconds"] / plan["volume"] * 1e9
    sends, receives = [], []
    for k, size in enumerate(sizes):
        sends.append(f"s{k}: send {size}b to 1 tag {k}")
        receives.append(f"r{k}: recv {size}b from 0 tag {k}")
        receives.append(f"c{k}: calc {round(nanoseconds * size)}")
        receives.append(f"c{k} requires r{k}")
        if k:
            sends.append(f"s{k} requires s{k - 1}")
            receives.append(f"c{k} requires c{k - 1}")
        if k >= window:
            receives.append(f"r{k} requires c{k - window}")
    return "\n".join(["num_ranks 2", "rank 0 {", *sends, "}", "rank 1 {", *receives, "}", ""])
