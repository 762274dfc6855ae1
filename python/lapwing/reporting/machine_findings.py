"""Findings of machines and their MPI: what they cost, hide, and should use."""

from ..measurements.cell import Typical
from ..measurements.document import measurements_in
from ..results.documents import Result
from ..units import show_seconds, show_size
from .finding import LOST, Document, Finding, ended

# A finding mentions predictions with a larger relative error.
_FAR = 0.1
# Predictions off by less are exact.
_EXACT = 1e-3


def doctor(document: Document, label: str) -> list[Finding]:
    made = []
    for finding in document["findings"]:
        advice = next((each["do"] for each in finding["advice"] if each["recommended"]), "")
        made.append(Finding(f"{document['target']}: {ended(finding['what'])}", ended(advice)))
    if not made:
        made.append(Finding(f"Overlap is {document['verdict']} on {document['target']}."))
    return made


def profiles(results: list[Result]) -> list[Finding]:
    return [_profile(result) for result in results]


def _profile(result: Result) -> Finding:
    document = result.document
    loggp = document["loggp"]
    rate = f", {1e-6 / loggp['G']:.4g} MB/s" if loggp["G"] else ""
    latency = show_seconds(loggp["L"]) if loggp["L"] else "too short to tell from the overhead"
    said = (
        f"{result.label}: latency {latency}, overhead {show_seconds(loggp['o_s'])} to send and "
        f"{show_seconds(loggp['o_r'])} to receive{rate}."
    )
    warned = document.get("warnings", [])
    # Nothing disturbs a simulated machine, and nothing makes it quieter.
    if not warned or result.provenance.simulated:
        return Finding(said)
    more = f", and {len(warned) - 1} more warnings" if len(warned) > 1 else ""
    return Finding(
        f"{said} Warning: {ended(warned[0])[:-1]}{more}.",
        f"{result.label}: calibrate again when the machine is quiet.",
    )


def validate(document: Document, label: str) -> list[Finding]:
    from ..tables.validate import summary

    said, worst = document["summary"], abs(document["summary"]["worst"])
    if worst < _EXACT:
        return [Finding(f"{label}: all {said['cells']} predictions are exact to 0.1 %.")]
    todo = (
        "Trust plans least where predictions are furthest off; calibrate there."
        if worst > _FAR
        else ""
    )
    return [Finding(f"{label}: {summary(said)}", todo)]


def predict(document: Document, label: str) -> list[Finding]:
    winners: dict[str, int] = {}
    cells: dict[tuple[int, int], Document] = {}
    for each in document["predictions"]:
        at, seconds = (each["ranks"], each["size"]), each["predicted"]["seconds"]
        if at not in cells or seconds < cells[at]["predicted"]["seconds"]:
            cells[at] = each
    for each in cells.values():
        winners[each["algorithm"]] = winners.get(each["algorithm"], 0) + 1
    first, most = max(winners.items(), key=lambda winner: winner[1])
    worst = max(cells.values(), key=lambda each: float(each["predicted"]["seconds"]))
    among = document["algorithm"] in ("all", "best") and len(winners) > 1
    said = (
        f"{document['operation']}: up to {show_seconds(worst['predicted']['seconds'])}, with "
        f"{show_size(worst['size'])} on {worst['ranks']:,} ranks"
    )
    if among:
        said += f"; {first} is quickest in {most} of {len(cells)} cases"
    todo = "Have your MPI choose so: lapwing tune writes its file." if among else ""
    return [Finding(f"{said}.", todo)]


def tune(document: Document, label: str) -> list[Finding]:
    gains = [rule["gain"] for rule in document["rules"] if rule["gain"] is not None]
    if not gains:
        return [Finding(f"{label}: no rule is known to gain anything.")]
    said = (
        f"{label}: {len(document['rules'])} rules, up to {max(gains):.3g} times as fast as before."
    )
    todo = f"Use {document['file']}." if document["file"] else "Write them with -o."
    return [Finding(said, todo)]


def measured(document: Document, label: str) -> list[Finding]:
    """What the library's own choice loses, over all measured setups."""
    groups: dict[tuple[str, int], list[Typical]] = {}
    typical = measurements_in(document).typical()
    for each in typical:
        groups.setdefault((each.setup.title, each.setup.size), []).append(each)
    losses = []
    for rows in groups.values():
        own = next((row for row in rows if row.setup.is_default), None)
        if own is not None and len(rows) > 1:
            losses.append(own.seconds / min(row.seconds for row in rows))
    said = f"{label}: {len(typical)} times of collectives, in {len(document['cells'])} measurements"
    if not losses:
        return [Finding(f"{said}.")]
    mean = sum(losses) / len(losses)
    todo = ""
    if mean > 1 + LOST:
        todo = "Have your MPI choose better: lapwing tune writes its file."
    return [
        Finding(
            f"{said}; the library's own choice takes {mean:.2f} times the best on average.", todo
        )
    ]
