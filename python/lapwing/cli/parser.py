"""A parser of command lines whose errors are one line."""

import argparse
import re
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import LapwingError, did_you_mean
from .output import print_text

_NEGATIVE = re.compile(r"-[.0-9]|-(inf|nan)", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises LapwingError for a wrong command line."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings
        )

    # Whether positional arguments, some of them optional, may stand anywhere.
    intermixed = False
    # Whether the command line of a user's program follows after "--"; it becomes `rest`.
    divided = False

    def error(self, message: str) -> NoReturn:
        """Raise an error with the fault and where to read more."""
        message = re.sub("^argument ", "", message)
        message = re.sub("^the following arguments are required", "missing", message)
        raise LapwingError(f"{message}; see {self.prog} --help")

    def print_help(self, file: Any = None) -> None:
        """Print the help, with an error where that fails: argparse would drop what is left."""
        print_text(self.format_help())

    def parse(self, words: list[str]) -> argparse.Namespace:
        """Read a command line. The error of an unknown option suggests a similar one."""
        read = self.parse_known_intermixed_args if self.intermixed else self.parse_known_args
        rest: list[str] = []
        if self.divided and "--" in words:
            end = words.index("--")
            words, rest = words[:end], words[end + 1 :]
        arguments, unknown = read(_joined(words))
        arguments.rest = rest
        if unknown:
            word = unknown[0].partition("=")[0]
            known = getattr(arguments, "known_options", [])
            raise LapwingError(
                f'unknown argument "{word}"{did_you_mean(word, known)}; '
                f"see {arguments.program} --help"
            )
        return arguments

    def options(self) -> list[str]:
        """All options of this parser."""
        return [name for action in self._actions for name in action.option_strings]


def quantity(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """`read` as the type of an option: its ValueError becomes the parser's error."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def _joined(words: list[str]) -> list[str]:
    """The words with `--volume -8KB` as `--volume=-8KB`: a negative quantity is no option."""
    joined: list[str] = []
    for position, word in enumerate(words):
        before = words[position - 1] if position else ""
        if before == "--launch" or "--launch" in words[:position]:
            joined.append(word)
        elif _NEGATIVE.match(word) and before.startswith("--") and "=" not in before:
            joined[-1] = f"{before}={word}"
        else:
            joined.append(word)
    return joined
