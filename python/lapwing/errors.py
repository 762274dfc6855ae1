"""Errors that a user can mend. Each is one line: the fault, its place, and what to do."""

from types import ModuleType


class LapwingError(Exception):
    """An error meant for people: shown as one line, without a traceback.

    The message is made one printable line, whatever file names or parser messages it quotes.
    `exit_status` is the command's: 2, because it was asked wrongly or could not run.
    """

    exit_status: int = 2

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))


class RunFailed(LapwingError):
    """A launched program failed. The message names the rank if it is known."""


def needed(module: str, what: str, extra: str) -> ModuleType:
    """A module that is not always installed. LapwingError says so if it is not.

    what: that needs it.  extra: of Lapwing's package that brings it along.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except (ImportError, RuntimeError) as error:  # mpi4py raises the other if it finds no MPI
        name = module.partition(".")[0]
        raise LapwingError(
            f'{what} needs {name} ({error}): pip install "lapwing[{extra}]"'
        ) from None


def did_you_mean(word: str, known: list[str]) -> str:
    """` (did you mean "x"?)` if a known word is near `word`, else the empty string."""
    # Imported here, so that it costs time only after a typing error.
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1, cutoff=0.65)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _one_line(text: str) -> str:
    folded = " ".join(text.split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in folded)
