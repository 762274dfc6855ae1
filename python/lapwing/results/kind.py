"""Which document a file holds."""

import json
from pathlib import Path


def kind_of(path: str) -> str | None:
    """The field `lapwing` of the document in a file; None if it holds none."""
    try:
        document = json.loads(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    found = document.get("lapwing") if isinstance(document, dict) else None
    return found if isinstance(found, str) else None
