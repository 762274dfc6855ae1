"""Benchmarks are scripts: their folder is where their modules are found."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
