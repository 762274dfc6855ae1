"""`lapwing report` and `lapwing plot`: the content of the page, and refusals."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from documents import check
from typed import Lapwing, run

from lapwing import report
from lapwing.errors import LapwingError
from lapwing.figures import figures
from lapwing.results.documents import load
from lapwing.schema import schema

RESULTS = Path(__file__).parents[2] / "data" / "results"
KEPT = sorted(RESULTS.glob("*.json"))
CSS = (Path(report.__file__).parent / "page.css").read_text(encoding="utf-8")


class Page(HTMLParser):
    """The elements of a page with their attributes, its text, and its data."""

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
        place = next(i for i, text in enumerate(self.texts) if text.startswith('[{"kind"'))
        found: list[dict] = json.loads(self.texts[place])
        return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """A page with every kind of result, and the document that the command prints."""
    folder = tmp_path_factory.mktemp("report")
    words = [*map(str, KEPT), "-o", "report.html", "--title", "A & B", "--json"]
    return folder / "report.html", run(folder, "report", *words).document


def test_what_is_kept_is_what_is_written() -> None:
    kinds = set()
    for file in KEPT:
        document = json.loads(file.read_text(encoding="utf-8"))
        kinds.add(document["lapwing"])
        if document["lapwing"] != "trace":
            jsonschema.Draft202012Validator(schema(document["lapwing"])).validate(document)
    assert len(kinds) >= 12


def test_page(made: tuple[Path, dict]) -> None:
    path, said = made
    check("report", said)
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert len(text) < 500_000
    assert "<h1>A &amp; B</h1>" in text
    # The page loads nothing from elsewhere.
    assert not page.all("link") and not page.all("img") and not page.all("iframe")
    assert all((a.get("href") or "").startswith("#") for a in page.all("a"))
    assert all("src" not in script for script in page.all("script"))
    assert "default-src 'none'" in text
    # Each figure has a description, a keyboard focus, and its numbers.
    names = [figure["name"] for figure in page.figures]
    assert names == [figure["id"] for figure in page.all("figure")]
    assert names == [figure["name"] for figure in said["figures"]]
    pictures = [svg for svg in page.all("svg") if svg.get("class") == "picture"]
    assert len(pictures) == len(names) == len(page.all("details"))
    for picture in pictures:
        assert picture["tabindex"] == "0"
        assert len(picture["aria-label"] or "") > 60
    # Findings come before the figures.
    for each in said["found"]:
        assert each["what"][-1] == "."
    assert text.index('id="found"') < text.index("<figure")


def test_every_kind_of_figure_is_there(made: tuple[Path, dict]) -> None:
    found = {figure["name"]: figure for figure in Page(made[0].read_text("utf-8")).figures}
    assert {figure["section"] for figure in found.values()} == {
        "machine",
        "prediction",
        "loss",
        "hidden",
        "application",
        "timeline",
    }
    names = " ".join(found)
    for part in ("latency-", "bandwidth-", "overhead-", "fairness-", "loss-1", "hidden", "steps-"):
        assert part in names
    for part in ("validated-", "errors-", "plans-predicted", "ft-time", "observed-", "overlap-1"):
        assert part in names
    # The map of losses has the best cell at loss 0, in the column of each volume.
    loss = found["loss-1"]
    for volume in {cell[0] for cell in loss["cells"]}:
        assert min(cell[2] for cell in loss["cells"] if cell[0] == volume) == 0
    # The spread of each measurement is shown.
    points = found["plans-predicted"]["series"]
    assert points[0]["low"] and points[0]["high"]
    assert all(len(each["error"]) == len(each["x"]) for each in points[1:])


def test_the_plan_played_ends_when_it_is_predicted_to(made: tuple[Path, dict]) -> None:
    (steps,) = (f for f in Page(made[0].read_text("utf-8")).figures if "steps-" in f["name"])
    plan = json.loads((RESULTS / "plan.json").read_text(encoding="utf-8"))
    end = max(interval["end"] for interval in steps["intervals"])
    assert end == pytest.approx(plan["predicted"]["seconds"], rel=0.05)
    computed = [each for each in steps["intervals"] if each["what"] == "calculation"]
    assert len(computed) == plan["count"]
    total = sum(each["end"] - each["start"] for each in computed)
    assert total == pytest.approx(plan["compute"]["seconds"], rel=1e-3)


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))


def blocks() -> Iterator[tuple[str, dict[str, str]]]:
    light, dark, paper = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    yield from {
        "light": colours(light),
        "dark": {**colours(light), **colours(dark)},
        "print": {**colours(light), **colours(dark), **colours(paper)},
    }.items()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("name", "found"), list(blocks()))
def test_contrast(name: str, found: dict[str, str]) -> None:
    # Web Content Accessibility Guidelines 2.2: 4.5 for text, 3 for what is drawn.
    for text in ("ink", "dim", "link"):
        assert contrast(found[text], found["page"]) >= 4.5, (name, text)
    assert contrast(found["ink"], found["raised"]) >= 4.5
    for number in range(8):
        assert contrast(found[f"s{number}"], found["page"]) >= 3, (name, number)
    for step in range(5):
        assert contrast(found[f"m{step}"], found[f"m{step + 1}"]) >= 1.3, (name, step)


# The actions of a reader on a copy of the page; the outcome is written to the body.
READER = """<script>
const bad = [];
for (const figure of document.querySelectorAll("figure")) {
  const picture = figure.querySelector(".picture"), readout = figure.querySelector(".readout");
  const press = (key, shiftKey = false) =>
    picture.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  const wrong = (what) => bad.push(`${figure.id}: ${what}`);
  press("ArrowRight");
  if (!readout.textContent) wrong("says nothing of a point");
  const drawn = figure.dataset.drawn;
  for (const key of ["ArrowDown", "End", "+", "-", "0", "Escape"]) press(key);
  press("ArrowRight", true);
  press("0");
  if (figure.dataset.drawn !== drawn) wrong("has not all its points again");
  for (const log of figure.querySelectorAll(".tools button[aria-pressed]")) {
    log.click();
    log.click();
  }
  if (figure.dataset.drawn !== drawn) wrong("loses points by its axes");
  const curve = figure.querySelector(".legend button");
  if (curve) {
    curve.click();
    if (curve.getAttribute("aria-pressed") !== "false") wrong("keeps a curve");
    curve.click();
  }
  if (figure.dataset.drawn !== drawn) wrong("does not draw a curve again");
  if (picture.innerHTML.includes("NaN")) wrong("draws what is no number");
}
document.body.dataset.bad = bad.join(" | ");
document.body.dataset.read = "yes";
</script></body>"""


def test_browser(made: tuple[Path, dict], tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium: the page is not drawn, only its structure is tested")
    text = made[0].read_text(encoding="utf-8").replace("</body>", READER)
    (tmp_path / "read.html").write_text(text, encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    options += [f"--user-data-dir={tmp_path / 'browser'}", "--enable-logging=stderr", "--v=0"]
    ended = subprocess.run(
        [browser, *options, "--dump-dom", str(tmp_path / "read.html")],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in ended.stderr, ended.stderr
    page = Page(ended.stdout)
    (body,) = page.all("body")
    assert (body["data-read"], body["data-bad"]) == ("yes", "")
    for figure in page.all("figure"):
        assert int(figure["data-drawn"] or 0) > 0, figure["id"]


def test_plots(lapwing: Lapwing, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = [str(RESULTS / name) for name in ("stream.json", "compress.json")]
    listed = lapwing("plot", *words, "--list", "--json").document
    check("plot", listed)
    names = [figure["name"] for figure in listed["figures"]]
    chosen = [word for name in names[:2] for word in ("--figure", name)]
    drawn = lapwing("plot", *words, *chosen, "-o", "two.svg", "--json").document
    assert [figure["name"] for figure in drawn["figures"]] == names[:2]
    assert "<svg" in (tmp_path / "two.svg").read_text(encoding="utf-8")
    said = lapwing("plot", *words, "--figure", names[0][:-1] + "x", "-o", "x.svg").complaint
    assert f'did you mean "{names[0]}"?' in said
    assert "exists already" in lapwing("plot", *words, "-o", "two.svg").complaint


def test_every_figure_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from lapwing.figures.draw import draw

    everything = figures([each for file in KEPT for each in load(str(file))])
    one_of_a_kind = {type(figure): figure for figure in everything}
    assert len(one_of_a_kind) == 4
    for figure in one_of_a_kind.values():
        assert draw([figure], "png").startswith(b"\x89PNG")


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
        report.page(load(str(path)), "")
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
    assert len(page.all("script")) == 2
    assert not page.all("img")


def test_a_profile_from_before(lapwing: Lapwing) -> None:
    earlier = RESULTS.parent / "profiles" / "earlier.json"
    assert "latency" in lapwing("report", str(earlier), "-o", "a.html").table
