"""The sentences of a page, and what makes one hard to read."""

import re
from collections.abc import Iterator

# Words that only this project used so, and what to say; a word of the glossary is among it.
PRIVATE = {
    r"loose(?:ly)?": "independent",
    r"taken": "chosen or CPU steal",
    r"attendance|unattended": "exposed time",
    r"surroundings": "environment",
    r"play(?:s|ed|ing)?": "simulated or engine",
    r"crowd(?:s|ed|ing)?|contests?|finalists?|dealers?": "candidate",
    r"ways? to cut": "candidate",
}

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCED = re.compile(r"^ {0,3}```.*?^ {0,3}```\s*?$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_]*[A-Z0-9`])")
_WORD = re.compile(r"[\w'/%.,-]*\w[\w'/%-]*")
# Participles that do not end in -ed.
_IRREGULAR = (
    r"begun|built|chosen|cut|done|drawn|found|given|got|held|kept|known|left|lost|made|met|paid|put|"
    r"read|run|said|seen|sent|set|shown|spent|split|taken|thought|told|understood|written"
)
_PASSIVE = re.compile(
    rf"\b(?:is|are|was|were|be|been|being)\s+(?:(?:not|never|also|then|all|\w+ly)\s+)*"
    rf"(?:\w+ed|{_IRREGULAR})\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:which|who|whose|whoever|what|whatever|that)\b", re.IGNORECASE)
# In `who exchanges with whom` and `more than that` no relative clause begins.
_POINTING = re.compile(
    r"\b(?:of|for|by|with|at|on|than|as|like|beyond|after|says|so|in) that\b|^That\b"
)
# A clause within a clause, as in `bytes that a rank which computes receives`.
_CHAIN = re.compile(
    r"\b(?:which|who|whose|that|what)(?: [\w'-]+){0,4} (?:which|who|whose|that|what)\b"
)


def plain(text: str) -> str:
    """Text of Markdown as it is read: links by their words, and `code` as one word."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"`+[^`]+`+", "CODE", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|__", "", text)


def paragraphs(markdown: str) -> Iterator[str]:
    """Paragraphs, items of lists and cells of tables, without blocks, comments and headings."""
    markdown = _FENCED.sub("\n", _COMMENT.sub("\n", markdown))
    collected: list[str] = []
    inside = False  # an item, whose next lines may be indented
    for line in [*markdown.splitlines(), ""]:
        block = line.startswith("    ") and not inside and not collected
        table, item = line.lstrip().startswith("|"), _ITEM.match(line) is not None
        if (table or item or block or not line.strip() or line.startswith("#")) and collected:
            yield plain(" ".join(collected))
            collected = []
        if table:
            yield from (plain(cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        elif line.strip() and not block and not line.startswith("#"):
            collected.append(_ITEM.sub("", line).strip())
        inside = item or (inside and bool(line.strip()))


def words(sentence: str) -> int:
    """The number of words of a sentence."""
    return len(_WORD.findall(sentence))


def sentences(markdown: str) -> list[str]:
    """Every sentence of a page; a cell or an item of less than four words is none."""
    found = [each for text in paragraphs(markdown) for each in _SENTENCE_END.split(text)]
    return [each for each in found if words(each) >= 4]


def passives(sentence: str) -> int:
    """The number of verbs in the passive."""
    return len(_PASSIVE.findall(sentence))


def relative_clauses(sentence: str) -> int:
    """The number of clauses that a `which`, `what`, `who` or `that` begins."""
    return len(_RELATIVE.findall(_POINTING.sub("", sentence)))


def hard(sentence: str) -> list[str]:
    """What makes a sentence hard to read: each reason, or nothing."""
    found = []
    if words(sentence) > 28:
        found.append(f"{words(sentence)} words")
    if passives(sentence) > 1:
        found.append(f"{passives(sentence)} passives")
    if relative_clauses(sentence) > 2:
        found.append(f"{relative_clauses(sentence)} clauses with which, what, who or that")
    if chain := _CHAIN.search(_POINTING.sub("", sentence)):
        found.append(f"a clause within a clause, {chain[0]!r}")
    for private, known in PRIVATE.items():
        if match := re.search(rf"\b(?:{private})\b", sentence, re.IGNORECASE):
            found.append(f"{match[0]!r}: say {known}")
    return found
