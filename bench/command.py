"""The `lapwing` command of the build tree, run by benchmarks."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BIN = Path(__file__).parents[1] / "build" / "bin"


def lapwing(*words: object, folder: Path | None = None) -> Any:
    """Run a command and return the document that it prints."""
    command = list(map(str, [BIN / "lapwing", *words, "--json"]))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)
