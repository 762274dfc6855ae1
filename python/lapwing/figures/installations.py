"""Figures of MPI installations: what their progress hides, and which algorithms they should use."""

from typing import Any

from ..doctor import USES
from ..units import show_size
from .bars import bars
from .curves import curves
from .profile import SIZE
from .spec import About, Spec
from .units import Axis

Documents = list[tuple[str, dict[str, Any]]]

_MOST_RULES = 20
# A rule that gains less says nothing.
_GAINS = 1.005


def overlap_shares(documents: Documents) -> list[Spec]:
    """The share hidden against size, for one operation and side that computes at a time."""
    rows = []
    for label, document in documents:
        for row in document["measured"]["measurements"]:
            of = {
                "installation": f"{document['target']}, {label}",
                "operation": f"{row['transport']} {row['operation']}, {row['computes']} computes",
                "size_bytes": row["size"],
            }
            for use, words in USES.items():
                share, error = row[use]["hidden"], row[use]["error"]
                rows.append({**of, "use": words, "hidden": share, "low": share - error,
                    "high": share + error})  # fmt: skip
    rows.sort(key=lambda row: int(row["size_bytes"]))
    about = About(
        "overlap",
        "What a computation hides",
        "Share of the communication that a computation of the same length hides, against the size: "
        "with nothing called meanwhile, polled, and with two messages in flight.",
        "hidden",
    )
    y = Axis("hidden", "share hidden", "share")
    made = curves(about, rows, SIZE, y, "use", select=["installation", "operation"])
    return [made] if made else []


def tuning_gains(documents: Documents) -> list[Spec]:
    """The predicted speed-up of each rule over the MPI's own choice, where it gains most."""
    rows = [
        {
            "file": label,
            "rule": f"{rule['operation']}, {rule['ranks']} ranks, from {show_size(rule['from'])}: "
            f"{rule['algorithm'] or 'its own'}",
            "what": "gain",
            "gain": rule["gain"],
        }
        for label, document in documents
        for rule in sorted(
            (rule for rule in document["rules"] if (rule["gain"] or 0) > _GAINS),
            key=lambda rule: -float(rule["gain"]),
        )[:_MOST_RULES]
    ]
    about = About(
        "tuned",
        "What other algorithms gain",
        "How many times as fast as the MPI's own choice each rule is predicted to be, where it "
        "gains most.",
        "prediction",
    )
    gain = Axis("gain", "times as fast", "count")
    made = bars(about, rows, "rule", gain, "what", select=["file"])
    return [made] if made else []
