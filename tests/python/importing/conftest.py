"""Tests of logs run in a directory of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a directory where logs may be written."""
    monkeypatch.chdir(tmp_path)
