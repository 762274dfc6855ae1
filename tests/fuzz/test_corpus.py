"""What fuzzing once found, and a little of it anew: read, or refused in one line."""

import random
from pathlib import Path

import pytest
from run import TARGETS, corpus, mutated, seeds, tried


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_is_read_well(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in corpus(name):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        assert tried(name, text) is None, path.name


@pytest.mark.parametrize("name", TARGETS)
def test_what_nobody_would_write(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance, known = random.Random(20), seeds(name)
    for _ in range(100):
        text = mutated(known, chance)
        assert tried(name, text) is None, text
