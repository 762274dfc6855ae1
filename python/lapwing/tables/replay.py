"""The tables of a replayed program."""

from statistics import median
from typing import Any

from rich.console import Group

from ..results.call_site import site_name
from ..units import show_seconds, show_share
from .layout import facts, table, titled


def replay_table(result: dict[str, Any], trace: str | None) -> Group:
    """The table of a replay document. trace: the file with its time line, if there is one."""
    times = [time["seconds"] for time in result["rank_times"]]

    def at(rank: int) -> str:
        return f"{show_seconds(times[rank])}, rank {rank}"

    def told(of: dict[str, Any] | None) -> str:
        if of is None:
            return ""
        share = show_share(of["communication"])
        return f"{show_seconds(of['time']['seconds'])}, {share} of it communication"

    return facts(
        f"{result['events']} events, {result['messages']} messages, {len(times)} ranks",
        [
            ("grid", _grids(result)),
            ("time", told(result)),
            ("when recorded", told(result.get("recorded"))),
            ("first to end", at(times.index(min(times)))),
            ("last to end", at(times.index(max(times)))),
            ("median rank", show_seconds(median(times))),
            ("time line", f"{trace}: open it at ui.perfetto.dev" if trace else ""),
        ],
    )


def _grids(result: dict[str, Any]) -> str:
    """How ranks are more than those recorded, if they are."""
    if "grid" not in result:
        return ""
    recorded, played = (_grid(each["grid"]) for each in (result["recorded"], result))
    return f"{played}, each rank with the work of one of {recorded}"


def _grid(grid: dict[str, Any]) -> str:
    sizes = zip(grid["sizes"], grid["periodic"], strict=True)
    return " x ".join(f"{size} (periodic)" if periodic else f"{size}" for size, periodic in sizes)


_VARIED = {"L": "latency", "G": "time per byte", "o": "overhead"}


def path_tables(result: dict[str, Any]) -> list[Group]:
    """Tables of the longest path and of what the program tolerates, if the document has them."""
    if "critical_path" not in result:
        return []
    made = [_path_table(result)]
    if "tolerance" in result:
        made.append(_tolerance_table(result["tolerance"]))
    sites = [each for each in result["critical_path"]["sites"] if "tolerance" in each]
    return [*made, _sites_table(sites)] if sites else made


def _path_table(result: dict[str, Any]) -> Group:
    path = result["critical_path"]
    whole = path["time"]["seconds"]

    def row(name: str, time: float, *cells: str) -> None:
        made.add_row(name, show_seconds(time), show_share(time / whole if whole else 0.0), *cells)

    made = table(
        ("", "left"),
        ("time", "right"),
        ("share", "right"),
        ("processors", "right"),
        ("under way", "right"),
        ("messages", "right"),
    )
    row("computation", path["computation"]["seconds"], "", "", "")
    for each in path["sites"]:
        row(
            _name(each),
            each["time"]["seconds"],
            show_seconds(each["overhead"]["seconds"]),
            show_seconds(each["flight"]["seconds"]),
            f"{each['counts']['L']:.6g}",
        )
    title = f"the longest path, {show_seconds(whole)} if nothing contends"
    return titled(title, made)


def hiding_tables(result: dict[str, Any]) -> list[Group]:
    """The table of what hiding saves, if the document has it."""
    if "hiding" not in result:
        return []
    found, whole = result["hiding"], result["time"]["seconds"]
    made = table(
        ("", "left"),
        ("exchanges", "right"),
        ("in calls", "right"),
        ("saves", "right"),
        ("", "right"),
        ("behind", "left"),
    )
    for each in found["sites"]:
        saved = each["saved"]["seconds"]
        made.add_row(
            _name(each),
            str(each["count"]),
            show_seconds(each["in_calls"]["seconds"]),
            show_seconds(saved) if each["way"] else "nothing",
            show_share(saved / whole) if each["way"] else "",
            _way(each["way"]),
        )
    saved = found["saved"]["seconds"]
    together = f"together {show_seconds(saved)}, {show_share(saved / whole if whole else 0.0)}"
    title = "saving if exchanges hide behind the computation beside them"
    return [titled(f"{title}, {together}", made)]


def _way(way: dict[str, Any] | None) -> str:
    if way is None:
        return ""
    cut = f", in {way['pieces']} pieces" if way["pieces"] > 1 else ""
    side = "before and after" if way["side"] == "both" else way["side"]
    return f"computation {side}{cut}"


def _name(share: dict[str, Any]) -> str:
    """A call site of the path."""
    site = share["site"]
    return site_name(site) if site else "elsewhere"


def _tolerance_table(found: dict[str, Any]) -> Group:
    shares = [zone["share"] for zone in found["L"]["zones"]]
    made = table(
        ("", "left"), ("counts", "right"), *((f"+{show_share(share)}", "right") for share in shares)
    )
    for name, told in found.items():
        made.add_row(
            f"{name}, {_VARIED[name]}",
            f"{told['slope']:.6g}",
            *(_more(zone) for zone in told["zones"]),
        )
    return titled("how much larger each may be until the program takes so much longer", made)


def _sites_table(sites: list[dict[str, Any]]) -> Group:
    """By how much each may be larger, of the messages of each call site, in the first zone."""
    share = sites[0]["tolerance"]["L"]["zones"][0]["share"]
    made = table(("", "left"), *((name, "right") for name in _VARIED))
    for each in sites:
        zones = (told["zones"][0] for told in each["tolerance"].values())
        made.add_row(_name(each), *(_more(zone) for zone in zones))
    title = (
        f"the same of one call site's messages, until the program takes {show_share(share)} longer"
    )
    return titled(title, made)


def _more(zone: dict[str, Any]) -> str:
    if "seconds_per_byte" in zone:
        rate = zone["seconds_per_byte"]
        return "any" if rate is None else f"{show_seconds(rate * 1e6)}/MB"
    return "any" if zone["seconds"] is None else show_seconds(zone["seconds"])
