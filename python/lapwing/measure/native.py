"""Measuring on a target with the native program, and reading what it found."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Target, run
from ..launch.native import SHMEM, find_native, find_shmem
from ..launch.scratch import scratch
from ..planning.patterns import usual_dependence, usual_direction
from ..profiles.median_of_launches import median_of_launches

# Copies of the volume that a sweep holds: data and result on two ranks, and the result expected; of
# other patterns than streams on each rank.
_COPIES = 5
# Of a calibration's progress, where OpenSHMEM is measured too.
_SHMEM_SHARE = 0.25
# Seconds for it: far more than it takes, and less than anyone waits for what hangs.
_SHMEM_PATIENCE = 180.0


@dataclass(frozen=True)
class Launch:
    """How to start programs on a target.

    mpi: "openmpi" or "mpich"; None, whichever is found.  options: for the launcher, unchanged.
    on_progress: called with the fraction done (0 to 1) and a word about it.
    settings: of the environment, None to unset one.  timeout: seconds until a run has failed.
    """

    target: Target
    mpi: str | None = None
    options: Sequence[str] = ()
    on_progress: Callable[[float, str], None] | None = None
    settings: Mapping[str, str | None] | None = None
    timeout: float | None = None

    def __call__(self, arguments: Sequence[str], *, program: str = "lapwing-mpi") -> None:
        """Run the native program with `arguments`."""
        run(
            self.target,
            arguments,
            mpi=self.mpi,
            launch_options=self.options,
            settings=self.settings,
            on_progress=self.on_progress,
            timeout=self.timeout,
            program=program,
        )

    def result(self, output: Path) -> str:
        """What a run wrote into the file `output`."""
        try:
            return output.read_text(encoding="utf-8")
        except OSError as error:
            raise LapwingError(
                f"{self.target.text}: the run ended without a result: {error.strerror}"
            ) from None

    def part(self, first: float, last: float) -> "Launch":
        """The same, with its progress as a part of a longer one's: from `first` to `last`."""
        tell = self.on_progress
        if tell is None:
            return self
        return replace(
            self,
            on_progress=lambda fraction, text: tell(first + fraction * (last - first), text),
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


def calibrate(
    launch: Launch,
    *,
    quick: bool = False,
    accuracy: float | None = None,
    processes: Sequence[int] | None = None,
    pairs: Sequence[Sequence[int]] = (),
    only: Sequence[str] = (),
    repeat: int = 1,
    wait: float | None = None,
) -> str:
    """Measure the target; the profile document, checked.

    quick: fewer sizes and bursts, less accuracy.  accuracy: relative error to aim for.
    processes: how many ranks communicate at once in the patterns; None, powers of two and all.
    pairs: two ranks each, measured beside the main pair.  only: parts to measure beside the LogGP
    parameters; all where there are none.  repeat: launches, of which each cost is the median.
    wait: seconds that each launch may wait until the ranks' processors are as well off again as at
    their best; a minute where it is not said.
    """
    if repeat < 1:
        raise LapwingError(f"repeat: {repeat} launches are none")
    _require_ranks(launch.target, processes, pairs)
    documents: list[str] = []
    for number in range(repeat):
        documents.append(
            _calibrate_once(
                launch.part(number / repeat, (number + 1) / repeat),
                quick=quick,
                accuracy=accuracy,
                processes=processes,
                pairs=pairs,
                only=only,
                wait=wait,
                # Medians are of the same sizes, wherever a launch would find time to bend.
                sizes_of=documents[0] if documents else None,
            )
        )
    document = median_of_launches(documents)
    try:
        Profile.from_json(document)
    except ValueError as error:
        raise LapwingError(f"{launch.target.text}: what was measured is no profile: {error}") from (
            None
        )
    return document


def _calibrate_once(
    launch: Launch,
    *,
    quick: bool,
    accuracy: float | None,
    processes: Sequence[int] | None,
    pairs: Sequence[Sequence[int]],
    only: Sequence[str],
    wait: float | None,
    sizes_of: str | None,
) -> str:
    """The profile document of one launch, as `calibrate` asks for it.

    sizes_of: the document of another one, at whose sizes messages are measured.
    """
    with launch.directory() as directory:
        output = directory / "profile.json"
        arguments = ["calibrate", "--output", str(output)]
        if quick:
            arguments.append("--quick")
        if accuracy is not None:
            arguments += ["--accuracy", repr(accuracy)]
        ranks = []
        if processes is not None:
            ranks += ["--processes", ",".join(map(str, processes))]
        for pair in pairs:
            ranks += ["--pair", ",".join(map(str, pair))]
        parts = ["--only", ",".join(only)] if only else []
        if wait is not None:
            parts += ["--wait", repr(wait)]
        if sizes_of is not None:
            other = directory / "sizes.json"
            other.write_text(sizes_of, encoding="utf-8")
            parts += ["--sizes-of", str(other)]
        # OpenSHMEM has a program of its own. It is measured where it was built.
        with_shmem = (not only or "operations" in only) and _has_shmem(launch)
        share = 1 - _SHMEM_SHARE if with_shmem else 1
        launch.part(0, share)([*arguments, *ranks, *parts])
        document = launch.result(output)
        if with_shmem:
            output.unlink()
            document = _add_shmem(launch.part(1 - _SHMEM_SHARE, 1), document, arguments, output)
    return document


def _has_shmem(launch: Launch) -> bool:
    """Whether the target is one that OpenSHMEM runs on, and its program is there."""
    if launch.target.kind == "sim" or launch.target.ranks < 2:
        return False
    try:
        find_shmem()
        return find_native(launch.mpi).mpi == "openmpi"
    except LapwingError:
        return False


def _add_shmem(launch: Launch, document: str, arguments: Sequence[str], output: Path) -> str:
    """The profile `document` with what OpenSHMEM measures like, or a warning that says why not.

    arguments: of `calibrate`; the result goes to the file `output`.
    """
    profile: dict[str, Any] = json.loads(document)
    try:
        replace(launch, timeout=_SHMEM_PATIENCE)(arguments, program=SHMEM)
        found: dict[str, Any] = json.loads(launch.result(output))
    except LapwingError as error:
        profile["warnings"].append(f"OpenSHMEM was not measured: {error}")
    else:
        before = len(profile.get("operations", []))
        moved = [_moved(entry, before) for entry in found["interpolated"]]
        for name, entries in {**found, "interpolated": moved}.items():
            if entries:
                profile.setdefault(name, []).extend(entries)
    return json.dumps(profile, indent=2, ensure_ascii=False) + "\n"


def _moved(entry: str, places: int) -> str:
    """The name of an entry of the operations, that many places further down in the list."""
    return re.sub(
        r"^operations\[(\d+)\]", lambda found: f"operations[{int(found[1]) + places}]", entry
    )


def sweep(
    launch: Launch,
    profile: Profile,
    *,
    volume: int,
    pattern: str = "stream",
    direction: str | None = None,
    dependence: str | None = None,
    peers: int | None = None,
    balanced: bool = True,
    block: int = 0,
    stride: int = 0,
    sizes_known: bool = True,
    transport: str | None = None,
    ratio: float | None = None,
    compute: float | None = None,
    grain: int | None = None,
    smallest: int | None = None,
    repetitions: int | None = None,
    given: str | None = None,
    plan_only: bool = False,
) -> dict[str, Any]:
    """Run a workload blocking, cut in every uniform way, and as planned, on all ranks.

    volume: bytes that a rank which computes receives, or sends if it produces.  pattern, direction,
    dependence, peers, balanced, block, stride, sizes_known: as `lapwing.plan` has them.  transport:
    "two-sided", "put", "get", or "any", the plan's as it says and all others two-sided.  ratio:
    computation over the communication part of the blocking run, or compute: seconds.  grain: bytes;
    messages are cut at its multiples.  smallest: bytes of the smallest message of the cells.
    repetitions: runs of each cell.  given: a plan document to run instead of ours.  plan_only: the
    blocking run and the plans, no cells.  Returns the result document.
    """
    spread = volume * stride // block if block else volume
    _require_memory(launch, spread, 1 if pattern == "stream" else launch.target.ranks)
    with launch.directory() as directory:
        machine, output = directory / "machine.json", directory / "result.json"
        machine.write_text(profile.to_json(), encoding="utf-8")
        arguments = ["sweep", "--profile", str(machine), "--output", str(output)]
        options = {
            "--pattern": pattern,
            "--direction": direction or usual_direction(pattern),
            "--dependence": dependence or usual_dependence(pattern),
            "--peers": peers,
            "--block": block or None,
            "--stride": stride or None,
            "--transport": transport,
            "--volume": volume,
            "--ratio": ratio,
            "--compute": compute,
            "--grain": grain,
            "--smallest": smallest,
            "--repetitions": repetitions,
        }
        for name, value in options.items():
            if value is not None:
                arguments += [name, value if isinstance(value, str) else repr(value)]
        if given is not None:
            plan = directory / "plan.json"
            plan.write_text(given, encoding="utf-8")
            arguments += ["--plan", str(plan)]
        if not balanced:
            arguments.append("--unbalanced")
        if not sizes_known:
            arguments.append("--unknown-sizes")
        if plan_only:
            arguments.append("--plan-only")
        launch(arguments)
        result: dict[str, Any] = json.loads(launch.result(output))
    return result


def hidden(
    launch: Launch,
    *,
    transports: Sequence[str] = (),
    sizes: Sequence[int] = (),
    seconds: float | None = None,
) -> dict[str, Any]:
    """Measure which share of the communication computation hides; the native program's document.

    transports: by name, and sizes, bytes: all there are where none is given.  seconds: to take,
    about.
    """
    with launch.directory() as directory:
        output = directory / "doctor.json"
        arguments = ["doctor", "--output", str(output)]
        if transports:
            arguments += ["--transports", ",".join(transports)]
        if sizes:
            arguments += ["--sizes", ",".join(map(str, sizes))]
        if seconds is not None:
            arguments += ["--seconds", repr(seconds)]
        launch(arguments)
        measured: dict[str, Any] = json.loads(launch.result(output))
    return measured


def operations(
    launch: Launch,
    sizes: Mapping[str, Sequence[int]],
    *,
    stride: int | None = None,
    accuracy: float | None = None,
    seconds: float | None = None,
    surroundings: Mapping[str, float] | None = None,
    wait: float | None = None,
) -> dict[str, Any]:
    """Time operations on all ranks from one start by the clock; the native program's document.

    sizes: of each operation, "send" or a collective, the sizes to time, bytes.  stride: bytes from
    one double to the next, of a send or a bcast, each as a derived type and packed by hand.
    accuracy: relative error to reach.  seconds: to try for it, each size.
    surroundings: of the processors of two ranks, as a profile has them that is to be compared with:
    what is timed in others counts only if they do not come to be so.  wait: seconds for that.
    """
    with launch.directory() as directory:
        output = directory / "operations.json"
        arguments = ["validate", "--output", str(output)]
        for name, several in sizes.items():
            arguments += ["--time", f"{name}:{','.join(map(str, several))}"]
        options = {
            "--stride": stride,
            "--accuracy": accuracy,
            "--seconds": seconds,
            "--wait": wait,
        }
        for name, asked in (surroundings or {}).items():
            options[f"--{name.replace('_', '-')}"] = asked
        for option, value in options.items():
            if value is not None:
                arguments += [option, repr(value)]
        launch(arguments)
        timed: dict[str, Any] = json.loads(launch.result(output))
    return timed


def _require_ranks(
    target: Target, processes: Sequence[int] | None, pairs: Sequence[Sequence[int]]
) -> None:
    """Refuse ranks that are not there, before any is started."""
    if processes is not None and (not processes or min(processes) < 2):
        raise LapwingError("--processes: it takes 2 to communicate")
    if processes is not None and max(processes) > target.ranks:
        raise LapwingError(f"--processes {max(processes)}: {target.text} has {target.ranks} ranks")
    for pair in pairs:
        shown = ",".join(map(str, pair))
        if len(pair) != 2 or pair[0] == pair[1]:
            raise LapwingError(f"--pair {shown}: two different ranks are a pair, e.g. 0,1")
        if max(pair) >= target.ranks:
            raise LapwingError(
                f"--pair {shown}: {target.text} has {target.ranks} ranks, from 0 to "
                f"{target.ranks - 1}"
            )


def _require_memory(launch: Launch, volume: int, ranks: int) -> None:
    """Refuse what this machine cannot hold, before the kernel ends something to make room.

    ranks: that hold `volume` bytes, or such pairs.
    """
    if launch.elsewhere:
        return
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    copies = _COPIES * ranks
    if volume * copies > 0.9 * memory:
        raise LapwingError(
            f"a volume of {volume} bytes is too much to run here: it takes {copies} times as much "
            f"memory, and this machine has {memory} bytes; at most {int(0.9 * memory / copies)}"
        )
