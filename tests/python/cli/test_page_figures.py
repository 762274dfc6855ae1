"""The simulated figures of the pages, against the output of the commands beside them.

Simulated time is the same everywhere, so that figures must come out again to the last digit. Most
take minutes: they are printed again only if LAPWING_FIGURES is set, and before a release.

    LAPWING_FIGURES=1 build/venv/bin/python -m pytest tests/python/cli/test_page_figures.py

Those of real machines (docs/real.md) need measurements that are not part of the project: the folder
that stands as DIR in their commands is named by LAPWING_DATA.
"""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import PAGES, ROOT, Figures, printed_again, simulated_figures
from typed import COMMAND, Lapwing, environment

FIGURES = [each for page in PAGES for each in simulated_figures(page)]
ASKED = FIGURES if os.environ.get("LAPWING_FIGURES") else []
DATA = os.environ.get("LAPWING_DATA")


def printed(command: str, folder: Path) -> str:
    """The output of a command in a folder from which it sees the project's folders."""
    for name in ("bench", "build", "docs", "examples"):
        (folder / name).symlink_to(ROOT / name)
    variables = environment(COLUMNS="80")
    variables["PATH"] = f"{COMMAND.parent}:{variables['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_figures() -> None:
    assert len(FIGURES) > 8
    assert all(each.rows for each in FIGURES)


@pytest.mark.alone
@pytest.mark.parametrize("figures", ASKED, ids=lambda each: each.name)
def test_figures_come_out_again(
    figures: Figures, profile_of: Callable[[str], Path], tmp_path: Path
) -> None:
    command = figures.command
    if "machine.json" in command:
        shutil.copy(profile_of("ib4x"), tmp_path / "machine.json")
    if "--data DIR" in command:
        if DATA is None:
            pytest.skip("LAPWING_DATA names no folder of measurements")
        command = command.replace("--data DIR", f"--data {shlex.quote(os.path.abspath(DATA))}")
    text = printed(command, tmp_path)
    assert not printed_again(figures, text), text


def test_the_picture_is_what_its_command_draws(machine: str, tmp_path: Path) -> None:
    command = "lapwing sweep --on sim:ib4x machine.json --volume 128KB --ratio 1 --json"
    command += " | python3 docs/picture.py"
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")
    assert printed(command, tmp_path) == (ROOT / "docs" / "stream.svg").read_text()


def test_a_figure_of_a_paper(lapwing: Lapwing) -> None:
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert "Titan as printed: 580 us at 16 KB with a stride of 1 KB" in page
    words = ["predict", "titan", "send", "--size", "16KB", "--stride", "1KB"]
    assert "580 us" in lapwing(*words).table


@pytest.mark.parametrize(
    ("row", "same"),
    [
        ("| a | 1.25 | 16 | 2.4 % |", True),
        ("| a | 1.25 | 16 | 2.5 % |", False),
        ("| a | 1.3 | 16 |", True),
        ("| a | 1.255 |", False),
        ("| a | 16 | 1,000 |", False),
        ("| a | -1.25 | 1024 |", True),
    ],
)
def test_what_counts_as_the_same(row: str, same: bool) -> None:
    figures = Figures(ROOT / "README.md", 1, "", (row,), True)
    text = "1000 of them\na: 16 ranks, 1.2512 s  +0.0240 1024\n"
    assert printed_again(figures, text) == ([] if same else [row])
