#!/usr/bin/env python3
"""The time of planned streams over the limit, on simulated clusters, by volume and ratio.

For each cluster: calibrate, then sweep every volume at every ratio; prints the worst and the mean
of T / limit, of the loss against the best way with equal messages, and of the error of the
prediction.
Run it with the Python of the build: `build/venv/bin/python bench/stream_grid.py`.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from lapwing.launch import Launch, parse
from lapwing.measure.calibrate import calibrate
from lapwing.measure.sweep import sweep
from lapwing.testbed import shipped_clusters

VOLUMES = [8192 << doubling for doubling in range(11)]  # bytes
RATIOS = [0.25, 0.4, 1.0, 1.6, 3.0]


def grid(cluster: str, volumes: list[int], ratios: list[float]) -> list[dict[str, Any]]:
    """The sweep documents of one cluster, each message list left out."""
    launch = Launch(parse(f"sim:{cluster}"))
    profile = calibrate(launch)
    results = []
    for volume in volumes:
        for ratio in ratios:
            result = sweep(profile, on=launch, volume=volume, ratio=ratio, transport="two-sided")
            del result["plan"]["messages"]
            results.append(result)
    return results


def figures(result: dict[str, Any]) -> dict[str, float]:
    """The figures of one sweep, all of them shares: 0.01 is one per cent."""
    seconds = result["plan"]["seconds"]
    return {
        "T/limit": seconds / result["limit"]["seconds"],
        "loss": result["loss"],
        "prediction": abs(result["plan"]["predicted"]["seconds"] / seconds - 1),
        "paper loss": result["paper"]["loss"],
    }


def summary(results: list[dict[str, Any]]) -> None:
    """Worst and mean of each figure, with the workload of the worst."""
    for name in ("T/limit", "loss", "prediction", "paper loss"):
        values = [figures(result)[name] for result in results]
        worst = max(range(len(values)), key=values.__getitem__)
        at = results[worst]
        print(
            f"  {name:<11} worst {values[worst]:+.4f} (V = {at['volume'] // 1024} KB, "
            f"ratio {at['ratio']:.2f})   mean {sum(values) / len(values):+.4f}"
        )
    small = [r["loss"] for r in results if r["volume"] <= 131072 and r["ratio"] > 0.99]
    if small:
        print(f"  loss, V <= 128 KB, ratio >= 1: mean {sum(small) / len(small):+.4f}")


def main() -> None:
    """Print the figures of each cluster as they are found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clusters", nargs="*", default=shipped_clusters())
    parser.add_argument("--largest", type=int, default=VOLUMES[-1], help="largest volume, bytes")
    parser.add_argument("--json", type=Path, help="write all results there")
    arguments = parser.parse_args()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(Path(__file__).parents[1] / "build" / "bin"))
    volumes = [volume for volume in VOLUMES if volume <= arguments.largest]
    everything = {}
    for cluster in arguments.clusters:
        start = time.monotonic()
        everything[cluster] = grid(cluster, volumes, RATIOS)
        print(f"{cluster}: {len(everything[cluster])} sweeps in {time.monotonic() - start:.0f} s")
        summary(everything[cluster])
        sys.stdout.flush()
        if arguments.json:
            arguments.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
