"""The published machines have the figures that their papers print."""

import json

import jsonschema
import pytest

from lapwing import load_profile, machines, plan
from lapwing.errors import LapwingError
from lapwing.schema import schema
from lapwing.testbed import load_cluster

# name: L (one way), o, g in us, G in ns/B, queue depth
PUBLISHED = {
    "jacquard": (5.0, None, None, None, 64),
    "elan3": (3.7, None, None, None, 32),
    "elan4": (1.2, None, None, None, 32),
    "ranger": (1.95, 0.65, 0.65, 1.0, None),
    "ranger-nonblocking": (1.75, 0.85, 0.85, 1.0, None),
    "titan": (13.62, 5.9, 14.6, 4.48, None),
}


def document(name: str) -> dict:
    """The profile document of a machine."""
    read: dict = json.loads(load_profile(name).to_json())
    return read


def test_names() -> None:
    assert machines.names() == sorted(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters(name: str) -> None:
    profile = document(name)
    jsonschema.Draft202012Validator(schema("profile")).validate(profile)
    loggp = profile["loggp"]
    latency, overhead, gap, per_byte, depth = PUBLISHED[name]
    assert loggp["L"] == pytest.approx(latency * 1e-6)
    if overhead is not None:
        assert loggp["o_s"] == loggp["o_r"] == pytest.approx(overhead * 1e-6)
        assert loggp["g"] == pytest.approx(gap * 1e-6)
        assert loggp["G"] == pytest.approx(per_byte * 1e-9)
    assert profile["queue_depth"] == depth
    for said in ("source", "printed", "derived", "assumed", "missing"):
        assert profile["machine"][said], f"{name} does not say what is {said}"
    assert plan(load_profile(name), volume=1 << 20, compute=1e-3).predicted > 0


def test_outstanding_on_quadrics() -> None:
    for name in ("elan3", "elan4"):
        assert document(name)["protocol"]["outstanding"] == 4 << 20


def test_titan_in_log_3p() -> None:
    log3p = document("titan")["log3p"]
    assert (log3p["sizes"], log3p["strides"]) == ([16384], [1024])
    o_mw, o_net, T_mem = (log3p[name][0] for name in ("o_mw", "o_net", "T_mem"))
    l_mw, remote = log3p["l_mw"][0][0], log3p["remote"][0][0]
    assert o_mw + l_mw + T_mem == pytest.approx(452e-6)  # a message to oneself, as printed
    assert o_mw + l_mw + o_net == pytest.approx(remote) == pytest.approx(580e-6)
    assert log3p["ratio"] == [[1]]
    # Packing by hand takes 15 per cent less on average (section 4.3.2).
    assert o_mw + o_net + 2 * log3p["packing"][0][0] == pytest.approx(0.85 * remote, rel=1e-3)


def test_ranger_copies_as_fast_as_published() -> None:
    assert 1 / document("ranger")["kernels"]["copy"] == pytest.approx(0.125e-9)
    assert "sign" in document("ranger")["machine"]["note"]


@pytest.mark.parametrize(
    ("cluster", "name"),
    [("ranger", "ranger-nonblocking"), ("elan4", "elan4"), ("ib4x", "jacquard")],
)
def test_simulated_clusters_match(cluster: str, name: str) -> None:
    simulated, profile = load_cluster(cluster), document(name)
    loggp = profile["loggp"]
    assert simulated.latency == pytest.approx(loggp["L"])
    assert 1 / simulated.bandwidth == pytest.approx(loggp["G"])
    for side, overhead in (("o_s", simulated.send_overhead), ("o_r", simulated.receive_overhead)):
        assert overhead.base == pytest.approx(loggp[side])
        assert overhead.per_byte == 0
    for kernel, rate in profile.get("kernels", {}).items():
        assert simulated.kernels[kernel] == rate
    assert simulated.serialising == (profile["nic"] == "serialising")


def test_a_file_of_that_name_comes_first(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    other = document("titan")
    (tmp_path / "ranger").write_text(json.dumps(other))
    assert document("ranger") == other
    with pytest.raises(LapwingError, match=r"\./titan: cannot read"):
        load_profile("./titan")
    with pytest.raises(LapwingError, match=r"titan\.json: cannot read"):
        load_profile("titan.json")
    with pytest.raises(LapwingError, match=r'titann: no such .*did you mean "titan"\?'):
        load_profile("titann")
