"""`lapwing plot`: figures as files."""

from pathlib import Path

import pytest
from documents import check
from typed import Lapwing

from lapwing import reporting
from lapwing.figures import figures
from lapwing.figures.spec import VERSION
from lapwing.results.documents import load

RESULTS = Path(__file__).parents[2] / "data" / "results"
KEPT = sorted(RESULTS.glob("*.json"))


def test_plots(lapwing: Lapwing, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    words = [str(RESULTS / name) for name in ("predict.json", "compress.json")]
    listed = lapwing("plot", *words, "--list", "--json").document
    check("plot", listed)
    names = [figure["name"] for figure in listed["figures"]]
    chosen = [word for name in names[:2] for word in ("--figure", name)]
    drawn = lapwing("plot", *words, *chosen, "-o", "two.svg", "--json").document
    assert [figure["name"] for figure in drawn["figures"]] == names[:2]
    assert (tmp_path / "two.svg").read_text(encoding="utf-8").count("<svg") == 3
    said = lapwing("plot", *words, "--figure", names[0][:-1] + "x", "-o", "x.svg").complaint
    assert f'did you mean "{names[0]}"?' in said
    assert "exists already" in lapwing("plot", *words, "-o", "two.svg").complaint
    size = next(f for f in listed["figures"] if f["choices"])["choices"]["size"][1]
    words = ["plot", words[0], "--figure", "predicted-ranks", "--select"]
    assert lapwing(*words, f"size={size}", "-o", "one.svg").status == 0
    assert size in (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert lapwing(*words, f"size={size}", "--title", "Mine", "-o", "mine.svg").status == 0
    assert "Mine" in (tmp_path / "mine.svg").read_text(encoding="utf-8")
    several = ["plot", str(RESULTS / "predict.json"), "--title", "Mine", "-o", "x.svg"]
    assert lapwing(*several).complaint == "--title: is for one figure; choose it with --figure"
    assert 'there is no "9 B"' in lapwing(*words, "size=9 B", "-o", "x.svg").complaint
    assert "must be NAME=VALUE" in lapwing(*words, "size", "-o", "x.svg").complaint


def test_every_figure_can_be_drawn() -> None:
    vl_convert = pytest.importorskip("vl_convert")
    from lapwing.figures.picture import draw

    for figure in figures([each for file in KEPT for each in load(str(file))]):
        # Compiling is what finds a wrong specification; drawing each would take long.
        compiled = vl_convert.vegalite_to_vega(figure, vl_version=VERSION)
        assert compiled["marks"], figure["name"]
    assert draw([figure], "png").startswith(b"\x89PNG")
    assert draw([figure], "svg") == draw([figure], "svg")


def test_the_page_and_plots_have_the_same_library() -> None:
    vl_convert = pytest.importorskip("vl_convert")
    said = (Path(reporting.__file__).parent / "vega.js").read_text(encoding="utf-8")[:120]
    assert f"Vega-Lite {VERSION}" in said
    assert VERSION in vl_convert.get_vegalite_versions()
