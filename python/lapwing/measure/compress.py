"""Parallel compression on a target, and timing how its output is collected."""

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from ..launch.stdin_pipe import named_pipe

STANDARD_INPUT = "-"


def compress(
    launch: Launch,
    source: str,
    output: str,
    *,
    decompress: bool = False,
    force: bool = False,
    profile: Profile | None = None,
    block_size: int | None = None,
    tile: int | None = None,
    window: int | None = None,
    trace: str | None = None,
    input: int | None = None,
) -> dict[str, Any]:
    """Compress the file `source` into `output`, or decompress it; returns the result document.

    source: "-" reads from `input`, a file descriptor.  force: overwrite the output.
    profile: of the machine, to plan for it.  block_size: bytes that are compressed at once.
    tile: blocks of each rank in a gather.  window: gathers in flight.
    trace: a file for the time line of all ranks.
    """
    options: dict[str, object] = {
        "--output": _named(output),
        "--decompress": decompress,
        "--force": force,
        "--trace": _named(trace) if trace else None,
        "--block-size": block_size,
        "--tile": tile,
        "--window": window,
    }
    with contextlib.ExitStack() as tidy:
        if source == STANDARD_INPUT:
            if input is None or launch.elsewhere:
                raise LapwingError(
                    f"{launch.target.text}: standard input is read on this machine, and ranks may "
                    "run on others; name a file that they see"
                )
            directory = tidy.enter_context(launch.directory())
            source = str(tidy.enter_context(named_pipe(input, directory)))
        return _run(launch, [_named(source)], options, profile)


def benchmark(
    launch: Launch,
    *,
    file: str | None = None,
    random: int = 0,
    profile: Profile | None = None,
    block_size: int | None = None,
    tiles: Sequence[int] = (),
    windows: Sequence[int] = (),
    repeat: int | None = None,
) -> dict[str, Any]:
    """Time compression whose output is collected afterwards, and while it goes on.

    file: the file to compress; None, `random` bytes of random data.  profile, block_size: as in
    `compress`.  tiles, windows: every tile is timed with every window, beside the plan's.
    repeat: runs of each. Returns the sweep document.
    """
    options: dict[str, object] = {
        "--benchmark": True,
        "--random": random if file is None else None,
        "--block-size": block_size,
        "--repetitions": repeat,
    }
    if tiles and windows:
        options |= {"--tiles": list(tiles), "--windows": list(windows)}
    return _run(launch, [] if file is None else [_named(file)], options, profile)


def _run(
    launch: Launch, source: list[str], options: Mapping[str, object], profile: Profile | None
) -> dict[str, Any]:
    files = {"--profile": None if profile is None else profile.to_json()}
    return launch.document(["compress", *source], options, files=files, output="--result")


def _named(path: str) -> str:
    """The path, written so that no program takes it for an option."""
    return os.path.join(os.curdir, path) if path.startswith("-") else path


def default_output(source: str, decompress: bool) -> str:
    """The output file unless one is named: as bzip2 names it."""
    if not decompress:
        return f"{source}.bz2"
    if source.endswith(".bz2") and Path(source).name != ".bz2":
        return source[: -len(".bz2")]
    raise LapwingError(f"{source}: does not end in .bz2; name the output with -o")
