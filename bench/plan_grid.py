#!/usr/bin/env python3
"""The loss of plans against the best way with equal messages, over a sample of workloads.

    build/venv/bin/python bench/plan_grid.py [--count 200] [--seed 1] [--clusters ib4x hdr]
    build/venv/bin/python bench/plan_grid.py --patterns collective --unknown-sizes
    build/venv/bin/python bench/plan_grid.py --patterns stream --stride 64:256
    build/venv/bin/python bench/plan_grid.py --clusters mine.toml --ranks 128 256 --patterns halo
    build/venv/bin/python bench/plan_grid.py --transports put get --least 8192 --ranks 2 4 8 16

The sample is drawn from a seed: pattern, cluster, transport, volume from --least to 8 MB,
computation from 0.25 to 3 times communication, 2 to 64 ranks, or those of --ranks, as far as the
clusters have hosts (those that come with Lapwing have 64). Above 16 ranks no message is smaller
than 8 KB. A sweep of over --messages messages is drawn again. Prints for each pattern the worst
and the mean loss of our plan and of the paper's, the error of the prediction, and
max(T_computation, T_communication) over the time of the plan.
"""

import argparse
import json
import math
import os
import random
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from lapwing import LapwingError, Profile
from lapwing.cli.options import blocks
from lapwing.measure.calibrate import calibrate
from lapwing.measure.sweep import sweep
from lapwing.testbed import load_cluster, shipped_clusters

# Patterns with their directions and dependences.
PATTERNS = {
    "stream": [("fetch", "tight")],
    "multi": [("fetch", "tight")],
    "congested": [("fetch", "tight"), ("produce", "tight")],
    "alltoall": [("fetch", "tight")],
    "collective": [("fetch", "tight"), ("produce", "tight")],
    "halo": [("fetch", "tight"), ("fetch", "loose")],
    "buckets": [("produce", "tight")],
}
RANKS = [2, 3, 4, 6, 8, 12, 16, 24, 32, 64]
PARTS = ["tables", "latency", "protocol"]  # of a profile, measured between two ranks
PATTERN_RANKS = 16  # on which its patterns are measured


class Work(NamedTuple):
    """One workload of the sample."""

    cluster: str
    pattern: str
    direction: str
    dependence: str
    ranks: int
    peers: int | None
    volume: int
    ratio: float
    transport: str

    @property
    def smallest(self) -> int:
        """Bytes of the smallest message."""
        return 8192 if self.ranks > 16 else 256

    @property
    def messages(self) -> float:
        """Number of messages of the sweep, about: each size in each order and burst, twice."""
        links = {
            "stream": 1,
            "multi": self.ranks - 1,
            "congested": self.ranks - 1,
            "halo": self.ranks * (self.peers or 1),
        }.get(self.pattern, self.ranks * (self.ranks - 1))
        shared = self.pattern in ("multi", "alltoall", "collective")
        part = self.volume / (self.ranks - 1) if shared else self.volume
        ways = 7 * {"alltoall": 3, "multi": 2}.get(self.pattern, 1)
        return links * 2 * min(8192, max(1, part / self.smallest)) * 2 * ways

    def __str__(self) -> str:
        return (
            f"{self.pattern:10} {self.direction:7} {self.dependence:5} {self.cluster:13} "
            f"{self.ranks:2} ranks {self.volume:>8} B ratio {self.ratio:4.2f} {self.transport}"
        )


def draw(
    chance: random.Random,
    clusters: list[str],
    patterns: list[str],
    crowds: list[int],
    most: float,
    grain: int,
    least: int,
    transports: list[str],
) -> Work:
    """A random workload of at least two grains, whose sweep has at most `most` messages.

    crowds: numbers of ranks to choose from. least: bytes of the smallest volume.
    """
    smallest = max(int(grain > 8), math.log2(least / grain))
    while True:
        pattern = chance.choice(patterns)
        direction, dependence = chance.choice(PATTERNS[pattern])
        ranks = 2 if pattern == "stream" else chance.choice(crowds)
        work = Work(
            chance.choice(clusters),
            pattern,
            direction,
            dependence,
            ranks,
            _peers(pattern, ranks, chance),
            grain * round(2 ** chance.uniform(smallest, 20 - math.log2(grain / 8))),
            2 ** chance.uniform(-2, math.log2(3)),
            transports[0] if len(transports) == 1 else chance.choice(transports),
        )
        if work.messages <= most:
            return work


def _peers(pattern: str, ranks: int, chance: random.Random) -> int | None:
    if pattern != "halo":
        return None
    if ranks == 2:
        return 1
    return chance.choice([2, 4]) if ranks >= 12 and ranks % 4 == 0 else 2


def profile_of(cluster: str, besides: list[str]) -> Profile:
    """A profile of a cluster with all that plans use, and the parts `besides`.

    Two ranks are as far apart as any: on a fat tree, under different leaf switches. The topology is
    measured on all hosts.
    """

    def measured(ranks: int, parts: list[str]) -> dict[str, Any]:
        return calibrate(f"sim:{cluster}:{ranks}", only=parts).document

    profile = measured(2, [*PARTS, *besides])
    profile["patterns"] = measured(PATTERN_RANKS, ["patterns"])["patterns"]
    profile["topology"] = measured(load_cluster(cluster).hosts, ["topology"])["topology"]
    return Profile.from_json(json.dumps(profile))


def run(work: Work, profile: Profile, layout: dict[str, Any]) -> dict[str, Any]:
    """The sweep document, without its lists.

    layout: block, stride and sizes_known of `sweep`.
    """
    result = sweep(
        profile,
        on=f"sim:{work.cluster}:{work.ranks}",
        volume=work.volume,
        pattern=work.pattern,
        direction=work.direction,
        dependence=work.dependence,
        peers=work.peers,
        ratio=work.ratio,
        transport=work.transport,
        **layout,
        smallest=work.smallest,
    )
    del result["cells"]
    if "plan" in result:
        del result["plan"]["messages"]
    return {"cluster": work.cluster, **result}


def line(result: dict[str, Any]) -> str:
    """The figures of one sweep, all of them shares."""
    if "plan" not in result:
        return f"no plan: {'; '.join(result['warnings'])}"
    plan = result["plan"]
    off = plan["predicted"]["seconds"] / plan["seconds"] - 1
    paper = f"{result['paper']['loss']:+.4f}" if "paper" in result else "none"
    return (
        f"loss {result['loss']:+.4f}  paper {paper:>7}  "
        f"prediction {off:+.4f}  reached {result['reached']:.3f}"
    )


def summary(results: list[dict[str, Any]]) -> None:
    """Worst and mean of each figure, pattern by pattern."""
    print(
        f"{'':10} number   loss worst    mean   above 0.01   paper worst    mean   "
        "prediction off   reached"
    )
    for pattern in PATTERNS:
        some = [r for r in results if r["pattern"] == pattern and "plan" in r]
        if not some:
            continue
        loss = [r["loss"] for r in some]
        paper = [r["paper"]["loss"] for r in some if "paper" in r]
        theirs = f"{max(paper):+.4f} {mean(paper):+.4f}" if paper else "no model       "
        off = [abs(r["plan"]["predicted"]["seconds"] / r["plan"]["seconds"] - 1) for r in some]
        print(
            f"{pattern:10} {len(some):6}      {max(loss):+.4f} {mean(loss):+.4f} "
            f"{sum(value > 0.01 for value in loss):12}       {theirs} "
            f"{mean(off):16.4f} {mean([r['reached'] for r in some]):9.3f}"
        )


def mean(values: list[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def main() -> None:
    """Run the sample; print each workload and the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", nargs="+", default=shipped_clusters())
    parser.add_argument("--patterns", nargs="+", choices=list(PATTERNS), default=list(PATTERNS))
    parser.add_argument("--ranks", nargs="+", type=int, default=RANKS, metavar="P")
    parser.add_argument(
        "--transports", nargs="+", choices=["two-sided", "put", "get"], default=["two-sided"]
    )
    parser.add_argument("--least", type=int, default=8, help="smallest volume, bytes")
    parser.add_argument("--count", type=int, default=200, help="workloads")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", type=float, default=1e6, help="most that a sweep may take")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so many")
    parser.add_argument(
        "--unknown-sizes", action="store_true", help="collectives exchange sizes before data"
    )
    parser.add_argument(
        "--stride", type=blocks, default=(0, 0), metavar="BLOCK:STRIDE", help="data with gaps"
    )
    parser.add_argument("--json", type=Path, help="write all results there")
    arguments = parser.parse_args()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(Path(__file__).parents[1] / "build" / "bin"))
    one_sided = arguments.transports != ["two-sided"]
    block, stride = arguments.stride
    if one_sided:
        arguments.patterns = [p for p in arguments.patterns if p not in ("collective", "buckets")]
    besides = (["log3p"] if block else []) + (["operations"] if one_sided else [])
    layout = {"sizes_known": not arguments.unknown_sizes}
    if block:
        layout |= {"block": block, "stride": stride, "grain": block}
    chance = random.Random(arguments.seed)
    profiles: dict[str, Profile] = {}
    results = []
    start = time.monotonic()
    for _ in range(arguments.count):
        work = draw(
            chance,
            arguments.clusters,
            arguments.patterns,
            arguments.ranks,
            arguments.messages,
            max(8, block),
            arguments.least,
            arguments.transports,
        )
        if time.monotonic() - start > arguments.seconds:
            break
        if work.cluster not in profiles:
            profiles[work.cluster] = profile_of(work.cluster, besides)
        try:
            results.append(run(work, profiles[work.cluster], layout))
        except LapwingError as error:
            print(f"{work}  FAILED: {error}", flush=True)
            continue
        print(f"{work}  {line(results[-1])}", flush=True)
        if arguments.json:
            arguments.json.write_text(json.dumps(results, indent=1))
    summary(results)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
