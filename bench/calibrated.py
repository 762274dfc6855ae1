"""A calibration that several runs of a benchmark can share."""

from collections.abc import Sequence
from pathlib import Path

from lapwing.launch import Launch
from lapwing.measure.calibrate import calibrate


def calibrated(
    launch: Launch,
    folder: Path | None,
    only: Sequence[str],
    repeat: int = 1,
    wait: float | None = None,
) -> str:
    """The profile of a target, as a document.

    folder: keeps the profile, which is read if it is there already; None, it is not kept.  only:
    parts to measure.  repeat: launches whose medians are taken.  wait: seconds to wait until the
    processors run undisturbed.
    """
    kept = folder / f"{launch.target.text.replace(':', '-')}-{launch.mpi}.json" if folder else None
    if kept and kept.exists():
        return kept.read_text(encoding="utf-8")
    document = calibrate(launch, only=only, wait=wait, repeat=repeat).to_json()
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(document, encoding="utf-8")
    return document
