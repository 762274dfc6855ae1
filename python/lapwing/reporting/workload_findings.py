"""Findings of workloads: what plans hide, and what changed between two runs."""

from statistics import median

from ..figures.comparison import runs_in_words
from ..results.comparison import Change, changes
from ..results.documents import Result
from ..results.sentences import gains, messages_in_words, pays, sweep_judgement
from ..units import show_seconds, show_share, show_size
from .finding import LOST, Document, Finding


def sweeps(results: list[Result]) -> list[Finding]:
    planned = [result for result in results if result.document.get("hidden") is not None]
    if not planned:
        return [Finding(f"{_what(each)}: {sweep_judgement(each.document)}") for each in results]
    if len(planned) == 1:
        return [_one_sweep(planned[0])]
    losing = [each for each in planned if not pays(each.document) or _loses(each.document)]
    return [_all_sweeps(planned), *map(_one_sweep, losing)]


def _all_sweeps(planned: list[Result]) -> Finding:
    """What the plans of several sweeps do together."""
    documents = [result.document for result in planned]
    paying = [each for each in documents if gains(each)]
    if not paying:
        return Finding(
            f"Overlap pays in none of {len(documents)} workloads.",
            "Leave them blocking, or calibrate again: the profile may be of another machine.",
        )
    times = [each["blocking"]["seconds"] / each["plan"]["seconds"] for each in paying]
    hidden = show_share(median(each["hidden"] for each in documents))
    best = [each["best"]["hidden"] for each in documents if "best" in each]
    beside = f"; the best equal messages hide {show_share(median(best))}" if best else ""
    return Finding(
        f"Overlap pays in {len(paying)} of {len(documents)} workloads: the plans are up to "
        f"{max(times):.2f} times as fast as blocking, and hide {hidden} of the communication that "
        f"could be hidden (median){beside}.",
        "Run as planned: lapwing plan prints the messages.",
    )


def _one_sweep(result: Result) -> Finding:
    document = result.document
    return Finding(f"{_what(result)}: {sweep_judgement(document)}", _todo(result))


def _loses(sweep: Document) -> bool:
    return bool(sweep.get("loss", 0.0) > LOST)


def _what(result: Result) -> str:
    sweep = result.document
    place = result.provenance.target or result.label
    return f"{sweep['pattern'].capitalize()} of {show_size(sweep['volume'])}, {place}"


def _todo(result: Result) -> str:
    sweep = result.document
    if not pays(sweep):
        return (
            f"{_what(result)}: leave it blocking, or calibrate again; the profile may be of "
            "another machine."
        )
    if _loses(sweep):
        size = show_size(sweep["best"]["message"])
        return f"{_what(result)}: cut it into messages of {size}, and calibrate again."
    plan = sweep["plan"]
    return f"Send {messages_in_words(plan)}, with {plan['window']} in flight."


def compared(results: list[Result]) -> list[Finding]:
    """For each two runs that have times in common, whether these differ."""
    pairs: dict[tuple[str, str], list[Change]] = {}
    for change in changes(results):
        pairs.setdefault(change.runs, []).append(change)
    return [_pair(of) for of in pairs.values()]


def _pair(of: list[Change]) -> Finding:
    runs = runs_in_words(of[0])
    found = [change for change in of if change.significant]
    if not found:
        return Finding(f"{runs}: none of {len(of)} times differs by more than the noise.")
    worst = max(found, key=lambda change: abs(change.change))
    said = (
        f"{runs}: {len(found)} of {len(of)} times differ by more than the noise, most of all "
        f"{worst.what}, {show_share(abs(worst.change), 1)} {worst.judgement}."
    )
    slower = sum(change.change > 0 for change in found)
    todo = f"{runs}: find out why {slower} of {len(of)} times became longer." if slower else ""
    return Finding(said, todo)


def plan(document: Document, label: str) -> list[Finding]:
    predicted, blocking = document["predicted"]["seconds"], document["blocking"]["seconds"]
    return [
        Finding(
            f"{label}: a plan for a {document['pattern']} of {show_size(document['volume'])} is "
            f"predicted to take {show_seconds(predicted)}, blocking {show_seconds(blocking)}.",
            f"Send {messages_in_words(document)}, with {document['window']} in flight.",
        )
    ]


def sensitivity(document: Document, label: str) -> list[Finding]:
    worst = max(document["over"]["worst"], document["under"]["worst"])
    return [
        Finding(
            f"{label}: with a computation up to four times as short, or ten times as long, as it "
            f"is said to be, the plan loses {show_share(worst, 1)} at most.",
            "Time the computation, or plan with --uncertainty." if worst > LOST else "",
        )
    ]
