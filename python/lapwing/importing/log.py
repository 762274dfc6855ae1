"""The text of a log, before anybody knows which tool wrote it."""

import codecs
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import LapwingError

# No benchmark prints as much: whatever is larger was named by mistake.
_LARGEST = 256 << 20  # bytes

# Open MPI's --tag-output, with and without the job; SLURM's --label.
_LAUNCHER = re.compile(r"^(\[[\w.,-]+\]<std\w+>:?\s?|\s*\d+: )")

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Log:
    """A log. path: as the user names it.  lines: without line ends, and without what launchers
    write before each.  ended: whether a line end follows the last line.  digest: of its bytes."""

    path: str
    lines: list[str]
    ended: bool
    digest: str

    def refusal(self, line: int, what: str) -> LapwingError:
        """The error of a line, counted from 1."""
        return LapwingError(f"{self.path}:{line}: {what}")


def read_log(path: str) -> Log:
    """The log in a file. Raises LapwingError if it cannot be read, is empty or no text."""
    try:
        file = Path(path)
        size = file.stat().st_size
        if size > _LARGEST:
            raise LapwingError(
                f"{path}: {size >> 20} MB, too large for a log: at most {_LARGEST >> 20} MB"
            )
        content = file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise LapwingError(
            f"{path}: cannot read the log: {getattr(error, 'strerror', None) or error}"
        ) from None
    text = _text(path, content)
    if not text.strip():
        raise LapwingError(f"{path}: empty; the benchmark wrote nothing")
    lines = [_LAUNCHER.sub("", line) for line in text.splitlines()]
    return Log(path, lines, text.endswith("\n"), hashlib.sha256(content).hexdigest())


def _text(path: str, content: bytes) -> str:
    """The characters of a log. Host names and messages of the system may be in any encoding."""
    if content.startswith(_WIDE):  # Windows PowerShell redirects output so
        return content.decode("utf-16", "replace")
    if b"\0" in content:
        raise LapwingError(f"{path}: is no text, so no log")
    return content.decode("utf-8-sig", "replace")
