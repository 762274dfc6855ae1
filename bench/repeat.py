"""Calibrates a target repeatedly, and prints how much the entries of the profiles differ.

    build/venv/bin/python bench/repeat.py --on net:1gbit --times 10

The spread of an entry is half the range of the values, without the lowest and the highest of ten,
over their median.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LAPWING = Path(__file__).resolve().parent.parent / "build" / "bin" / "lapwing"
# Axes of tables, and fields that say nothing about the network.
AXES = {"sizes", "bursts", "strides", "processes", "ranks", "window", "switches", "crossover"}
ASIDE = {"machine", "error", "kernels", "schema_version", "interpolated", "warnings"}
LEAST = 1024  # bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--on", default="net:1gbit")
    parser.add_argument("--mpi", choices=["openmpi", "mpich"])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--only", default="", help="parts of the calibration")
    parser.add_argument("--within", type=float, default=0.03)
    parser.add_argument("--keep", type=Path, help="a folder for the profiles")
    arguments = parser.parse_args()

    words = [str(LAPWING), "calibrate", "--on", arguments.on, "--json"]
    for option in ("mpi", "only"):
        if getattr(arguments, option):
            words += [f"--{option}", getattr(arguments, option)]
    profiles = [calibrated(words) for _ in range(arguments.times)]
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        for number, profile in enumerate(profiles):
            (arguments.keep / f"{number}.json").write_text(json.dumps(profile, indent=2))
    tables: dict[str, list[float]] = defaultdict(list)
    for name, size, values in entries(profiles):
        if size is not None and size >= LEAST:
            tables[name].append(spread(values))
    print(f"{'table':44} within {arguments.within:.0%}   worst")
    for name, spreads in tables.items():
        print(
            f"{name:44} {close(spreads, arguments.within):4} of {len(spreads):3}  "
            f"{max(spreads):6.1%}"
        )
    every = [one for spreads in tables.values() for one in spreads]
    share = close(every, arguments.within) / len(every)
    print(
        f"{'all from 1 KB up':44} {close(every, arguments.within):4} of {len(every):3}  {share:.1%}"
    )
    for name in profiles[0]["loggp"]:
        values = [profile["loggp"][name] for profile in profiles]
        print(f"{name:4} {statistics.median(values):.4g}  {spread(values):.1%}")


def calibrated(words: list[str]) -> dict[str, Any]:
    """The profile that the command prints."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    profile: dict[str, Any] = json.loads(done.stdout)
    return profile


def close(spreads: list[float], within: float) -> int:
    """The number of spreads within a limit."""
    return sum(one <= within for one in spreads)


def spread(values: list[float]) -> float:
    """Half the range, without a tenth of the values at either end, over the median."""
    ordered = sorted(values)
    cut = len(ordered) // 10
    kept = ordered[cut : len(ordered) - cut]
    middle = statistics.median(ordered)
    half = (kept[-1] - kept[0]) / 2
    return half / abs(middle) if middle else float(half > 0)


def entries(profiles: list[dict[str, Any]]) -> Iterator[tuple[str, int | None, list[float]]]:
    """Every number that all profiles have: its table, its message size in bytes, its values."""
    for path, _ in numbers(profiles[0], ()):
        if path[0] in ASIDE or AXES & set(path):
            continue
        values = [at(profile, path) for profile in profiles]
        if not any(value is None for value in values):
            yield table_name(profiles[0], path), size_of(profiles[0], path), values


def numbers(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from numbers(inner, (*path, place))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """The value at `path`; None if there is none."""
    try:
        for key in path:
            value = value[key]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def table_name(profile: dict[str, Any], path: tuple[Any, ...]) -> str:
    words = [str(key) for key in path if isinstance(key, str)]
    if path[0] in ("operations", "patterns", "pairs"):
        entry = profile[path[0]][path[1]]
        words.insert(1, entry.get("name") or entry.get("pattern"))
    return ".".join(words)


def size_of(profile: dict[str, Any], path: tuple[Any, ...]) -> int | None:
    """The message size of an entry: from the axis of the section that it is in."""
    for length in range(len(path) - 1, 0, -1):
        section = at(profile, path[:length])
        if isinstance(section, dict) and "sizes" in section:
            places = [key for key in path[length + 1 :] if isinstance(key, int)]
            if not places:
                return None
            return int(section["sizes"][places[-1 if "processes" in section else 0]])
    return None


if __name__ == "__main__":
    main()
