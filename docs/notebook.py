"""The notebook as a page of Markdown, on standard output.

build/venv/bin/python docs/notebook.py docs/notebook.ipynb
"""

import json
import sys
from pathlib import Path
from typing import Any


def page(notebook: dict[str, Any]) -> str:
    """Its cells one after another; what was printed when it was last run is not kept in it."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
