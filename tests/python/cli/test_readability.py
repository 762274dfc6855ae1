"""Pages are in short sentences, with the words of the glossary.

A page that has been rewritten is added to READABLE, and stays readable.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest
from pages import PAGES, ROOT
from prose import PRIVATE, hard, passives, relative_clauses, sentences, words

from lapwing.schema import NAMES, schema

READABLE = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs/bell.md",
    "docs/c.md",
    "docs/calibrate.md",
    "docs/calibrate-evidence.md",
    "docs/cg.md",
    "docs/cluster.md",
    "docs/cluster-evidence.md",
    "docs/commands.md",
    "docs/completion.md",
    "docs/compress.md",
    "docs/compress-evidence.md",
    "docs/concepts.md",
    "docs/convert.md",
    "docs/convert-reference.md",
    "docs/demo.md",
    "docs/design.md",
    "docs/doctor.md",
    "docs/doctor-evidence.md",
    "docs/doctor-reference.md",
    "docs/examples.md",
    "docs/examples-evidence.md",
    "docs/fft.md",
    "docs/fft-evidence.md",
    "docs/figures.md",
    "docs/fit.md",
    "docs/forecast.md",
    "docs/ft.md",
    "docs/ft-evidence.md",
    "docs/ft-reference.md",
    "docs/glossary.md",
    "docs/iancu.md",
    "docs/import.md",
    "docs/import-reference.md",
    "docs/is.md",
    "docs/merge.md",
    "docs/nas.md",
    "docs/nas-evidence.md",
    "docs/observe.md",
    "docs/observe-evidence.md",
    "docs/observe-reference.md",
    "docs/one-sided.md",
    "docs/papers.md",
    "docs/plan.md",
    "docs/plan-evidence.md",
    "docs/plan-reference.md",
    "docs/predict.md",
    "docs/predict-evidence.md",
    "docs/predict-reference.md",
    "docs/profile.md",
    "docs/python.md",
    "docs/real.md",
    "docs/record.md",
    "docs/record-reference.md",
    "docs/replay.md",
    "docs/replay-evidence.md",
    "docs/replay-reference.md",
    "docs/report.md",
    "docs/results.md",
    "docs/schema.md",
    "docs/sensitivity.md",
    "docs/show.md",
    "docs/simulate.md",
    "docs/simulate-evidence.md",
    "docs/simulate-reference.md",
    "docs/simulated.md",
    "docs/sweep.md",
    "docs/sweep-evidence.md",
    "docs/transports.md",
    "docs/triangulation.md",
    "docs/triangulation-evidence.md",
    "docs/tune.md",
    "docs/tune-reference.md",
    "docs/tuner.md",
    "docs/tuner-evidence.md",
    "docs/tutorial.md",
    "docs/validate.md",
    "docs/validate-evidence.md",
]

MEAN_WORDS = 15.0
PASSIVE_SHARE = 0.15
CLAUSE_SHARE = 0.25

# What the pages once said, and what they say now.
BEFORE = [
    "bytes that a rank which computes receives, or sends if it produces, all its peers together",
    "One that takes too long among all is taken, and predicted as among fewer, if it is clearly "
    "faster there.",
    "Where what the wire takes does not lie on a straight line between measured sizes, as with "
    "switches of protocol, only measured sizes are played.",
    "Where the system takes of a computing rank's processor for messages on their way, the plan is "
    "that for as much longer a computation, and the handshake of those that wait counts too.",
    "A strided message takes what was measured of it; what that is more than one side by side "
    "takes, the processors at both ends take, half each.",
]
AFTER = [
    "Bytes each computing rank receives (sends, with `produce`), summed over its peers.",
    "A candidate too costly to simulate at full size is still chosen if it is clearly faster at "
    "reduced size.",
    "If messages in flight steal CPU time, Lapwing plans for a computation that is longer by that "
    "time.",
    "NAS FT class A on two ranks over 2 Gbit/s: speed relative to NPB 3.4.",
    "Half of the excess over a contiguous message is charged to the CPU at each end.",
]


def faults(markdown: str) -> list[str]:
    """What is wrong with a page as a whole, and with each sentence of it."""
    all_of_it = sentences(markdown)
    found = [f"{', '.join(why)}: {each}" for each in all_of_it if (why := hard(each))]
    for name, value, most in [
        ("words a sentence", fmean(map(words, all_of_it)), MEAN_WORDS),
        (
            "share of sentences in the passive",
            fmean(passives(x) > 0 for x in all_of_it),
            PASSIVE_SHARE,
        ),
        ("share with a clause", fmean(relative_clauses(x) > 0 for x in all_of_it), CLAUSE_SHARE),
    ]:
        if value > most:
            found.append(f"{name}: {value:.2f}, at most {most:g}")
    return found


def glossary() -> list[str]:
    """The words of the glossary, in its order."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^\| \*\*([^*]+)\*\*", text, re.MULTILINE)


@pytest.mark.parametrize("page", READABLE)
def test_a_page_is_readable(page: str) -> None:
    found = faults((ROOT / page).read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


def said(schema: object) -> Iterator[str]:
    """What a schema says of its fields."""
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name in ("description", "method") and isinstance(value, str):
                yield value
            else:
                yield from said(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from said(value)


@pytest.mark.parametrize("name", NAMES)
def test_fields_of_documents_are_plain(name: str) -> None:
    found = [(each, hard(each)) for text in said(schema(name)) for each in sentences(text)]
    assert not [each for each in found if each[1]]


def beside(header: Path) -> Iterator[str]:
    """The comments of a header that stand beside members."""
    text: list[str] = []
    for line in [*header.read_text(encoding="utf-8").splitlines(), ""]:
        match = re.search(r"///< ?(.*)", line)
        if text and (match is None or not line.lstrip().startswith("///<")):
            yield " ".join(text)
            text = []
        if match:
            text.append(match[1])


def test_the_reference_is_plain(tmp_path: Path) -> None:
    """What comments of public headers and docstrings of the package say."""
    subprocess.run([sys.executable, str(ROOT / "docs" / "reference.py"), str(tmp_path)], check=True)
    texts = [page.read_text(encoding="utf-8") for page in tmp_path.glob("*.md")]
    headers = re.findall(r"^## `(lapwing/.+\.hpp)`", "\n".join(texts), re.MULTILINE)
    assert len(headers) > 50
    texts += [each for name in headers for each in beside(ROOT / "src" / name)]
    # Parameters of a method, which the page has in one paragraph.
    texts = [re.sub(r"(?<=\.) (?=\w+(, \w+)*: )", "\n\n", text) for text in texts]
    found = [(each, why) for text in texts for each in sentences(text) if (why := hard(each))]
    assert not found


@pytest.mark.parametrize("sentence", BEFORE)
def test_what_must_be_decoded_is_found(sentence: str) -> None:
    assert hard(sentence)


@pytest.mark.parametrize("sentence", AFTER)
def test_what_is_plain_passes(sentence: str) -> None:
    assert not hard(sentence)
    assert words(sentence) < 21


def test_a_page_of_such_sentences_is_not_readable() -> None:
    found = faults("\n\n".join(each + "." for each in BEFORE))
    assert len(found) > len(BEFORE)


def test_code_and_figures_are_no_sentences() -> None:
    page = "# A title which is loose\n\n```sh\nloose\n```\n\n    one more loose plan\n\n"
    page += "One `loose` word is here.\n\n<!-- loose -->\n| 1 | two words |\n"
    assert sentences(page) == ["One CODE word is here."]


def test_the_glossary_is_short_and_in_order() -> None:
    known = glossary()
    assert 20 < len(known) <= 30
    assert known == sorted(known, key=str.lower)


def test_pages_use_the_words_of_the_glossary() -> None:
    pages = [page for page in PAGES if page.name != "glossary.md"]
    text = " ".join(page.read_text(encoding="utf-8") for page in pages).lower()
    assert not [each for each in glossary() if each.lower() not in text]


def test_private_words_have_another() -> None:
    known = set(glossary())
    assert all(known & set(instead.split(" or ")) for instead in PRIVATE.values())


@pytest.mark.parametrize(
    "page", ["README.md", "docs/concepts.md", "docs/plan.md", "docs/predict.md"]
)
def test_the_glossary_is_linked(page: str) -> None:
    assert "glossary.md" in (ROOT / page).read_text(encoding="utf-8")
