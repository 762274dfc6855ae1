"""The output of commands: tables and documents on standard output, files, and progress."""

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import LapwingError
from .standard_streams import to_output

if TYPE_CHECKING:
    from rich.console import RenderableType

_WIDTH = 80
_PATIENCE = 2  # seconds


def print_text(text: str) -> None:
    """Print a text as it is, with a line end after it."""
    with to_output():
        sys.stdout.write(text if text.endswith("\n") else text + "\n")


def print_document(document: str) -> None:
    """Print a JSON document as it is."""
    print_text(document)


def print_tables(*tables: "RenderableType") -> None:
    """Print tables and lines for people, at most 80 columns wide.

    A Text with `no_wrap`, a command to be typed, is as long as it is.
    """
    from rich.console import Console
    from rich.text import Text

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise  # or it would end the process, with status 1

    console = Output(markup=False, highlight=False, emoji=False)
    if console.width > _WIDTH:
        console.width = _WIDTH
    with to_output():
        for table in tables:
            console.print(table, soft_wrap=isinstance(table, Text) and table.no_wrap)


def dump(value: Any) -> str:
    """A value as a JSON document."""
    import json

    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def require_free(path: str | None, force: bool, option: str = "-o") -> None:
    """Refuse a file that exists or cannot be written, before anything runs.

    option: that names it.
    """
    if path is None:
        return
    if not path:
        raise LapwingError(f"{option}: empty; name a file")
    file = Path(path)
    if file.is_dir():
        raise LapwingError(f"{path}: is a directory; name a file after {option}")
    if not force and os.path.lexists(file):
        raise LapwingError(f"{path}: exists already; name another file, or overwrite with --force")
    if not file.parent.is_dir():
        raise LapwingError(f"{path}: {file.parent} is no directory; make it first")
    if not os.access(file.parent, os.W_OK):
        raise LapwingError(f"{path}: cannot write: no permission in {file.parent}")


def write_whole(path: str, content: str | bytes | Callable[[BinaryIO], None], force: bool) -> None:
    """Write a file whole or not at all. It replaces an existing file only by `force`.

    content: what is in it, or what writes that.
    """
    part = ""
    try:
        handle, part = tempfile.mkstemp(prefix=".lapwing-", dir=Path(path).parent)
        with open(handle, "wb") as file:
            os.fchmod(handle, 0o666 & ~_umask())
            if callable(content):
                content(file)
            else:
                file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        if force:
            os.replace(part, path)
        else:
            os.link(part, path)  # fails if the file was made meanwhile
    except FileExistsError:
        raise LapwingError(f"{path}: exists already; overwrite with --force") from None
    except OSError as error:
        raise LapwingError(f"{path}: cannot write: {error.strerror}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)


@contextlib.contextmanager
def progress(title: str) -> Iterator[Callable[[float, str], None] | None]:
    """A progress bar on standard error during the block; None unless that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.fields[title]}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("{task.description}", style="dim", markup=False),
    )
    console = Console(stderr=True, markup=False)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=1.0, title=title)

        def show(fraction: float, what: str) -> None:
            bar.update(task, completed=fraction, description=what)

        yield show


@contextlib.contextmanager
def waiting(title: str) -> Iterator[None]:
    """Show on standard error how long the block has run, if its progress is unknown.

    From two seconds on, and only on a terminal.
    """
    if not sys.stderr.isatty():
        yield
        return
    ended, begin = threading.Event(), time.monotonic()

    def tell() -> None:
        said, pause = "", _PATIENCE
        while not ended.wait(pause):
            said, pause = f"{title}, {time.monotonic() - begin:.0f} s", 1
            print(f"\r{said}", end="", file=sys.stderr, flush=True)
        if said:
            print(f"\r{' ' * len(said)}\r", end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
