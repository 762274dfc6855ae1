"""What the names of logs say, by a pattern of the user's: `osu_*_n{ranks}_*`."""

import re
from collections.abc import Sequence
from pathlib import Path

from ..errors import LapwingError, did_you_mean

_NUMBERS = ("nodes", "ranks_per_node", "ranks")
_TEXTS = ("algorithm", "system", "mpi", "run", "value")
FIELDS = (*_NUMBERS, *_TEXTS)

_PIECE = re.compile(r"\*|\?|\{([^{}]*)\}|[^*?{}]+")


class NamePattern:
    """A pattern of file names. `*` stands for any characters, `?` for one, `{ranks}` for a field.

    The fields are those of `Conditions`: numbers of digits, and texts as short as they can be.
    """

    def __init__(self, pattern: str) -> None:
        """Raises LapwingError for an unknown field, or one that is named twice."""
        self.pattern = pattern
        expression = ""
        for match in _PIECE.finditer(pattern):
            piece, name = match[0], match[1]
            if name is None:
                expression += {"*": ".*?", "?": "."}.get(piece) or re.escape(piece)
            elif name in FIELDS:
                if f"<{name}>" in expression:
                    raise LapwingError(f"--names {pattern}: names {{{name}}} twice")
                expression += rf"(?P<{name}>{r'[0-9]{1,9}' if name in _NUMBERS else '.+?'})"
            else:
                near = did_you_mean(name, list(FIELDS))
                raise LapwingError(
                    f"--names {pattern}: unknown {{{name}}}{near}: there are {', '.join(FIELDS)}"
                )
        if "(?P<" not in expression:
            raise LapwingError(f"--names {pattern}: names no field, say {{ranks}}")
        self._expression = re.compile(expression, re.DOTALL)

    def fields(self, path: str) -> dict[str, str | int]:
        """The fields that the name of the file `path` says; none if it is not like the pattern."""
        match = self._expression.fullmatch(Path(path).name)
        said = match.groupdict() if match else {}
        return {name: int(text) if name in _NUMBERS else text for name, text in said.items()}

    def require_any(self, paths: Sequence[str]) -> None:
        """Raises LapwingError if no path is like the pattern."""
        if not any(self.fields(path) for path in paths):
            raise LapwingError(
                f"--names {self.pattern}: no log has such a name, {Path(paths[0]).name} for one"
            )
