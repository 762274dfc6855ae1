"""The blocks of the README and of the pages in docs/, and what their marks say.

Every block is tried (test_pages.py). A comment right before a block, which readers of the page do
not see, says what the block needs:

    <!-- not run: why -->      a session that tests cannot run: only its commands are read
    <!-- given: declarations -->     names that a fragment of C, C++, Fortran or Python uses
    <!-- figures: command -->     the command that prints the figures of a table or block again
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

IN_TEXT = ", in the text"
_FENCE = re.compile(r"^ {0,3}```(\w*)\s*$")
_FIGURES = re.compile(r"<!-- figures: (.*) -->")
_MARK = re.compile(r"\s*<!-- (not run|given): (.*) -->\s*")
# A command of Lapwing in a text: `lapwing plan ...`, but neither `lapwing` nor `lapwing::plan`.
_COMMAND = re.compile(r"^(?:build/bin/)?lapwing [a-z-]")


@dataclass(frozen=True)
class Block:
    """One block of a page."""

    page: Path
    line: int  # of its beginning, from 1
    language: str  # of its fence; "" if it names none, "indented" without a fence
    marks: dict[str, str]  # "not run", "given"
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """All blocks of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    position = 0
    while position < len(lines):
        start = position
        if fence := _FENCE.match(lines[start]):
            end = next(i for i in range(start + 1, len(lines)) if _FENCE.match(lines[i]))
            language, inside, position = fence[1], lines[start + 1 : end], end + 1
        elif lines[start].startswith("    ") and not lines[start - 1].strip():
            end = start
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            language, inside, position = "indented", lines[start:end], end
        else:
            position += 1
            continue
        mark = _MARK.fullmatch(lines[start - 1]) or _MARK.fullmatch(lines[start - 2])
        indent = min((len(x) - len(x.lstrip()) for x in inside if x.strip()), default=0)
        text = "\n".join(x[indent:] for x in inside).rstrip() + "\n"
        yield Block(page, start + 1, language, {mark[1]: mark[2]} if mark else {}, text)


def logical_lines(text: str) -> Iterator[str]:
    """The lines of a text; one that ends in a backslash is joined with the next."""
    yield from re.sub(r"\\\n\s*", "", text).splitlines()


def words_of(line: str) -> str:
    """The words of a command, without prompt, comment, pipes and redirections."""
    line = line.strip().removeprefix("$ ")
    return re.split(r"\s{2,}|\s+#\s|\s\|\s|\s>>?\s|\s&&\s|;\s", line, maxsplit=1)[0].strip()


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Every command line of a page, in blocks and in its text, with its line number."""
    for block in blocks(page):
        if block.language in ("", "indented", "console", "sh"):
            session = any(line.startswith("$ ") for line in block.text.splitlines())
            for line in logical_lines(block.text):
                if not session or line.startswith("$ "):
                    yield block.name, words_of(line)
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("    "):
            for inline in re.findall(r"`([^`]+)`", line):
                for part in re.split(r"\s\|\s", inline):
                    yield f"{page.name}:{number}{IN_TEXT}", words_of(part)


def lapwing_commands(page: Path) -> Iterator[tuple[str, str]]:
    """The commands of `lapwing`, without that word."""
    for where, line in commands(page):
        if _COMMAND.match(line):
            yield where, line.removeprefix("build/bin/").removeprefix("lapwing ")


def session(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a session, with the output that the page shows for each."""
    command, said = "", ""
    for line in logical_lines(block.text):
        if line.startswith("$ "):
            if command:
                yield command, said
            command, said = line[2:], ""
        else:
            said += line + "\n"
    if command:
        yield command, said


def as_said(said: str, printed: str) -> bool:
    """Whether the output is what the page shows; a line `...` stands for any lines."""
    parts = re.split(r"^\.\.\.\n", said, flags=re.MULTILINE)
    return re.fullmatch("(?:.*\n)*?".join(map(re.escape, parts)), printed) is not None


@dataclass(frozen=True)
class Figures:
    """Figures of a page, and the command that prints them.

    rows: each has figures that are in one line of the output; in a table that names a command for
    each row, anywhere in the output.
    """

    page: Path
    line: int
    command: str
    rows: tuple[str, ...]
    in_a_line: bool

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


def simulated_figures(page: Path) -> Iterator[Figures]:
    """The figures that must come out again to the last digit: simulated ones."""
    lines = page.read_text(encoding="utf-8").splitlines()
    command = ""
    marked = False
    for number, line in enumerate(lines, 1):
        if mark := _FIGURES.fullmatch(line):
            marked = True
            yield Figures(page, number, mark[1], tuple(_figures_after(lines[number:])), True)
            continue
        marked = marked and bool(line.strip())  # its rows have been seen
        if marked:
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells[-1:] == ["command"]:
            command = "unknown"
        elif command and cells:
            named = re.fullmatch(r"`([^`]+)`.*", cells[-1])
            command = named[1] if named else command
            known = named or cells[-1].startswith("the same")
            real = re.search(r"net|--mpi", command + line)
            if known and re.search(r"bench/|sim:", command) and not real:
                yield Figures(page, number, command, (cells[-2],), False)
        else:
            command = ""


def _figures_after(lines: list[str]) -> Iterator[str]:
    """The rows of the table, or the lines of the block, at the beginning of `lines`."""
    begin = next(i for i, line in enumerate(lines) if line.strip())
    fenced = _FENCE.match(lines[begin]) is not None
    for line in lines[begin + (1 if fenced else 2) :]:
        if (fenced and _FENCE.match(line)) or not line.strip():
            return
        if re.search(r"\d", line):
            yield line


_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?(\d[\d,]*(?:\.\d+)?)(e[-+]\d+)?(?: ?(%))?")


def printed_again(figures: Figures, printed: str) -> list[str]:
    """The rows of figures that a command's output does not have."""
    lines = printed.splitlines() if figures.in_a_line else [printed]
    numbers = [
        [float(m[1].replace(",", "") + (m[2] or "")) for m in _NUMBER.finditer(line)]
        for line in lines
    ]

    def has(known: list[float], said: re.Match[str]) -> bool:
        digits = said[1].replace(",", "")
        places = len(digits.partition(".")[2])
        scales = (1, 100) if said[3] else (1,)
        return any(
            abs(value * scale - float(digits)) <= 0.5001 * 10**-places
            for value in known
            for scale in scales
        )

    return [
        row
        for row in figures.rows
        if not any(all(has(known, said) for said in _NUMBER.finditer(row)) for known in numbers)
    ]
