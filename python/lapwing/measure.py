"""Measuring on a target with the native program, and reading what it found."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import Profile
from .errors import LapwingError
from .launch import Target, run
from .scratch import scratch

# Copies of the volume that a sweep holds: data and result on two ranks, and the result expected.
_COPIES = 5


@dataclass(frozen=True)
class Launch:
    """How to start programs on a target.

    mpi: "openmpi" or "mpich"; None, whichever is found.  options: for the launcher, unchanged.
    on_progress: called with the fraction done (0 to 1) and a word about it.
    """

    target: Target
    mpi: str | None = None
    options: Sequence[str] = ()
    on_progress: Callable[[float, str], None] | None = None

    def __call__(self, arguments: Sequence[str]) -> None:
        """Run the native program with `arguments`."""
        run(
            self.target,
            arguments,
            mpi=self.mpi,
            launch_options=self.options,
            on_progress=self.on_progress,
        )

    @property
    def elsewhere(self) -> bool:
        """Whether ranks may run on other hosts than this one."""
        return self.target.kind == "mpi" and bool(self.options or "SLURM_JOB_ID" in os.environ)

    @contextmanager
    def directory(self) -> Iterator[Path]:
        """A directory for files that the ranks read and write, gone at the end of the block."""
        # Other hosts see the directory one works in, not this machine's temporary one.
        with scratch("." if self.elsewhere else None) as directory:
            yield directory.absolute()


def calibrate(launch: Launch, *, quick: bool = False, accuracy: float | None = None) -> str:
    """Measure the target; the profile document, checked.

    quick: fewer sizes and bursts, less accuracy.  accuracy: relative error to aim for.
    """
    with launch.directory() as directory:
        output = directory / "profile.json"
        arguments = ["calibrate", "--output", str(output)]
        if quick:
            arguments.append("--quick")
        if accuracy is not None:
            arguments += ["--accuracy", repr(accuracy)]
        launch(arguments)
        document = _result(launch, output)
    try:
        Profile.from_json(document)
    except ValueError as error:
        raise LapwingError(f"{launch.target.text}: what was measured is no profile: {error}") from (
            None
        )
    return document


def sweep(
    launch: Launch,
    profile: Profile,
    *,
    volume: int,
    ratio: float | None = None,
    compute: float | None = None,
    grain: int | None = None,
    repetitions: int | None = None,
    plan_only: bool = False,
) -> dict[str, Any]:
    """Run a stream of `volume` bytes blocking, cut in every uniform way, and as planned.

    ratio: computation over the communication part of the blocking run, or compute: seconds.
    grain: bytes; messages are cut at its multiples.  repetitions: runs of each cell.
    plan_only: the blocking run and the plans, no cells.  Returns the result document.
    """
    _require_memory(launch, volume)
    with launch.directory() as directory:
        machine, output = directory / "machine.json", directory / "result.json"
        machine.write_text(profile.to_json(), encoding="utf-8")
        arguments = ["sweep", "--profile", str(machine), "--output", str(output)]
        options = {
            "--volume": volume,
            "--ratio": ratio,
            "--compute": compute,
            "--grain": grain,
            "--repetitions": repetitions,
        }
        for name, value in options.items():
            if value is not None:
                arguments += [name, repr(value)]
        if plan_only:
            arguments.append("--plan-only")
        launch(arguments)
        result: dict[str, Any] = json.loads(_result(launch, output))
    return result


def _result(launch: Launch, output: Path) -> str:
    try:
        return output.read_text(encoding="utf-8")
    except OSError as error:
        raise LapwingError(
            f"{launch.target.text}: the run ended without a result: {error.strerror}"
        ) from None


def _require_memory(launch: Launch, volume: int) -> None:
    """Refuse what this machine cannot hold, before the kernel ends something to make room."""
    if launch.elsewhere:
        return
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if volume * _COPIES > 0.9 * memory:
        raise LapwingError(
            f"a volume of {volume} bytes is too much to run here: it takes {_COPIES} times as much "
            f"memory, and this machine has {memory} bytes; at most {int(0.9 * memory / _COPIES)}"
        )
