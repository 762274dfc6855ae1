"""Starting a native program on a target, and reading the document that it writes."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import LapwingError
from .native import choose
from .run import run
from .scratch import scratch
from .target import Target, parse

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Launch:
    """How native programs are started on a target.

    mpi: the MPI by its family, or a path to it; None takes whichever is found.
    options: passed to the MPI launcher unchanged.
    on_progress: called with the fraction done (0 to 1) and a short text.
    settings: environment variables to set; a value of None unsets the variable.
    timeout: seconds after which a run is stopped and has failed; None for no limit.
    """

    target: Target
    mpi: str | None = None
    options: Sequence[str] = ()
    on_progress: Progress | None = None
    settings: Mapping[str, str | None] | None = None
    timeout: float | None = None

    @classmethod
    def on(
        cls,
        target: "str | Launch",
        *,
        ppn: int | None = None,
        mpi: str | None = None,
        options: Sequence[str] = (),
    ) -> "Launch":
        """A launch on the target of a name, such as "mpi:4", "sim:ib4x" or "net:1gbit".

        target: a name, or a launch, which this returns unchanged.
        ppn: ranks on each node; None, the launcher's default.
        mpi, options: as of a launch.

        Raises LapwingError for an unknown target.
        """
        if isinstance(target, Launch):
            return target
        return cls(parse(target, ppn), mpi, options)

    def __call__(self, arguments: Sequence[str], *, program: str = "lapwing-mpi") -> None:
        """Run a native program with `arguments`, until all ranks are done. Raises RunFailed."""
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

    def document(
        self,
        command: Sequence[str],
        options: Mapping[str, object],
        *,
        files: Mapping[str, str | None] | None = None,
        output: str = "--output",
        program: str = "lapwing-mpi",
    ) -> dict[str, Any]:
        """Run a command of a native program and return its JSON document.

        options: as for `as_arguments`.
        files: options that take a file, each with the content of it; None leaves the option out.
        output: the option of the result's file.
        """
        with self.directory() as directory:
            result = directory / "result.json"
            given: dict[str, object] = {output: str(result), **options}
            for option, content in (files or {}).items():
                if content is not None:
                    file = directory / f"{option.lstrip('-')}.json"
                    file.write_text(content, encoding="utf-8")
                    given[option] = str(file)
            self([*command, *as_arguments(given)], program=program)
            found: dict[str, Any] = json.loads(self.result(result))
        return found

    def result(self, output: Path) -> str:
        """The text that a run wrote into the file `output`. Raises LapwingError without one."""
        try:
            return output.read_text(encoding="utf-8")
        except OSError as error:
            raise LapwingError(
                f"{self.target.text}: the run ended without a result: {error.strerror}"
            ) from None

    def part(self, first: float, last: float) -> "Launch":
        """The same launch; its progress counts as the part from `first` to `last` of a whole."""
        return replace(self, on_progress=part_of(self.on_progress, first, last))

    @property
    def family(self) -> str:
        """Which MPI runs on the target: "simgrid", "openmpi", "mpich", "intel" or "any"."""
        return "simgrid" if self.target.kind == "sim" else choose(self.mpi)[0].family

    @property
    def interface(self) -> str:
        """The binary interface of MPI that runs on the target: "smpi", or as of a `Native`."""
        return "smpi" if self.target.kind == "sim" else choose(self.mpi)[1].interface

    @property
    def elsewhere(self) -> bool:
        """Whether ranks may run on other hosts than this one."""
        return self.target.kind == "mpi" and bool(self.options or "SLURM_JOB_ID" in os.environ)

    @contextmanager
    def directory(self) -> Iterator[Path]:
        """A directory for files that ranks read and write, removed at the end of the block."""
        # Other hosts see the working directory, but not this machine's temporary directory.
        with scratch("." if self.elsewhere else None) as directory:
            yield directory.absolute()


def require_room(launch: Launch, what: str, needed: float) -> None:
    """Refuse what this machine cannot hold, before the kernel kills a process for its memory.

    what: the option that asks for it.  needed: bytes of all ranks.
    """
    if launch.elsewhere:
        return
    memory = physical_memory()
    if needed > 0.9 * memory:
        raise LapwingError(
            f"{what}: takes {needed / 1e9:.1f} GB of memory, and this machine has "
            f"{memory / 1e9:.1f} GB; take a smaller one, or a batch allocation"
        )


def part_of(whole: Progress | None, first: float, last: float, name: str = "") -> Progress | None:
    """A callback whose progress counts as the part from `first` to `last` of a whole.

    name: put before each text.
    """
    if whole is None:
        return None

    def show(fraction: float, text: str) -> None:
        whole(first + fraction * (last - first), f"{name}, {text}" if name else text)

    return show


def as_arguments(options: Mapping[str, object]) -> list[str]:
    """Options as words of a command line.

    None and False leave an option out, True gives it without a value, a sequence becomes a list
    with commas, or is left out where it is empty.
    """
    words: list[str] = []
    for name, value in options.items():
        if value is True:
            words.append(name)
        elif isinstance(value, list | tuple):
            words += [name, ",".join(map(str, value))] if value else []
        elif value is not None and value is not False:
            words += [name, str(value)]
    return words


def physical_memory() -> int:
    """Bytes of memory that this machine has."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
