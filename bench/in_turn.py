"""Programs that are timed in turn, Lapwing's and others."""

import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from lapwing.launch import parse
from lapwing.launch.find_mpi import first_meant
from lapwing.launch.run import build_real, environment_of


def foreign(on: str, mpi: str, words: list[str], folder: Path) -> str:
    """The output of another program, run as Lapwing's are."""
    target = parse(on)
    job = build_real(target, words, first_meant(mpi), [])
    environment = environment_of(target, job, str(folder))
    done = subprocess.run(job.command, env=environment, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{' '.join(job.command)}\n{done.stderr}")
    return done.stdout


def in_turn(rounds: int, ways: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """The results of each way, called in turn."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, call in ways.items():
            found[name].append(call())
    return found


def report(title: str, found: dict[str, list[float]], unit: str, base: str, faster: bool) -> None:
    """Print medians with their spread, each relative to `base`. faster: larger is better."""
    other = statistics.median(found[base])
    for name, values in found.items():
        median = statistics.median(values)
        ratio = median / other if faster else other / median
        print(
            f"{title}  {name:24} {median:10.4f} {unit} ({min(values):.4f} … {max(values):.4f})  "
            f"{ratio:.3f} times as fast",
            flush=True,
        )
