"""Findings in sentences: what results show, and what to do about it."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..measurements.cell import Typical
from ..measurements.document import measurements_in
from ..observing.savings import SIDES
from ..results.call_site import call_site
from ..results.documents import Result, naming_files
from ..results.sentences import compression_judgement, messages_in_words, pays, sweep_judgement
from ..units import show_seconds, show_share, show_size

# A finding mentions predictions with a larger relative error.
_FAR = 0.1
# A finding mentions plans that lose more against equal messages, as a share of blocking.
_LOST = 0.02

Document = dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """One finding. found: what results show.  todo: what to do about it, or empty."""

    found: str
    todo: str = ""


def findings(results: list[Result]) -> list[Finding]:
    """All findings, the most telling first: what to do, then what was measured.

    Raises LapwingError with the file whose content is incomplete.
    """
    made: list[Finding] = []
    for kind, say in _TOGETHER.items():
        of_kind = [result for result in results if result.kind == kind]
        if of_kind:
            with naming_files(*of_kind):
                made += say(of_kind)
    return made


def _each(say: Callable[[Document, str], list[Finding]]) -> Callable[[list[Result]], list[Finding]]:
    return lambda results: [
        finding for result in results for finding in say(result.document, result.label)
    ]


def _sweeps(results: list[Result]) -> list[Finding]:
    planned = [result for result in results if result.document.get("hidden") is not None]
    if not planned:
        return [Finding(f"{each.label}: {sweep_judgement(each.document)}") for each in results]
    made = []
    shares = [result.document["hidden"] for result in planned]
    if len(planned) > 1:
        best = [r.document["best"]["hidden"] for r in planned if "best" in r.document]
        beside = f"; the best of all equal messages {show_share(median(best))}" if best else ""
        made.append(
            Finding(
                f"In {len(planned)} workloads the plans hide {show_share(min(shares))} to "
                f"{show_share(max(shares))} of the communication that could be hidden, "
                f"{show_share(median(shares))} in the middle{beside}.",
            )
        )
    for result in planned:
        if len(planned) == 1 or not pays(result.document) or _loses(result.document):
            said = f"{_what(result.document)}, {result.label}: {sweep_judgement(result.document)}"
            made.append(Finding(said, _todo(result.document, pays(result.document))))
    if len(made) == 1 and len(planned) > 1:
        made[0] = Finding(made[0].found, "Run as planned: lapwing plan prints the messages.")
    return made


def _loses(sweep: Document) -> bool:
    return bool(sweep.get("loss", 0.0) > _LOST)


def _what(sweep: Document) -> str:
    return f"{sweep['pattern'].capitalize()} of {show_size(sweep['volume'])}"


def _todo(sweep: Document, pays: bool) -> str:
    if not pays:
        return "Leave it blocking, or calibrate again: the profile may be of another machine."
    if _loses(sweep):
        best = sweep["best"]
        return (
            f"Cut it into messages of {show_size(best['message'])}, and calibrate again: the "
            "profile and the run do not agree."
        )
    plan = sweep["plan"]
    return f"Send {messages_in_words(plan)}, with {plan['window']} in flight."


def _doctor(document: Document, label: str) -> list[Finding]:
    made = []
    for finding in document["findings"]:
        advice = next((each["do"] for each in finding["advice"] if each["recommended"]), "")
        made.append(Finding(f"{document['target']}: {_ended(finding['what'])}", _ended(advice)))
    if not made:
        made.append(Finding(f"Overlap is {document['verdict']} on {document['target']}."))
    return made


def _ended(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def _validate(document: Document, label: str) -> list[Finding]:
    from ..tables.validate import summary

    far = abs(document["summary"]["worst"]) > _FAR
    todo = "Trust plans least where predictions are furthest off; calibrate there." if far else ""
    return [Finding(f"{label}: {summary(document['summary'])}", todo)]


def _compression(document: Document, label: str) -> list[Finding]:
    plan = document["pipelined"]
    cells = [cell for cell in document["cells"] if cell["hidden"] is not None]
    todo = ""
    if cells and plan["hidden"] is not None:
        best = max(cells, key=lambda cell: float(cell["hidden"]))
        if best["seconds"] < plan["seconds"] * (1 - _LOST):
            todo = (
                f"Collect with tiles of {best['tile']} and {best['window']} in flight: that was "
                "quicker here."
            )
    return [
        Finding(f"Compression on {document['ranks']} ranks: {compression_judgement(plan)}", todo)
    ]


def _timed_transforms(document: Document, label: str) -> list[Finding]:
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
    return [Finding(f"{said}.", f"Transform with the schedule {first['schedule']}.")]


def _transforms(results: list[Result]) -> list[Finding]:
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
        todo = f"Run it with --schedule {first['schedule']}." if len(documents) > 1 else ""
        wrong = [document["schedule"] for document in documents if not document["verified"]]
        if wrong:
            said += f"; the checksums of {', '.join(wrong)} are wrong"
        made.append(Finding(f"{said}.", todo))
    return made


def _observed(document: Document, label: str) -> list[Finding]:
    worth = [each for each in document["exchanges"] if each["verdict"] == "worth it"]
    time = document["time"]["seconds"]
    if not worth:
        return [Finding(f"{label}: no exchange of the program is worth overlapping.")]
    first = worth[0]
    saved = first["saved_in_all"]["seconds"]
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


def _plan(document: Document, label: str) -> list[Finding]:
    predicted, blocking = document["predicted"]["seconds"], document["blocking"]["seconds"]
    return [
        Finding(
            f"{label}: a plan for a {document['pattern']} of {show_size(document['volume'])} is "
            f"predicted to take {show_seconds(predicted)}, blocking {show_seconds(blocking)}.",
            f"Send {messages_in_words(document)}, with {document['window']} in flight.",
        )
    ]


def _sensitivity(document: Document, label: str) -> list[Finding]:
    worst = max(document["over"]["worst"], document["under"]["worst"])
    return [
        Finding(
            f"{label}: with a computation up to four times as short, or ten times as long, as it "
            f"is said to be, the plan loses {show_share(worst, 1)} at most.",
            "Time the computation, or plan with --uncertainty." if worst > _LOST else "",
        )
    ]


def _predict(document: Document, label: str) -> list[Finding]:
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


def _tune(document: Document, label: str) -> list[Finding]:
    gains = [rule["gain"] for rule in document["rules"] if rule["gain"] is not None]
    if not gains:
        return [Finding(f"{label}: no rule is known to gain anything.")]
    said = (
        f"{label}: {len(document['rules'])} rules, up to {max(gains):.3g} times as fast as before."
    )
    todo = f"Use {document['file']}." if document["file"] else "Write them with -o."
    return [Finding(said, todo)]


def _compressed(document: Document, label: str) -> list[Finding]:
    return [
        Finding(
            f"{label}: {show_size(document['read'])} on {document['ranks']} ranks in "
            f"{show_seconds(document['seconds'])}, {document['rate'] / 1e6:.1f} MB/s."
        )
    ]


def _triangulated(document: Document, label: str) -> list[Finding]:
    said = (
        f"{label}: {document['triangles']:,} triangles on {document['ranks']} ranks in "
        f"{show_seconds(document['seconds'])}, {document['schedule']}."
    )
    if document.get("verified", True):
        return [Finding(said)]
    return [Finding(f"{said} They are not those of the sequential triangulation.", "Report it.")]


def _simulated(document: Document, label: str) -> list[Finding]:
    finish = show_seconds(document["finish_ns"] * 1e-9)
    return [
        Finding(f"{label}: the schedule ends after {finish}, {document['messages']:,} messages.")
    ]


def _profile(document: Document, label: str) -> list[Finding]:
    loggp = document["loggp"]
    rate = f", {1e-6 / loggp['G']:.4g} MB/s" if loggp["G"] else ""
    said = (
        f"{label}: latency {show_seconds(loggp['L'])}, overhead {show_seconds(loggp['o_s'])} to "
        f"send and {show_seconds(loggp['o_r'])} to receive{rate}."
    )
    warned = document.get("warnings", [])
    if not warned:
        return [Finding(said)]
    more = f", and {len(warned) - 1} more warnings" if len(warned) > 1 else ""
    return [
        Finding(f"{said} Warning: {_ended(warned[0])[:-1]}{more}.", "Calibrate when it is quiet.")
    ]


def _measured(document: Document, label: str) -> list[Finding]:
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
    if mean > 1 + _LOST:
        todo = "Have your MPI choose better: lapwing tune writes its file."
    return [
        Finding(
            f"{said}; the library's own choice takes {mean:.2f} times the best on average.", todo
        )
    ]


# In this order: what is to be done first, then the measurements behind it.
_TOGETHER: dict[str, Callable[[list[Result]], list[Finding]]] = {
    "sweep": _sweeps,
    "doctor": _each(_doctor),
    "observe": _each(_observed),
    "compress-sweep": _each(_compression),
    "ft": _transforms,
    "fft": _each(_timed_transforms),
    "plan": _each(_plan),
    "sensitivity": _each(_sensitivity),
    "validate": _each(_validate),
    "predict": _each(_predict),
    "tune": _each(_tune),
    "measurements": _each(_measured),
    "profile": _each(_profile),
    "compress": _each(_compressed),
    "triangulation": _each(_triangulated),
    "simulate": _each(_simulated),
}
