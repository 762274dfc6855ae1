"""A finding: one sentence of what results show, and what to do about it."""

from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]

# A finding mentions plans that lose more against equal messages, as a share of blocking.
LOST = 0.02


@dataclass(frozen=True)
class Finding:
    """One finding.

    found: what results show.  todo: what to do about it, or empty.  subject: the kind of the
    results.
    """

    found: str
    todo: str = ""
    subject: str = ""


def ended(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
