"""bench/bell.py: what it concludes of times, and fat trees with fewer links."""

from pathlib import Path

import bell
import pytest

from lapwing.testbed import load_cluster


def result(seconds: float, messages: float) -> dict:
    """A run that spends `messages` seconds on messages."""
    spent = {"packing": 0.0, "initiation": messages / 2, "completion": 0.0, "waiting": messages / 2}
    return {
        "seconds": seconds,
        "messages": 1,
        "transforms": {name: {"seconds": value} for name, value in spent.items()},
    }


def test_what_is_ahead_of_what() -> None:
    found = {
        ("exchange", "collective"): result(3.0, 2.0),
        ("slabs", "two-sided"): result(1.5, 0.5),
        ("slabs", "rma"): result(1.4, 0.4),
        ("pencils", "two-sided"): result(2.0, 1.0),
        ("pencils", "rma"): result(1.2, 0.2),
    }
    said = "\n".join(bell.comparison(found))
    assert "against the exchange: 2.50 times" in said
    assert "against two-sided pencils: 1.67 times" in said
    assert "the best two-sided way, slabs: 1.25 times" in said
    assert "the best one-sided way, pencils, against it: 1.25 times" in said
    # Nothing can be faster than the computation of the best two-sided way.
    assert "against it: 1.50 times as fast, against the exchange: 3.00" in said


def test_the_fastest_way_measured_and_predicted() -> None:
    entries = [
        {"schedule": "slabs", "transport": "rma", "time": {"seconds": 2e-3}},
        {"schedule": "pencils", "transport": "two-sided", "time": {"seconds": 1e-3}},
    ]
    entries[0]["prediction_error"] = -0.6
    entries[1]["prediction_error"] = 0.1
    measured, predicted = bell.measured_and_predicted(entries)
    assert predicted == pytest.approx({"slabs:rma": 0.8e-3, "pencils:two-sided": 1.1e-3})
    cells = bell.compared(["slabs:rma", "pencils:two-sided"], measured, predicted)
    assert cells == ["2.00 (0.80)", "1.00 (1.10)", "pencils", "slabs, put"]


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ([2.0, 2.0, 2.0], "from 3.0:1 on"),
        ([1.0, 1.0, 1.0], "always"),
        ([9.0, 9.0, 9.0], "never"),
        ([0.5, 1.5, 3.5], "never"),
    ],
)
def test_where_a_way_overtakes_another(second: list[float], says: str) -> None:
    first = [1.0, 1.5, 2.5]
    times = {
        taper: {"a": slow, "b": fast}
        for taper, slow, fast in zip((1, 2, 4), first, second, strict=True)
    }
    assert bell.crossing("a", "b", times) == says


@pytest.mark.parametrize("taper", [1, 2, 4, 8])
def test_tapered_trees_are_clusters(tmp_path: Path, taper: int) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(bell.TAPERED.format(taper=taper, overhead="1.5us"))
    cluster = load_cluster(str(file))
    assert cluster.hosts == bell.HOSTS
    assert cluster.tree == (8, 4, 8 // taper)


def test_clusters_of_the_papers_are_clusters() -> None:
    files = sorted((Path(bell.__file__).parent / "clusters").glob("*.toml"))
    assert len(files) > 3
    for file in files:
        assert load_cluster(str(file)).name
