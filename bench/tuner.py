#!/usr/bin/env python3
"""The plan of a tuner that is told a wrong computation, against the plan made off line.

For each cluster, volume and ratio, a stream runs in a loop in simulated time. Its computation is
disturbed as this machine disturbs a loop that only reads the clock, which is recorded first. The
tuner is told a third of the computation, and three times as much; after `--steps` steps its plan
and the off-line plan are run in turn. Run it with the Python of the build:
`build/venv/bin/python bench/tuner.py`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lapwing.launch import Launch, parse
from lapwing.launch.sim import sim_job
from lapwing.measure.calibrate import calibrate
from lapwing.testbed import shipped_clusters
from lapwing.testbed.platform import hostfile, platform_xml

BIN = Path(__file__).parents[1] / "build" / "bin"
VOLUMES = [8192 << doubling for doubling in range(0, 11, 2)]  # bytes
RATIOS = [0.25, 0.4, 1.0, 1.6, 3.0]
TOLD = [1 / 3, 3.0]


class Loop:
    """The program on two hosts of a cluster, with the cluster's profile."""

    def __init__(self, cluster: str, detours: Path, directory: Path) -> None:
        self.target = parse(f"sim:{cluster}")
        self.detours = detours
        self.profile = calibrate(Launch(self.target))
        self.files = [directory / f"{cluster}.{kind}" for kind in ("json", "xml", "hosts")]
        assert self.target.cluster is not None
        texts = [
            self.profile.to_json(),
            platform_xml(self.target.cluster, 1),
            hostfile(self.target.cluster, 2, 1),
        ]
        for file, text in zip(self.files, texts, strict=True):
            file.write_text(text)

    def __call__(
        self, volume: int, compute: float, told: float, steps: int, offset: float
    ) -> dict[str, Any]:
        """One run; the document that the program prints."""
        profile, platform, hosts = map(str, self.files)
        numbers = [str(volume), repr(compute), repr(told), str(steps)]
        assert self.target.cluster is not None
        job = sim_job(
            str(BIN / "tuned-stream.smpi"),
            [profile, *numbers, str(self.detours), repr(offset)],
            2,
            cluster=self.target.cluster,
            platform=platform,
            hostfile=hosts,
            options=["--log=root.thres:critical"],
        )
        done = subprocess.run(
            job.command, env={**os.environ, **job.environment}, capture_output=True, text=True
        )
        if done.returncode != 0:
            sys.exit(f"{' '.join(job.command)}\n{done.stderr}")
        result: dict[str, Any] = json.loads(done.stdout)
        return result


def figures(result: dict[str, Any]) -> dict[str, float]:
    """The figures of one run, all of them shares: 0.01 is one per cent."""
    return {
        "plan": result["tuned"] / result["off_line"] - 1,
        "plan, noise": result["tuned_noise"] / result["off_line_noise"] - 1,
        "steps": result["learning"],
    }


def record(seconds: float, path: Path) -> None:
    """Record this machine's detours."""
    done = subprocess.run(
        [BIN / "record-detours", str(seconds)], check=True, stdout=subprocess.PIPE
    )
    path.write_bytes(done.stdout)
    lines = done.stdout.decode().splitlines()
    lengths = sorted(float(line.split()[1]) for line in lines[1:])
    if lengths:
        print(
            f"noise: {len(lengths) / seconds:.0f} detours a second, median "
            f"{1e6 * lengths[len(lengths) // 2]:.1f} us, longest {1e3 * lengths[-1]:.2f} ms, "
            f"{100 * sum(lengths) / seconds:.2f} % of the time"
        )


def main() -> None:
    """Print the worst and the mean of each figure, cluster by cluster."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clusters", nargs="*", default=shipped_clusters())
    parser.add_argument("--largest", type=int, default=VOLUMES[-1], help="largest volume, bytes")
    parser.add_argument("--steps", type=int, default=20, help="steps of the loop")
    parser.add_argument("--record", type=float, default=5.0, help="seconds of noise to record")
    parser.add_argument("--noise", type=Path, help="a recording made before")
    parser.add_argument("--json", type=Path, help="write all results there")
    arguments = parser.parse_args()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(BIN))
    everything: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        detours = arguments.noise or directory / "detours"
        if not arguments.noise:
            record(arguments.record, detours)
        for cluster in arguments.clusters:
            start = time.monotonic()
            loop = Loop(cluster, detours, directory)
            results = everything[cluster] = []
            for volume in (size for size in VOLUMES if size <= arguments.largest):
                for ratio in RATIOS:
                    compute = ratio * loop.profile.loggp.G * volume
                    for told in TOLD:
                        # Another part of the recording for each run.
                        offset = 0.37 * (len(results) + 1)
                        result = loop(volume, compute, told * compute, arguments.steps, offset)
                        results.append({"volume": volume, "ratio": ratio, "told": told, **result})
            print(f"{cluster}: {len(results)} loops in {time.monotonic() - start:.0f} s")
            for figure in figures(results[0]):
                values = [figures(result)[figure] for result in results]
                worst = max(range(len(values)), key=values.__getitem__)
                at = results[worst]
                print(
                    f"  {figure:<12} worst {values[worst]:+.4f} (V = {at['volume'] // 1024} KB, "
                    f"ratio {at['ratio']:.2f}, told {at['told']:.2f})   "
                    f"mean {sum(values) / len(values):+.4f}"
                )
            sys.stdout.flush()
            if arguments.json:
                arguments.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
