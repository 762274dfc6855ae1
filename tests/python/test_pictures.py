"""The pictures of the design page are what the code says now."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_pictures_are_drawn_from_the_code_as_it_is() -> None:
    check = subprocess.run(
        [sys.executable, ROOT / "scripts" / "draw-modules", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")
