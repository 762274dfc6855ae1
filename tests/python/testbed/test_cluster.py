"""Reading TOML files of clusters: their meaning, and one clear line for every error."""

import json
from pathlib import Path

import pytest

import lapwing
from lapwing.errors import LapwingError
from lapwing.testbed import (
    Burst,
    Factor,
    Interface,
    Overhead,
    Routes,
    load_cluster,
    shipped_clusters,
)

GOOD = """
name = "mine"
hosts = 16
[network]
latency = "5us"
bandwidth = "750MB/s"
serialising = true
eager_limit = "8KB"
topology = "flat"
[network.send_overhead]
base = "1.5us"
per_byte = "0.1ns"
[network.receive_overhead]
base = 0.0
[kernels]
add = 3e9
"""


def write(folder: Path, text: str | bytes) -> str:
    file = folder / "mine.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(file)


def test_shipped() -> None:
    assert shipped_clusters() == [
        "elan3",
        "elan4",
        "ethernet",
        "hdr",
        "ib4x",
        "ib4x-tapered",
        "jacquard",
        "ranger",
    ]
    for name in shipped_clusters():
        cluster = load_cluster(name)
        assert cluster.name == name
        assert cluster.description
        assert cluster.hosts == 64


@pytest.mark.parametrize("name", ["jacquard", "elan3", "elan4"])
def test_clusters_are_the_published_machines(name: str) -> None:
    cluster = load_cluster(name)
    machine = Path(lapwing.__file__).parent / "machines" / f"{name}.json"
    profile = json.loads(machine.read_text())
    assert cluster.latency == pytest.approx(profile["loggp"]["L"])
    assert cluster.send_overhead.base == pytest.approx(profile["loggp"]["o_s"])
    assert cluster.receive_overhead.base == pytest.approx(profile["loggp"]["o_r"])
    assert 1 / cluster.bandwidth == pytest.approx(profile["loggp"]["G"])
    assert cluster.serialising == (profile["nic"] == "serialising")
    assert cluster.interface.queue_depth == profile["queue_depth"]
    # How slow the interface is beyond its limit of bytes outstanding is not published.
    assert cluster.interface.outstanding_limit == 0


def test_values(tmp_path: Path) -> None:
    cluster = load_cluster(write(tmp_path, GOOD))
    assert (cluster.hosts, cluster.latency, cluster.bandwidth) == (16, 5e-6, 750e6)
    assert cluster.serialising
    assert cluster.eager_limit == 8192
    assert cluster.send_overhead == Overhead(pytest.approx(1.5e-6), pytest.approx(1e-10))
    assert cluster.receive_overhead == Overhead(0.0, 0.0)
    assert cluster.kernels["add"] == 3e9
    assert cluster.kernels["bzip2"] > 0
    assert cluster.link_latency == 2.5e-6


FACTOR = "[[network.factors]]\nsize = {}\nbandwidth = {}\nlatency = {}\n"


def test_factors(tmp_path: Path) -> None:
    assert load_cluster(write(tmp_path, GOOD)).factors == ()
    steps = FACTOR.format(0, 0.8, 2) + FACTOR.format('"64KB"', 0.9, 11.5)
    cluster = load_cluster(write(tmp_path, GOOD + steps))
    assert cluster.factors == (Factor(0, 0.8, 2.0), Factor(65536, 0.9, 11.5))


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        (FACTOR.format(1, 1, 1), "network.factors[0].size: the first is 0, not 1"),
        (FACTOR.format(0, 1, 1) * 2, "network.factors[1].size: 0 is not above the one before it"),
        (FACTOR.format(0, 0, 1), "network.factors[0].bandwidth: 0 is not between 0.001 and 1000"),
        (FACTOR.format(0, 1, "true"), "network.factors[0].latency: true is not a number"),
        ("[[network.factors]]\nsize = 0\nlatency = 1\n", "network.factors[0].bandwidth: missing"),
        ("[network.factors]\nsize = 0\n", "network.factors: not tables"),
        ("[[network.factors]]\nsise = 0\n", 'unknown key (did you mean "size"?)'),
    ],
)
def test_wrong_factors(tmp_path: Path, steps: str, says: str) -> None:
    with pytest.raises(LapwingError) as error:
        load_cluster(write(tmp_path, GOOD + steps))
    assert says in str(error.value)
    assert "mine.toml" in str(error.value)


@pytest.mark.parametrize(
    ("hosts", "taper", "shape"),
    [
        (64, 1, (8, 8, 8)),
        (64, 2, (8, 8, 4)),
        (128, 1, (16, 8, 16)),
        (256, 1, (16, 16, 16)),
        (512, 1, (32, 16, 32)),
        (18, 2, (6, 3, 3)),
    ],
)
def test_tree(tmp_path: Path, hosts: int, taper: int, shape: tuple[int, int, int]) -> None:
    text = GOOD.replace('"flat"', f'"fat-tree"\ntaper = {taper}').replace("= 16", f"= {hosts}")
    cluster = load_cluster(write(tmp_path, text))
    assert cluster.tree == shape
    assert cluster.link_latency == 1.25e-6


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hosts = 16", "hosts = ", "malformed TOML"),
        ("hosts = 16", "hots = 16", 'hots: unknown key (did you mean "hosts"?)'),
        ("latency =", "latancy =", 'network.latancy: unknown key (did you mean "latency"?)'),
        ("per_byte", "perbyte", 'network.send_overhead.perbyte: unknown key (did you mean "per_by'),
        ("add =", "ad =", 'kernels.ad: unknown key (did you mean "add"?)'),
        ("hosts = 16", "", "hosts: missing"),
        ('latency = "5us"', "", "network.latency: missing"),
        ("serialising = true", "", "network.serialising: missing"),
        ("[network.send_overhead]", "[kernels.fft]", "network.send_overhead: missing"),
        ('"5us"', '"5 parsecs"', 'network.latency: "5 parsecs" is not a time'),
        ('"5us"', '"-5us"', 'network.latency: "-5us" is not between'),
        ('"5us"', "nan", "network.latency: nan is not between"),
        ('"5us"', "inf", "network.latency: inf is not between"),
        ('"5us"', "0", "network.latency: 0 is not between"),
        ('"5us"', "1e3", "network.latency: 1000.0 is not between"),
        ('"5us"', "true", "network.latency: true is not a time"),
        ('"5us"', '["5us"]', "network.latency: ['5us'] is not a time"),
        ('"5us"', "1979-05-27", "is not a time"),
        ('"750MB/s"', '"750MB"', 'network.bandwidth: "750MB" is not a rate'),
        ('"750MB/s"', "1" + "0" * 400, "network.bandwidth: 1000"),
        ('"750MB/s"', "9" * 5000, "malformed TOML"),
        ("= true", '= "yes"', 'network.serialising: "yes" is neither true nor false'),
        ('"8KB"', '"-1"', "network.eager_limit"),
        ('"8KB"', "1e9", "network.eager_limit"),
        ('"flat"', '"ring"', '"ring" is none of "flat", "fat-tree"'),
        ('"flat"', '"torus"', '"torus" is none of "flat", "fat-tree"'),
        ('"flat"', '"torus:4xx4"', '"torus:4xx4" is none of "flat", "fat-tree"'),
        ('"flat"', '"torus:0x16"', '"torus:0x16" is none of "flat", "fat-tree"'),
        ('"flat"', '"dragonfly:4x4"', '"dragonfly:4x4" is none of "flat", "fat-tree"'),
        ('"flat"', '"torus:4x5"', '"torus:4x5" has 20 hosts, not 16'),
        ('"flat"', '"torus:4x4"\ntaper = 2', "network.taper: only a fat tree tapers"),
        ('"flat"', '"dragonfly:8x2x1"', "a group needs at least 8 switches"),
        ('"flat"', '"flat"\ntaper = 1', "network.taper: only a fat tree tapers"),
        ('"flat"', '"fat-tree"\ntaper = 1.5', "network.taper: 1.5 is not a whole number"),
        ('"flat"', '"fat-tree"\ntaper = 0', "network.taper: 0 is not between"),
        ('"flat"', '"fat-tree"\ntaper = 16', "hosts: 16 hosts make no two-level fat tree"),
        ("hosts = 16", "hosts = 1", "hosts: 1 is not between"),
        ("hosts = 16", "hosts = 16.0", "hosts: 16.0 is not a whole number"),
        ("hosts = 16", "hosts = true", "hosts: true is not a whole number"),
        ("hosts = 16", "hosts = 1000000000", "hosts: 1000000000 is not between"),
        ('name = "mine"', "name = 3", "name: 3 is not text"),
        ('name = "mine"', 'name = ""', "name: empty"),
        ("add = 3e9", "add = 0", "kernels.add: 0 is not between"),
        ("base = 0.0", "base = -1e-9", "network.receive_overhead.base"),
        (
            "[network.send_overhead]",
            "[network.send_overhead.base]",
            "network.send_overhead.base: {",
        ),
        ("hosts", "h" + "9" * 5000, "9...: unknown key; known are"),  # found by fuzzing
        ("[kernels]", "x = " + "[" * 5000, "malformed TOML"),
    ],
)
def test_wrong_content(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(LapwingError) as error:
        load_cluster(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert says in message
    assert "\n" not in message
    assert len(message) < len(path) + 250


def test_fat_tree_suggests_a_size(tmp_path: Path) -> None:
    text = GOOD.replace('"flat"', '"fat-tree"').replace("= 16", "= 17")
    with pytest.raises(LapwingError, match="try 16"):
        load_cluster(write(tmp_path, text))


def test_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(LapwingError, match="not UTF-8 text at byte 0"):
        load_cluster(write(tmp_path, b"\xff" + GOOD.encode()))


def test_too_large(tmp_path: Path) -> None:
    with pytest.raises(LapwingError, match="larger than 1 MB"):
        load_cluster(write(tmp_path, "#" * (1 << 21)))


def test_not_a_file(tmp_path: Path) -> None:
    for path, says in [
        (f"{tmp_path}/", "not a file"),
        ("/dev/zero", "not a file"),
        (f"{tmp_path}/none.toml", "No such file"),
        (f"{tmp_path}/{'x' * 300}.toml", "File name too long"),
        (f"{tmp_path}/a\0b.toml", "null"),
    ]:
        with pytest.raises(LapwingError, match=says):
            load_cluster(path)


def test_unknown_name() -> None:
    with pytest.raises(LapwingError) as error:
        load_cluster("ib4")
    assert 'did you mean "ib4x"' in str(error.value)
    assert "elan3, elan4, ethernet, hdr, ib4x, ib4x-tapered, jacquard, ranger" in str(error.value)


def test_messages_are_one_printable_line(tmp_path: Path) -> None:
    path = tmp_path / "a\nb\x1b[31m.toml"
    with pytest.raises(LapwingError) as error:
        load_cluster(str(path))
    assert str(error.value).isprintable()


def test_torus_and_dragonfly(tmp_path: Path) -> None:
    torus = load_cluster(write(tmp_path, GOOD.replace('"flat"', '"torus:8x2"')))
    assert torus.lengths == (8, 2)
    assert torus.links_crossed == 5
    assert torus.link_latency == pytest.approx(1e-6)
    dragonfly = load_cluster(write(tmp_path, GOOD.replace('"flat"', '"dragonfly:2x4x2"')))
    assert dragonfly.lengths == (2, 4, 2)
    assert dragonfly.links_crossed == 5


INTERFACE = (
    GOOD
    + """
[interface]
queue_depth = 64
full_queue = "2us"
outstanding_limit = "4MB"
outstanding_bandwidth = 0.25
bus_bandwidth = "1GB/s"
[[interface.bursts]]
outstanding = 8
base = "2us"
[[interface.bursts]]
outstanding = 16
base = "2.5us"
per_byte = "0.1ns"
[interface.registration]
base = "30us"
per_page = "0.2us"
[interface.routes]
near = [0.8, 1]
far = [0.5, 0.9]
seed = 7
"""
)


def test_interface(tmp_path: Path) -> None:
    plain = load_cluster(write(tmp_path, GOOD))
    assert plain.interface == Interface()
    cluster = load_cluster(write(tmp_path, INTERFACE))
    assert cluster.interface == Interface(
        bursts=(
            Burst(8, Overhead(2e-6)),
            Burst(16, Overhead(2.5e-6, pytest.approx(1e-10))),  # type: ignore[arg-type]
        ),
        queue_depth=64,
        full_queue=2e-6,
        outstanding_limit=4 << 20,
        outstanding_bandwidth=0.25,
        bus_bandwidth=1e9,
        registration=(30e-6, pytest.approx(2e-7)),  # type: ignore[arg-type]
        routes=Routes((0.8, 1.0), (0.5, 0.9), 7),
    )
    assert cluster.digest != plain.digest
    # An empty table says nothing.
    assert load_cluster(write(tmp_path, GOOD + "[interface]\n")).digest == plain.digest


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("queue_depth = 64\n", "", "interface.full_queue: means nothing without queue_depth"),
        ("queue_depth = 64", "queue_depth = 0", "interface.queue_depth: 0 is not between 1 and"),
        ("queue_depth = 64", "queue_dept = 64", "did you mean"),
        ('"4MB"', "-1", "interface.outstanding_limit"),
        (
            'outstanding_limit = "4MB"\n',
            "",
            "outstanding_bandwidth: means nothing without outstanding_limit",
        ),
        (
            "outstanding_bandwidth = 0.25\n",
            "",
            "outstanding_limit: means nothing without outstanding_bandwidth",
        ),
        ("bandwidth = 0.25", "bandwidth = 1.5", "1.5 is not between 0.001 and 1"),
        ('"1GB/s"', '"700MB/s"', "interface.bus_bandwidth: less than the bandwidth of one"),
        ("outstanding = 16", "outstanding = 8", "interface.bursts[1].outstanding: 8 is not above"),
        ("outstanding = 16", "outstanding = 0", "0 is not between 1 and"),
        ('per_page = "0.2us"', 'page = "0.2us"', "interface.registration.page: unknown key"),
        ("near = [0.8, 1]", "near = [1, 0.8]", "interface.routes.near: [1, 0.8]: the slowest"),
        ("near = [0.8, 1]", "near = 0.8", "interface.routes.near: 0.8 is not [slowest, fastest]"),
        ("near = [0.8, 1]", "near = [0, 1]", "0 is not between 0.001 and 1"),
        ("seed = 7", "seed = -7", "-7 is not between 0 and"),
        ("[interface]", "[[interface]]", ""),
    ],
)
def test_mistakes_in_an_interface(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in INTERFACE
    with pytest.raises(LapwingError) as caught:
        load_cluster(write(tmp_path, INTERFACE.replace(old, new, 1)))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
