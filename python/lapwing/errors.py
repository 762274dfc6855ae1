"""What goes wrong in a way the user can mend: one line that says what, where and what to do."""


class LapwingError(Exception):
    """An error meant for people: shown as one line, without a traceback.

    `message` is folded to one printable line whatever it quotes (file names, parser messages).
    `exit_status` is what the command exits with: 2, it was asked wrongly or could not run.
    """

    exit_status: int = 2

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))


class RunFailed(LapwingError):
    """A program that was launched did not finish; the message names the rank where it is known."""


def did_you_mean(word: str, known: list[str]) -> str:
    """` (did you mean "x"?)` when a known word is near `word`, else nothing."""
    # Imported here: only those who mistype pay for it.
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _one_line(text: str) -> str:
    folded = " ".join(text.split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in folded)
