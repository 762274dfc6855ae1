#!/usr/bin/env python3
"""Bell, Bonachea, Nishtala and Yelick (2006) on simulated clusters.

figure10    NAS FT by the exchange, slabs and pencils, two-sided and one-sided, by phases, with
            the most that any one-sided schedule could be ahead
tapers      a transform by exchange, slabs and pencils on fat trees with fewer and fewer links
            above their leaf switches, measured beside predicted

build/venv/bin/python bench/bell.py figure10 --on sim:jacquard:16 --class A
build/venv/bin/python bench/bell.py tapers --sizes 64 128
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from command import BIN, lapwing

WAYS = [
    "exchange:collective",
    "exchange:two-sided",
    "exchange:rma",
    "slabs:two-sided",
    "slabs:rma",
    "pencils:two-sided",
    "pencils:rma",
]
# What is neither computation nor part of a message: nothing that a transport could save.
MESSAGES = ("packing", "initiation", "completion", "waiting")

TAPERED = """\
name = "taper-{taper}"
hosts = 32                # 4 leaf switches of 8 hosts
[network]
latency = "5us"
bandwidth = "750MB/s"
serialising = true
topology = "fat-tree"
taper = {taper}
[network.send_overhead]
base = "{overhead}"
[network.receive_overhead]
base = "{overhead}"
"""
HOSTS = 32  # each has a rank
# Which way overtakes which where links become fewer.
CROSSINGS = [
    ("exchange:collective", "pencils:two-sided"),
    ("exchange:collective", "slabs:two-sided"),
    ("slabs:rma", "slabs:two-sided"),
]
Times = dict[str, float]  # seconds of each way
# What a forecast needs. The topology is measured on all hosts.
PARTS = "tables,latency,protocol,kernels,operations"


def figure10(options: argparse.Namespace) -> None:
    """Print the phases of each way and what is ahead of what, on each target."""
    for on in options.on:
        found = {}
        for schedule, transport in (way.split(":") for way in options.ways):
            words = ["--class", options.problem, "--schedule", schedule, "--transport", transport]
            found[schedule, transport] = lapwing("run", "ft", *words, "--on", on)
        print(f"\nClass {options.problem}, {on}; milliseconds, means of all ranks\n")
        print("| schedule | transport | all | " + " | ".join(MESSAGES) + " | messages |")
        print("|---" * (len(MESSAGES) + 4) + "|")
        for (schedule, transport), result in found.items():
            phases = [f"{1e3 * result['transforms'][name]['seconds']:.1f}" for name in MESSAGES]
            cells = [schedule, transport, f"{1e3 * result['seconds']:.1f}", *phases]
            print("| " + " | ".join([*cells, str(result["messages"])]) + " |")
        for line in comparison(found):
            print(line)
        sys.stdout.flush()


def comparison(found: dict[tuple[str, str], dict[str, Any]]) -> list[str]:
    """What is ahead of what, and how far ahead one-sided ways could be at most."""
    seconds = {way: result["seconds"] for way, result in found.items()}
    two_sided = min((way for way in found if way[1] != "rma"), key=seconds.__getitem__)
    one_sided = min((way for way in found if way[1] == "rma"), key=seconds.__getitem__)
    collective = seconds["exchange", "collective"]
    phases = found[two_sided]["transforms"]
    least = seconds[two_sided] - sum(phases[name]["seconds"] for name in MESSAGES)

    def ahead(slow: float, fast: float) -> str:
        return f"{slow / fast:.2f} times as fast"

    pencils = seconds["pencils", "rma"]
    said = [f"one-sided pencils against the exchange: {ahead(collective, pencils)}"]
    if ("pencils", "two-sided") in seconds:
        slow = seconds["pencils", "two-sided"]
        said.append(f"one-sided pencils against two-sided pencils: {ahead(slow, pencils)}")
    return [
        "",
        *(f"- {line}" for line in said),
        f"- one-sided pencils against the best two-sided way, {two_sided[0]}: "
        f"{ahead(seconds[two_sided], pencils)}",
        f"- the best one-sided way, {one_sided[0]}, against it: "
        f"{ahead(seconds[two_sided], seconds[one_sided])}",
        f"- without any cost of messages against it: {ahead(seconds[two_sided], least)}, "
        f"against the exchange: {ahead(collective, least)}",
    ]


def calibrated(cluster: Path, folder: Path) -> Path:
    """A profile of a cluster, measured by two ranks, with the topology of all hosts."""
    machine = folder / f"{cluster.stem}.json"
    topology = folder / "topology.json"
    for ranks, parts, output in ((2, PARTS, machine), (HOSTS, "topology", topology)):
        words = ["calibrate", "--on", f"sim:{cluster}:{ranks}", "--only", parts]
        command = [str(BIN / "lapwing"), *words, "-o", str(output), "--force"]
        subprocess.run(command, check=True, capture_output=True)
    profile = json.loads(machine.read_text())
    profile["topology"] = json.loads(topology.read_text())["topology"]
    machine.write_text(json.dumps(profile))
    return machine


def tapers(options: argparse.Namespace) -> None:
    """Print the time of each way against the taper, and which is the fastest."""
    ways = ["exchange:collective", "slabs:two-sided", "pencils:two-sided"]
    ways += ["slabs:rma", "pencils:rma"]
    print("| cube | taper | " + " | ".join(map(plain, ways)) + " | fastest | predicted |")
    print("|---" * (len(ways) + 4) + "|")
    worst = 0.0
    times: dict[int, dict[int, tuple[Times, Times]]] = {size: {} for size in options.sizes}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for taper in options.tapers:
            cluster = folder / f"taper-{taper}.toml"
            cluster.write_text(TAPERED.format(taper=taper, overhead=options.overhead))
            machine = calibrated(cluster, folder)
            for size in options.sizes:
                target = f"sim:{cluster}:{HOSTS}"
                words = ["--size", f"{size}x{size}x{size}", "--on", target, "--no-data"]
                found = lapwing("run", "fft", machine, *words, "--compare", ",".join(ways))
                times[size][taper] = both = measured_and_predicted(found["ways"])
                worst = max(worst, *(abs(both[1][way] / both[0][way] - 1) for way in ways))
                row = compared(ways, *both)
                print(f"| {size} | {taper}:1 | " + " | ".join(row) + " |", flush=True)
    print(f"\nPredictions are at most {100 * worst:.1f} % off.\n")
    for size, found in times.items():
        for first, second in CROSSINGS:
            said = [
                crossing(first, second, {taper: both[i] for taper, both in found.items()})
                for i in (0, 1)
            ]
            print(
                f"- {size}: {plain(second)} faster than {plain(first)}: {said[0]}, "
                f"predicted {said[1]}"
            )


def measured_and_predicted(entries: list[dict[str, Any]]) -> tuple[Times, Times]:
    """Seconds of each way."""
    measured, predicted = {}, {}
    for entry in entries:
        way = f"{entry['schedule']}:{entry['transport']}"
        measured[way] = entry["time"]["seconds"]
        predicted[way] = measured[way] * (1 + entry["prediction_error"])
    return measured, predicted


def compared(ways: list[str], measured: Times, predicted: Times) -> list[str]:
    """Milliseconds of each way, measured and predicted, and the fastest of both."""
    cells = [f"{1e3 * measured[way]:.2f} ({1e3 * predicted[way]:.2f})" for way in ways]
    return [*cells, *(plain(min(each, key=each.__getitem__)) for each in (measured, predicted))]


def crossing(first: str, second: str, times: dict[int, Times]) -> str:
    """The taper from which on `second` is faster than `first`, between those that were run."""
    tapers = sorted(times)
    ahead = [times[taper][first] - times[taper][second] for taper in tapers]
    for i in range(1, len(tapers)):
        if ahead[i - 1] < 0 <= ahead[i]:
            share = -ahead[i - 1] / (ahead[i] - ahead[i - 1])
            return f"from {tapers[i - 1] + share * (tapers[i] - tapers[i - 1]):.1f}:1 on"
    return "always" if ahead[0] >= 0 and ahead[-1] >= 0 else "never"


def plain(way: str) -> str:
    """`slabs` of `slabs:two-sided`, `slabs, put` of `slabs:rma`."""
    schedule, _, transport = way.partition(":")
    return f"{schedule}, put" if transport == "rma" else schedule


def main() -> None:
    """Print the figure that was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    figures = parser.add_subparsers(required=True)
    figure = figures.add_parser("figure10", help="one-sided against two-sided, by phases")
    figure.set_defaults(run=figure10)
    figure.add_argument("--on", nargs="+", required=True, metavar="TARGET")
    figure.add_argument("--class", dest="problem", default="A")
    figure.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, metavar="WAY")
    figure = figures.add_parser("tapers", help="schedules against the taper of a fat tree")
    figure.set_defaults(run=tapers)
    figure.add_argument("--tapers", nargs="+", type=int, default=[1, 2, 4, 8])
    figure.add_argument("--sizes", nargs="+", type=int, default=[64, 128])
    figure.add_argument("--overhead", default="1.5us", help="of a message, at each end")
    options = parser.parse_args()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(BIN))
    options.run(options)


if __name__ == "__main__":
    main()
