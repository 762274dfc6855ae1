"""Findings of programs: what their schedules take, and what overlap would save."""

from ..figures.applications import in_calls
from ..observing.savings import SIDES
from ..results.call_site import call_site
from ..results.documents import Result
from ..results.sentences import compression_judgement
from ..units import show_seconds, show_share, show_size
from .finding import LOST, Document, Finding


def compression(document: Document, label: str) -> list[Finding]:
    plan = document["pipelined"]
    cells = [cell for cell in document["cells"] if cell["hidden"] is not None]
    todo = ""
    if cells and plan["hidden"] is not None:
        best = max(cells, key=lambda cell: float(cell["hidden"]))
        if best["seconds"] < plan["seconds"] * (1 - LOST):
            todo = (
                f"Collect with tiles of {best['tile']} and {best['window']} in flight: that was "
                "quicker here."
            )
    return [
        Finding(f"Compression on {document['ranks']} ranks: {compression_judgement(plan)}", todo)
    ]


def timed_transforms(document: Document, label: str) -> list[Finding]:
    first = min(document["ways"], key=lambda way: float(way["time"]["seconds"]))
    blocking = document["ways"][0]
    size = " x ".join(map(str, document["size"]))
    said = (
        f"{label}: a transform of {size} on {document['ranks']} ranks takes "
        f"{show_seconds(first['time']['seconds'])} as {first['schedule']} over {first['transport']}"
    )
    if blocking is not first:
        longer = blocking["time"]["seconds"] / first["time"]["seconds"]
        said += f"; one exchange takes {longer:.2f} times as long"
    wrong = [way["schedule"] for way in document["ways"] if not way.get("verified", True)]
    if wrong:
        said += f"; {', '.join(wrong)} came to something else"
    return [Finding(f"{said}.", f"{label}: transform with the schedule {first['schedule']}.")]


def transforms(results: list[Result]) -> list[Finding]:
    groups: dict[tuple[str, int], list[Document]] = {}
    for result in results:
        document = result.document
        groups.setdefault((document["class"], document["ranks"]), []).append(document)
    made = []
    for (name, ranks), documents in groups.items():
        first = min(documents, key=lambda document: float(document["seconds"]))
        others = [document for document in documents if document["schedule"] == "exchange"]
        said = (
            f"NAS FT class {name} on {ranks} ranks: {first['schedule']} over {first['transport']} "
            f"takes {show_seconds(first['seconds'])}"
        )
        if others and others[0] is not first:
            whole_exchange = others[0]["seconds"]
            said += (
                f", one exchange {show_seconds(whole_exchange)}: "
                f"{whole_exchange / first['seconds']:.2f} times as long"
            )
        todo = ""
        if len(documents) > 1:
            todo = f"NAS FT class {name} on {ranks} ranks: run it with {first['schedule']}."
        wrong = [document["schedule"] for document in documents if not document["verified"]]
        if wrong:
            said += f"; the checksums of {', '.join(wrong)} are wrong"
        made.append(Finding(f"{said}.", todo))
    return made


def observed(document: Document, label: str) -> list[Finding]:
    worth = [each for each in document["exchanges"] if each["verdict"] == "worth it"]
    time = document["time"]["seconds"]
    if not worth:
        return [Finding(f"{label}: no exchange of the program is worth overlapping.")]
    first = worth[0]
    # On another machine than the profile's, an exchange may cost less than it would save there.
    saved = min(first["saved_in_all"]["seconds"], in_calls(first))
    of_it = f", {show_share(saved / time)} of its time" if time else ""
    where = call_site(document["calls"][first["call"]])
    side = SIDES[first["hidden_behind"]]
    return [
        Finding(
            f"{label}: {len(worth)} of {len(document['exchanges'])} exchanges are worth "
            f"overlapping; the first, {where}, would save a rank {show_seconds(saved)}{of_it}.",
            f"Begin with {where}: hide it behind the computation {side} it.",
        )
    ]


def compressed(document: Document, label: str) -> list[Finding]:
    return [
        Finding(
            f"{label}: {show_size(document['read'])} on {document['ranks']} ranks in "
            f"{show_seconds(document['seconds'])}, {document['rate'] / 1e6:.1f} MB/s."
        )
    ]


def triangulated(document: Document, label: str) -> list[Finding]:
    said = (
        f"{label}: {document['triangles']:,} triangles on {document['ranks']} ranks in "
        f"{show_seconds(document['seconds'])}, {document['schedule']}."
    )
    if document.get("verified", True):
        return [Finding(said)]
    return [Finding(f"{said} They are not those of the sequential triangulation.", "Report it.")]


def simulated(document: Document, label: str) -> list[Finding]:
    finish = show_seconds(document["finish_ns"] * 1e-9)
    return [
        Finding(f"{label}: the schedule ends after {finish}, {document['messages']:,} messages.")
    ]
