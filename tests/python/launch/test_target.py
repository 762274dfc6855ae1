from pathlib import Path

import pytest

from lapwing.errors import LapwingError
from lapwing.launch import parse
from lapwing.testbed.cluster import load_cluster

SHIPPED = Path(load_cluster.__code__.co_filename).parent / "clusters"


@pytest.mark.parametrize(
    ("text", "kind", "ranks"),
    [
        ("mpi", "mpi", 2),
        ("mpi:16", "mpi", 16),
        ("sim:ib4x", "sim", 2),
        ("sim:ib4x:64", "sim", 64),
        ("net:1gbit", "net", 2),
        ("net:0.5gbit:4", "net", 4),
    ],
)
def test_parse(text: str, kind: str, ranks: int) -> None:
    target = parse(text)
    assert (target.text, target.kind, target.ranks) == (text, kind, ranks)


def test_values() -> None:
    assert parse("net:400mbit").rate == 400_000_000
    cluster = parse("sim:hdr").cluster
    assert cluster is not None
    assert cluster.name == "hdr"


def test_path_with_colons(tmp_path: Path) -> None:
    file = tmp_path / "a:7.toml"
    file.write_text((SHIPPED / "ib4x.toml").read_text())
    assert parse(f"sim:{file}").ranks == 2
    assert parse(f"sim:{file}:5").ranks == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "unknown target"),
        ("mpj:2", 'did you mean "mpi"'),
        ("simu:ib4x", 'did you mean "sim"'),
        ("mpi:", "whole number"),
        ("mpi:0", "whole number"),
        ("mpi:-1", "whole number"),
        ("mpi:2.5", "whole number"),
        ("mpi:two", "whole number"),
        ("mpi:²", "whole number"),
        ("mpi:" + "9" * 5000, "absurd"),
        ("mpi:99999999", "absurd"),
        ("sim:", "name a cluster"),
        ("sim:ib4", 'did you mean "ib4x"'),
        ("sim:nowhere", "hdr, ib4x, ib4x-tapered"),
        ("sim:ib4x:65", "has 64 hosts"),
        ("sim:ib4x:x", "whole number"),
        ("sim:./none.toml", "No such file"),
        ("sim:a\0b.toml", "null"),
        ("net:", "write a number"),
        ("net:fast", "write a number"),
        ("net:1gbit:65", "room for 64"),
        ("net:0.1mbit", "not between"),
        ("net:100gbit", "not between"),
        ("net:-1gbit", "write a number"),
    ],
)
def test_errors(text: str, says: str) -> None:
    with pytest.raises(LapwingError) as error:
        parse(text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.exit_status == 2


def test_ranks_on_each_node() -> None:
    assert parse("sim:ib4x:8").ppn is None
    assert parse("sim:ib4x:8", 4).ppn == 4
    assert parse("sim:ib4x:256", 4).ranks == 256
    assert parse("mpi:4", 2).ppn == 2


@pytest.mark.parametrize(
    ("text", "ppn", "says"),
    [
        ("mpi:4", 3, "do not fill nodes of 3"),
        ("sim:ib4x", 4, "give a multiple of 4"),
        ("sim:ib4x:258", 2, "has 64 hosts: 2 ranks run on each"),
        ("net:1gbit:4", 2, "one rank to a node"),
        ("sim:ib4x-tapered:4", 2, "on a simulated fat tree"),
    ],
)
def test_ranks_on_each_node_refused(text: str, ppn: int, says: str) -> None:
    with pytest.raises(LapwingError) as error:
        parse(text, ppn)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.exit_status == 2
