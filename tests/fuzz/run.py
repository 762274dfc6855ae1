#!/usr/bin/env python3
"""Fuzzers of the readers in Python: whatever they get, they read it, or refuse it in one line.

    build/venv/bin/python tests/fuzz/run.py [cluster units target command log] [--seconds 600]

Inputs are mutations of those in tests/data/fuzz/NAME and of what is shipped. One that ends
otherwise, or takes longer than five seconds of the processor or a minute in all, is written to
tests/data/fuzz/NAME, where test_corpus.py reads it.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import re
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lapwing import import_logs, units
from lapwing.cli import main
from lapwing.cli.commands import COMMANDS, load, parser_of
from lapwing.errors import LapwingError
from lapwing.launch import parse
from lapwing.measurements.document import measurements_document, measurements_in
from lapwing.testbed import load_cluster, shipped_clusters

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "data" / "fuzz"
_LOGS = ROOT / "tests" / "data" / "logs"
_CLUSTERS = ROOT / "python" / "lapwing" / "testbed" / "clusters"
# Seconds; of the processor, which others may be using, and by the clock.
_LONGEST = 5
_LONGEST_WAIT = 60
_SCRATCH = "fuzzed"

# What numbers and words are where something is at its edge.
_EDGES = [
    "0",
    "-1",
    "1",
    "1e308",
    "1e-320",
    "nan",
    "inf",
    "-inf",
    "9" * 30,
    "0x10",
    "1_000",
    "²",
    "٣",
]
_EDGES += [
    "2:1",
    "1:1e9",
    ",",
    ":",
    "=",
    "--",
    "-",
    "\0",
    "\n",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    "é",
    "\ufeff",
]


def cluster(text: str) -> None:
    """The description of a simulated cluster."""
    path = Path(f"{_SCRATCH}.toml")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    load_cluster(f"./{path}")


def quantities(text: str) -> None:
    """Sizes, times, ranges and all else that an option holds."""
    for read in _READERS:
        try:
            read(text)
        except ValueError as error:
            one_line(str(LapwingError(str(error))))  # as the command shows it


_READERS: list[Callable[[str], object]] = [
    units.size,
    units.message,
    units.block,
    units.seconds,
    units.ratio,
    units.accuracy,
    units.count,
    units.ranks,
    units.numbers,
    # A range may be long, but not without end.
    units.sizes,
    units.rank_counts,
]


def target(text: str) -> None:
    """Where to run."""
    parse(text)


# Commands that are carried out, for they start nothing; of the others the command line is read.
_DONE = ["plan", "show", "merge", "schema"]


def command(text: str) -> None:
    """A command line."""
    # Nothing is written but here, and no system hands on a null character.
    try:
        words = shlex.split(text.translate({ord("/"): "_", 0: None}))
    except ValueError:
        return
    name, rest = (words[0], words[1:]) if words else ("", [])
    if "-h" in rest or "--help" in rest:
        return
    if name in COMMANDS and name not in _DONE:
        module = load(name)
        if hasattr(module, "choose"):
            chosen, named = module.choose(rest)
            module, rest = load(chosen), rest[named:]
        with contextlib.redirect_stdout(io.StringIO()):  # help
            parser_of(name, module).parse(rest)
        return
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        status = main.run(words)
    said = err.getvalue()
    if status == 2:
        one_line(said.rstrip("\n"))
        if "should not happen" in said:
            raise AssertionError(said)
    elif status != 0 or said:
        raise AssertionError(f"status {status}: {said}")


def log(text: str) -> None:
    """A log of another benchmark."""
    path = Path(f"{_SCRATCH}.log")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    asked: list[dict[str, Any]] = [{}, {"nodes": 2, "ranks_per_node": 2}, {"value": "latency"}]
    for said in asked:
        with contextlib.suppress(LapwingError):
            imported = import_logs([path], **said)
            if (found := imported.measurements) is not None:
                document = json.loads(json.dumps(measurements_document(found), allow_nan=False))
                assert measurements_in(document) == found
            if imported.profile is not None:
                one_line(imported.profile.to_json()[:1])
    import_logs([path])


TARGETS: dict[str, Callable[[str], None]] = {
    "cluster": cluster,
    "units": quantities,
    "target": target,
    "command": command,
    "log": log,
}


def one_line(said: str) -> None:
    if not said.strip() or "\n" in said:
        raise AssertionError(f"not one line: {said!r}")


def tried(name: str, text: str) -> str | None:
    """What was wrong with how `text` was read; None where nothing was."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"longer than {_LONGEST} s, or waiting for something")

    signal.signal(signal.SIGPROF, too_long)
    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_PROF, _LONGEST)
    signal.alarm(_LONGEST_WAIT)
    try:
        TARGETS[name](text)
    except LapwingError as error:
        return None if "\n" not in str(error) else f"not one line: {error}"
    except SystemExit as error:
        return f"left by exit: {error}" if error.code else None  # help ends like this
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
    return None


def seeds(name: str) -> list[str]:
    """What is mutated: what was found before, and what people write."""
    kept = [path.read_bytes().decode("utf-8", "surrogateescape") for path in corpus(name)]
    if name == "cluster":
        return kept + [path.read_text() for path in _CLUSTERS.glob("*.toml")]
    if name == "units":
        return [*kept, "8", "64KB", "1MB:8MB", "12ms", "3.5us", "900k", "2:256", "2,12,96", "0.02"]
    if name == "target":
        known = [f"sim:{each}:16" for each in shipped_clusters()]
        return [*kept, *known, "mpi", "mpi:8", "net:1gbit", "net:400mbit:4", "sim:./x.toml:3"]
    if name == "log":
        return kept + [path.read_text() for path in sorted(_LOGS.iterdir())]
    return kept + [line for each in COMMANDS for line in examples(each)]


def examples(name: str) -> Iterator[str]:
    """What the help of a command shows, and its options one by one."""
    module = load(name)
    if hasattr(module, "choose"):
        module, name = load("sweep"), f"{name} stream"
    for line in module.EXAMPLES.splitlines():
        yield re.split(r"\s{3,}|\s[|>]", line.strip())[0].removeprefix("lapwing ")
    for option in parser_of(name, module).options():
        yield f"{name} ranger {option} 1"


def corpus(name: str) -> list[Path]:
    folder = CORPUS / name
    return sorted(folder.iterdir()) if folder.is_dir() else []


def mutated(known: list[str], chance: random.Random) -> str:
    """One of the known inputs, changed in a few places."""
    text = chance.choice(known)
    words = [word for each in known for word in re.findall(r"\S+", each)]
    for _ in range(chance.choice([1, 1, 2, 3, 8])):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice([0, 1, 1, 2, 8, 30]))
        what = chance.randrange(5)
        if what == 0:
            put = chance.choice(_EDGES)
        elif what == 1:
            put = chr(chance.choice([chance.randrange(128), chance.randrange(0xD800)]))
        elif what == 2:
            put = f" {chance.choice(words)} "
        elif what == 3:
            put = text[at:end] * chance.choice([2, 3, 40])
        else:
            put = ""
        text = text[:at] + put + text[end:]
        if chance.random() < 0.3 and (numbers := list(re.finditer(r"\d+", text))):
            number = chance.choice(numbers)
            text = text[: number.start()] + chance.choice(_EDGES) + text[number.end() :]
    return text


def fuzz(name: str, seconds: float, seed: int) -> int:
    """Tries inputs for so long; prints what was found, and returns how many."""
    chance, known = random.Random(seed), seeds(name)
    end, count, found, said = time.monotonic() + seconds, 0, 0, set[str]()
    while time.monotonic() < end:
        count += 1
        text = mutated(known, chance)
        wrong = tried(name, text)
        kind = re.sub(r"[\d.]+|'.*'|\".*\"", "", wrong or "")
        if wrong and kind not in said:
            said.add(kind)
            found += 1
            data = text.encode("utf-8", "surrogateescape")
            folder = CORPUS / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / hashlib.sha256(data).hexdigest()[:8]).write_bytes(data)
            print(f"{name}: {wrong[:300]}: {text[:300]!r}", flush=True)
    print(f"{name}: {count} inputs, {found} of them were not read well", flush=True)
    return found


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=600, help="for each (default: 600)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - TARGETS.keys():
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(TARGETS)}")
    os.environ["COLUMNS"] = "80"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = sum(
            fuzz(name, arguments.seconds, arguments.seed) for name in arguments.names or TARGETS
        )
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    run()
