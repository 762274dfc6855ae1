"""The output of commands: tables and documents on standard output, files, and progress."""

import contextlib
import os
import stat
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
    """A value as JSON; a document of Lapwing with its provenance."""
    import json

    from ..results.provenance import with_provenance

    if isinstance(value, dict):
        value = with_provenance(value)
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def require_free(
    path: str | None, force: bool, option: str = "-o", *, regular: bool = False
) -> None:
    """Refuse a file that exists or cannot be written, before anything runs.

    A pipe, a character device or a redirected stream (/dev/stdout) is free: it is written into.
    option: that names it.  regular: whether only a regular file will do, since ranks write it, or
    readers need its size.
    """
    if path is None:
        return
    if not path:
        raise LapwingError(f"{option}: empty; name a file")
    file = Path(path)
    if file.is_dir():
        raise LapwingError(f"{path}: is a directory; name a file after {option}")
    if _is_stream(path) and not regular:
        return
    if _is_stream(path) or (file.exists() and not file.is_file()):
        raise LapwingError(f"{path}: is no regular file; name one after {option}")
    if not force and os.path.lexists(file):
        raise LapwingError(f"{path}: exists already; name another file, or overwrite with --force")
    if not file.parent.is_dir():
        raise LapwingError(f"{path}: {file.parent} is no directory; make it first")
    if not os.access(file.parent, os.W_OK):
        raise LapwingError(f"{path}: cannot write: no permission in {file.parent}")


def write_whole(path: str, content: str | bytes | Callable[[BinaryIO], None], force: bool) -> None:
    """Write a file whole or not at all. It replaces an existing file only by `force`.

    What is written into instead, by whatever `force`: see `require_free`.
    content: what is in it, or what writes that.
    """
    part = ""
    try:
        if _is_stream(path):
            sys.stdout.flush()  # which may go there, too
            with _open_stream(path) as stream:
                _write(stream, content)
            return
        handle, part = tempfile.mkstemp(prefix=".lapwing-", dir=Path(path).parent)
        with open(handle, "wb") as file:
            os.fchmod(handle, 0o666 & ~_umask())
            _write(file, content)
        if force:
            os.replace(part, path)
        else:
            os.link(part, path)  # fails if the file was made meanwhile
    except FileExistsError:
        raise LapwingError(f"{path}: exists already; overwrite with --force") from None
    except BrokenPipeError:
        raise  # as of standard output: see `to_output`
    except OSError as error:
        raise LapwingError(f"{path}: cannot write: {error.strerror}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)


def _write(file: BinaryIO, content: str | bytes | Callable[[BinaryIO], None]) -> None:
    if callable(content):
        content(file)
    else:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8"))


def _is_stream(path: str) -> bool:
    """Whether a path names a pipe, a character device or a redirected stream of this process."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    kind = found.st_mode
    return stat.S_ISFIFO(kind) or stat.S_ISCHR(kind) or _redirected(found) is not None


def _open_stream(path: str) -> BinaryIO:
    """Open what `_is_stream`, to write at its end."""
    stream = _redirected(os.stat(path))
    if stream is None:
        return open(path, "wb")
    # Opened by its name, a file would be written from its beginning.
    return os.fdopen(os.dup(stream), "wb")


def _redirected(found: os.stat_result) -> int | None:
    """The standard stream that goes to a regular file, or comes from it."""
    if not stat.S_ISREG(found.st_mode):
        return None
    streams = (stream for stream in range(3) if os.path.samestat(os.fstat(stream), found))
    return next(streams, None)


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
