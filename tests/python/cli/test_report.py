"""`lapwing report`: the content of the page, and refusals."""

import json
import math
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from documents import check
from typed import Lapwing, run

from lapwing import reporting
from lapwing.errors import LapwingError
from lapwing.figures import choices, rows_of, workloads
from lapwing.figures.theme import COLOURS, INK, Mode
from lapwing.reporting.page import LARGEST, SECTIONS
from lapwing.results.documents import load
from lapwing.results.sentences import sweep_judgement
from lapwing.schema import schema

RESULTS = Path(__file__).parents[2] / "data" / "results"
KEPT = sorted(RESULTS.glob("*.json"))


class Page(HTMLParser):
    """The elements of a page with their attributes, its text, and its figures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def figures(self) -> list[dict]:
        place = next(i for i, text in enumerate(self.texts) if text.startswith('[{"$schema"'))
        found: list[dict] = json.loads(self.texts[place])
        return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """A page with every kind of result, and the document that the command prints."""
    folder = tmp_path_factory.mktemp("report")
    words = [*map(str, KEPT), "-o", "report.html", "--title", "A & B", "--json"]
    return folder / "report.html", run(folder, "report", *words).document


@pytest.fixture(scope="module")
def page(made: tuple[Path, dict]) -> Page:
    return Page(made[0].read_text(encoding="utf-8"))


def test_what_is_kept_is_what_is_written() -> None:
    kinds = set()
    for file in KEPT:
        document = json.loads(file.read_text(encoding="utf-8"))
        kinds.add(document["lapwing"])
        if document["lapwing"] != "trace":
            jsonschema.Draft202012Validator(schema(document["lapwing"])).validate(document)
    assert len(kinds) >= 12


def test_page(made: tuple[Path, dict], page: Page) -> None:
    path, said = made
    check("report", said)
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    assert "<h1>A &amp; B</h1>" in text
    # The page loads nothing from elsewhere, and runs no text of a result.
    assert not page.all("link") and not page.all("img") and not page.all("iframe")
    assert all("src" not in script for script in page.all("script"))
    assert "default-src 'none'" in text and "unsafe-eval" not in text
    # Each figure has a description for those who cannot see it.
    names = [figure["name"] for figure in page.figures]
    assert names == [figure["id"] for figure in page.all("figure")]
    assert names == [figure["name"] for figure in said["figures"]]
    charts = [each for each in page.all("div") if each.get("class") == "chart"]
    assert len(charts) == len(names)
    assert all(len(chart["aria-label"] or "") > 40 for chart in charts)
    # No name is given twice, or a link and a script would find the wrong element.
    given = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(given) == len(set(given))
    # Sections fold; the first is open.
    sections = [each for each in page.all("details") if each.get("class") == "section"]
    assert ["open" in section for section in sections] == [True] + [False] * (len(sections) - 1)


def test_the_verdict_comes_first(made: tuple[Path, dict]) -> None:
    text, said = made[0].read_text(encoding="utf-8"), made[1]
    assert text.index('id="verdict"') < text.index('class="section"')
    verdict = said["verdict"]
    assert 1 <= len(verdict["sentences"]) <= 3
    assert verdict["sentences"][0].startswith("Overlap pays in 3 of 3 workloads")
    assert 1 <= len(verdict["do"]) <= 3
    for sentence in [*verdict["sentences"], *verdict["do"]]:
        assert sentence[-1] == "."
    for each in said["found"]:
        assert each["what"][-1] == "."


def test_a_calibration_alone_says_what_to_do_next(lapwing: Lapwing) -> None:
    said = lapwing("report", str(RESULTS / "machine.json"), "-o", "a.html", "--json").document
    assert "latency" in said["verdict"]["sentences"][0]
    assert said["verdict"]["do"] == ["Time a workload on it: lapwing sweep says whether overlap "
        "pays there."]  # fmt: skip


def test_provenance(lapwing: Lapwing, tmp_path: Path) -> None:
    words = [str(RESULTS / "machine.json"), "--volume", "64KB", "--compute", "100us", "--json"]
    done = lapwing("plan", *words, SOURCE_DATE_EPOCH="86400")
    (tmp_path / "plan.json").write_text(done.out)
    document = json.loads(done.out)
    check("plan", document)
    assert document["provenance"]["date"] == "1970-01-02T00:00:00Z"
    assert document["provenance"]["command"].startswith("lapwing plan ")
    assert list(document)[:2] == ["lapwing", "provenance"]
    lapwing("report", "plan.json", "-o", "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    for part in ("1970-01-02T00:00:00Z", "lapwing plan ", document["provenance"]["version"]):
        assert part in text


def test_the_same_results_give_the_same_page(lapwing: Lapwing, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        lapwing("report", *map(str, KEPT), "-o", name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_every_kind_of_figure_is_there(page: Page) -> None:
    found = {figure["name"]: figure for figure in page.figures}
    sections = {figure["usermeta"]["section"] for figure in found.values()}
    assert sections == set(SECTIONS) - {"comparison"}
    expected = "latency bandwidth operations shared loss cuts hidden-workloads plans-predicted "
    expected += "validated predicted-ranks predicted-sizes measured tuned overlap observed "
    expected += "ft-time fft-time overhead-compression steps-plan time-trace"
    assert set(expected.split()) <= set(found)
    # The map of losses has the best cell at loss 0, in the column of each volume.
    loss = rows_of(found["loss"])
    for volume in {cell["volume_bytes"] for cell in loss}:
        assert min(cell["loss"] for cell in loss if cell["volume_bytes"] == volume) == 0


def test_a_dot_is_no_figure(page: Page) -> None:
    for figure in page.figures:
        assert len(rows_of(figure)) > 1, figure["name"]
        for row in rows_of(figure):
            assert all(value is not None for value in row.values())
    machine = json.loads((RESULTS / "stream.json").read_text(encoding="utf-8"))
    sweep = machine["sweeps"][0]
    one = {**sweep, "cells": sweep["cells"][:1]}
    assert workloads.cuts([("", one)]) is None
    assert workloads.loss([("", sweep)]) is None
    assert workloads.predicted([("", sweep)]) is None


def test_no_choice_is_blank(page: Page) -> None:
    chosen = 0
    for figure in page.figures:
        for column, options in choices(figure).items():
            chosen += 1
            assert {row[column] for row in rows_of(figure)} == set(options)
            assert len(options) > 1
        both = list(choices(figure))
        combined = {tuple(row[column] for column in both) for row in rows_of(figure)}
        assert len(combined) == math.prod(map(len, choices(figure).values()))
    assert chosen > 3


def test_nothing_saves_more_than_it_costs(page: Page) -> None:
    (observed,) = (figure for figure in page.figures if figure["name"] == "observed")
    spent = {
        row["exchange"]: row["time_s"] for row in rows_of(observed) if row["what"] == "in calls"
    }
    for row in rows_of(observed):
        assert row["time_s"] <= spent[row["exchange"]]


def test_more_than_everything_hidden_is_explained() -> None:
    document = json.loads((RESULTS / "stream.json").read_text(encoding="utf-8"))
    sweep = {**document["sweeps"][0], "hidden": 1.05}
    assert "105 % of what could be hidden, since messages in flight" in sweep_judgement(sweep)
    figure = workloads.hidden([("", sweep)])
    assert figure is not None
    assert "above 100 %" in figure["description"]


def test_simulated_machines_need_no_quiet(lapwing: Lapwing, tmp_path: Path) -> None:
    profile = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    for target, advised in (("sim:ib4x", False), ("mpi:2", True)):
        profile["machine"]["target"] = target
        profile["warnings"] = ["the clock rate changed"]
        (tmp_path / "m.json").write_text(json.dumps(profile))
        said = lapwing("report", "m.json", "-o", "a.html", "--force", "--json").document
        assert ("quiet" in json.dumps(said)) == advised


def test_two_runs_compared(lapwing: Lapwing, tmp_path: Path) -> None:
    document = json.loads((RESULTS / "stream.json").read_text(encoding="utf-8"))
    sweep = document["sweeps"][0]
    for way in ("blocking", "best", "plan"):
        sweep[way]["error"] = 0.01
    sweep["plan"]["seconds"] *= 1.2  # far more than the noise
    sweep["best"]["seconds"] *= 1.01  # less
    for other in document["sweeps"][1:]:
        other["ratio"] = 7.0  # nothing to compare with
    (tmp_path / "after.json").write_text(json.dumps(document))
    before = str(RESULTS / "stream.json")
    said = lapwing("report", before, "after.json", "-o", "a.html", "--json").document
    assert said["figures"][0]["name"] == "compared"
    first = said["verdict"]["sentences"][0]
    assert first.startswith("after.json against stream.json: 1 of 3 times differ")
    assert "20.0 % slower" in first
    page = Page((tmp_path / "a.html").read_text(encoding="utf-8"))
    judged = {row["what"].partition(",")[0]: row["judgement"] for row in rows_of(page.figures[0])}
    assert judged["plan"] == "slower"
    assert judged["blocking"] == judged["best equal messages"] == "within the noise"


def test_the_plan_played_ends_when_it_is_predicted_to(page: Page) -> None:
    (steps,) = (rows_of(f) for f in page.figures if "steps-" in f["name"])
    plan = json.loads((RESULTS / "plan.json").read_text(encoding="utf-8"))
    assert max(row["end_s"] for row in steps) == pytest.approx(
        plan["predicted"]["seconds"], rel=0.05
    )
    computed = [row for row in steps if row["what"] == "calculation"]
    assert len(computed) == plan["count"]
    total = sum(row["end_s"] - row["start_s"] for row in computed)
    assert total == pytest.approx(plan["compute"]["seconds"], rel=1e-3)


def test_a_page_leaves_out_what_it_has_no_room_for() -> None:
    results = [each for file in KEPT for each in load(str(file))]
    text = reporting.page(results, "", largest=1_100_000)
    assert "The page has no room for" in text
    assert len(text.encode()) < 1_100_000


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_contrast(mode: Mode) -> None:
    # Web Content Accessibility Guidelines 2.2: 4.5 for text, 3 for what is drawn.
    ink = INK[mode]
    assert contrast(ink["ink"], ink["page"]) >= 4.5
    assert contrast(ink["dim"], ink["page"]) >= 4.5
    assert all(contrast(colour, ink["page"]) >= 3 for colour in COLOURS[mode])


# What a reader does to a copy of the page; the outcome is written to the body.
READER = """<script>
(async () => {
  const bad = [], wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const saved = [];
  HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
  for (const section of document.querySelectorAll("details.section")) section.open = true;
  const figures = [...document.querySelectorAll("figure")];
  for (let k = 0; k < 200 && figures.some((figure) => !figure.dataset.drawn); k++) await wait(100);
  for (const figure of figures) {
    if (!(figure.dataset.drawn > 0)) bad.push(`${figure.id}: is not drawn`);
    if (figure.querySelector(".chart").innerHTML.includes("NaN")) bad.push(`${figure.id}: NaN`);
    const select = figure.querySelector("select");
    if (select) {
      select.selectedIndex = select.options.length - 1;
      select.dispatchEvent(new Event("input", { bubbles: true }));
    }
    figure.querySelector(".numbers").open = true;
  }
  for (const button of figures[0].querySelectorAll(".tools button")) button.click();
  for (let k = 0; k < 100 && saved.length < 4; k++) await wait(100);
  if (figures.some((figure) => !figure.querySelector(".numbers td"))) bad.push("no numbers");
  if (document.documentElement.scrollWidth > innerWidth) bad.push("wider than the window");
  document.body.dataset.saved = saved.sort().join(" ");
  document.body.dataset.bad = bad.join(" | ");
})();
</script></body>"""


@pytest.mark.parametrize("width", [1400, 420])
def test_browser(made: tuple[Path, dict], tmp_path: Path, width: int) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium: the page is not drawn, only its structure is tested")
    text, _, end = made[0].read_text(encoding="utf-8").rpartition("</body>")
    (tmp_path / "read.html").write_text(text + READER + end, encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    options += [f"--user-data-dir={tmp_path / 'browser'}", "--enable-logging=stderr", "--v=0"]
    options += [f"--window-size={width},900", "--virtual-time-budget=60000"]
    ended = subprocess.run(
        [browser, *options, "--dump-dom", str(tmp_path / "read.html")],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert "CONSOLE" not in ended.stderr, ended.stderr
    read = Page(ended.stdout)
    (body,) = read.all("body")
    assert body["data-bad"] == ""
    first = read.all("figure")[0]["id"]
    assert body["data-saved"] == " ".join(f"{first}.{end}" for end in ("csv", "json", "png", "svg"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read the result: No such file or directory"),
        (b'{"lapwing": "sweep", "vol', "not a JSON document, or one cut short"),
        (b"", "not a JSON document"),
        (b"\xff\xfe\x00", "not a JSON document"),
        (b"[" * 200_000, "not a JSON document"),
        (b'{"lapwing": "sweep", "volume": NaN}', "not a JSON document"),
        (b"[1, 2]", 'no result of Lapwing: it has no "lapwing"'),
        (b'{"lapwing": 3}', "no result of Lapwing"),
        (b'{"lapwing": "swep"}', 'a "swep" has nothing to show (did you mean "sweep"?)'),
        (b'{"lapwing": "diff"}', 'a "diff" has nothing to show'),
        (b'{"lapwing": "sweep"}', "no whole sweep document"),
        (b'{"lapwing": "sweeps", "sweeps": 4}', "no whole sweeps document"),
        (b'{"lapwing": "trace", "traceEvents": [{"name": "x"}]}', "no whole trace document"),
        (b'{"lapwing": "profile", "loggp": {"G": "x"}}', "no whole profile document"),
        (b'{"lapwing": "plan", "volume": []}', "no whole plan document"),
    ],
)
def test_what_is_no_result(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LapwingError) as complaint:
        reporting.page(load(str(path)), "")
    assert str(complaint.value).startswith(f"{path}: ")
    assert said in str(complaint.value)


def test_refusals(lapwing: Lapwing, tmp_path: Path) -> None:
    machine = str(RESULTS / "machine.json")
    (tmp_path / "there.html").write_text("mine")
    (tmp_path / "cut.json").write_text('{"lapwing": "sweep", "vol')
    for words, said in [
        ((machine,), "missing: -o, a file that ends in .html"),
        ((machine, "-o", "report.pdf"), "name a file that ends in .html"),
        ((machine, "-o", "there.html"), "exists already"),
        ((machine, "-o", "nowhere/a.html"), "no directory"),
        (("-o", "a.html"), "missing: RESULT"),
        ((machine, "cut.json", "-o", "a.html"), "cut.json: not a JSON document, or one cut short"),
    ]:
        assert said in lapwing("report", *words).complaint
    assert (tmp_path / "there.html").read_text() == "mine"
    assert not (tmp_path / "a.html").exists()
    assert lapwing("report", machine, "-o", "there.html", "--force").status == 0
    assert "<!doctype html>" in (tmp_path / "there.html").read_text()


def test_nothing_in_a_result_is_run(lapwing: Lapwing, tmp_path: Path) -> None:
    profile = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    profile["machine"] |= {"target": evil, "processor": evil}
    profile["pairs"] = [
        {
            "name": evil,
            "ranks": [0, 1],
            "loggp": profile["loggp"],
            "error": profile["error"],
            "sizes": [8],
            "half_round_trip": [1e-6],
            "bandwidth": [1e6],
        }
    ]
    (tmp_path / f"{evil[:9].replace('/', '')}.json").write_text(json.dumps(profile))
    name = next(tmp_path.glob("*.json")).name
    lapwing("report", name, "-o", "a.html", "--title", evil)
    page = Page((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert len(page.all("script")) == 4
    assert not page.all("img")


def test_a_profile_from_before(lapwing: Lapwing) -> None:
    earlier = RESULTS.parent / "profiles" / "earlier.json"
    assert "latency" in lapwing("report", str(earlier), "-o", "a.html").table
