"""Running the command as a user does, and how it ends."""

import json
import os
import pty
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forked import run_forked

COMMAND = Path(__file__).parents[3] / "build" / "bin" / "lapwing"


@dataclass(frozen=True)
class Ended:
    """The end of a command: exit status and output."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on standard output, without the provenance, which no two runs share.

        Asserts status 0 and no other output.
        """
        assert (self.status, self.err) == (0, "")
        document = json.loads(self.out)
        document.pop("provenance", None)
        return document

    @property
    def table(self) -> str:
        """The table for people; asserts status 0 and at most 80 columns."""
        assert (self.status, self.err) == (0, "")
        assert max(map(len, self.out.splitlines())) <= 80
        return self.out

    @property
    def complaint(self) -> str:
        """The one line of a refusal; asserts status 2 and no other output."""
        assert (self.status, self.out) == (2, ""), (self.status, self.out, self.err)
        assert self.err.startswith("lapwing: ")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        return self.err[len("lapwing: ") :].rstrip()


Lapwing = Callable[..., Ended]


def environment(**changed: str) -> dict[str, str]:
    """The environment of a command, without variables that a developer may have set."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("LAPWING_", "COLUMNS", "NO_COLOR"))
    }
    return {**kept, **changed}


def run(folder: Path, *words: str, **changed: str) -> Ended:
    there = {"LAPWING_NATIVE_DIR": str(COMMAND.parent), **environment(**changed)}
    return Ended(*run_forked([str(word) for word in words], folder, there, timeout=300))


def on_terminal(folder: Path, *words: str, **changed: str) -> tuple[int, str]:
    """The exit status of a command on a terminal, and what it draws there."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [str(COMMAND), *words],
        cwd=folder,
        env=environment(**{"TERM": "xterm", **changed}),
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        drawn = b""
        while True:
            try:
                drawn += os.read(controller, 4096)
            except OSError:  # the other end is closed
                break
    os.close(controller)
    return process.returncode, drawn.decode()
