"""The blocks of the README and of the pages in docs/, and what their marks say.

Every block is tried (test_pages.py). What a block needs is said in a comment right before it,
which no reader of the page sees:

    <!-- not run: why -->      a session that needs what tests have not: only its commands are read
    <!-- given: declarations -->     what a fragment of C, C++, Fortran or Python refers to
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

IN_TEXT = ", in the text"
_FENCE = re.compile(r"^ {0,3}```(\w*)\s*$")
_MARK = re.compile(r"\s*<!-- (not run|given): (.*) -->\s*")
# A command of ours among words: `lapwing plan ...`, but not `lapwing` alone nor `lapwing::plan`.
_COMMAND = re.compile(r"^(?:build/bin/)?lapwing [a-z-]")


@dataclass(frozen=True)
class Block:
    """One block of a page."""

    page: Path
    line: int  # where it begins, from 1
    language: str  # as its fence says; "" where it is none, "indented" without a fence
    marks: dict[str, str]  # "not run", "given"
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """All of a page, in their order."""
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
    """Lines, those that end in a backslash joined with the next."""
    yield from re.sub(r"\\\n\s*", "", text).splitlines()


def words_of(line: str) -> str:
    """A command without its prompt, the comment after it and what takes its output."""
    line = line.strip().removeprefix("$ ")
    return re.split(r"\s{2,}|\s+#\s|\s\|\s|\s>>?\s|\s&&\s|;\s", line, maxsplit=1)[0].strip()


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Every command line of a page, in blocks and in its text, and where it is."""
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
    """Those of `lapwing`, without that word."""
    for where, line in commands(page):
        if _COMMAND.match(line):
            yield where, line.removeprefix("build/bin/").removeprefix("lapwing ")


def session(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a session, and what each is said to print."""
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
    """Whether it printed what the page says; a line `...` stands for any lines."""
    parts = re.split(r"^\.\.\.\n", said, flags=re.MULTILINE)
    return re.fullmatch("(?:.*\n)*?".join(map(re.escape, parts)), printed) is not None
