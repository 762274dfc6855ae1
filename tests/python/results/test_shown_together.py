"""lapwing.report and lapwing.plot: what the commands make, from results in a program."""

from pathlib import Path

import pytest

import lapwing
from lapwing import LapwingError

RESULTS = Path(__file__).parents[2] / "data" / "results"


@pytest.fixture(scope="module")
def sweep() -> str:
    return str(RESULTS / "stream.json")


def test_a_report_of_a_plan_and_its_machine(tmp_path: Path) -> None:
    machine = lapwing.load_profile("ranger")
    plan = lapwing.plan(machine, volume="1MB", compute="1.4ms")
    report = lapwing.report(machine, plan, title="Ours & theirs")
    assert "Ours &amp; theirs" in report.html
    assert report.sentences
    assert report.sentences[0] in report._repr_html_().replace("&#x27;", "'")
    report.save(str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == report.html
    with pytest.raises(LapwingError, match="exists already"):
        report.save(str(tmp_path / "page.html"))
    report.save(str(tmp_path / "page.html"), force=True)


def test_figures_by_their_names() -> None:
    machine = lapwing.load_profile("ranger")
    first = lapwing.plot(machine)
    assert lapwing.plot(machine, figure=first.name).spec == first.spec
    assert first.name in repr(first)
    with pytest.raises(LapwingError, match='unknown figure "bandwith"'):
        lapwing.plot(machine, figure="bandwith")
    with pytest.raises(LapwingError, match="size: there is no"):
        lapwing.plot(machine, size="12 furlongs")


def test_a_notebook_shows_a_figure_as_a_picture() -> None:
    pytest.importorskip("vl_convert")
    shown = lapwing.plot(lapwing.load_profile("ranger"))._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")


def test_files_and_documents_are_results_too(sweep: str) -> None:
    report = lapwing.report(sweep)
    assert "<title>Lapwing report</title>" in report.html
    with pytest.raises(LapwingError, match="nothing to show"):
        lapwing.report({"lapwing": "nonsense"})
    with pytest.raises(LapwingError, match="a result: no result of Lapwing"):
        lapwing.plot(17)
