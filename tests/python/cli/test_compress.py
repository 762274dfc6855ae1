"""Parallel compression as a user runs it: round trips, and everything that can go wrong."""

import bz2
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from documents import check
from typed import COMMAND, Lapwing, environment

from lapwing.errors import LapwingError
from lapwing.testbed.namespace import require_network

MPIS = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.mpich"}

# A file that cannot be read from some byte on, as on a broken disk.
_BAD_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
ssize_t pread64(int file, void* into, size_t size, off_t place) {
    if (place + (off_t)size > atol(getenv("BAD_FROM"))) { errno = EIO; return -1; }
    ssize_t (*real)(int, void*, size_t, off_t) = dlsym(RTLD_NEXT, "pread64");
    return real(file, into, size, place);
}
ssize_t pread(int file, void* into, size_t size, off_t place) {
    return pread64(file, into, size, place);
}
"""


@pytest.fixture(params=list(MPIS))
def mpi(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if shutil.which(MPIS[name]) is None:
        pytest.skip(f"no {MPIS[name]}")
    return name


@pytest.fixture
def any_mpi() -> str:
    """Any MPI, for tests that do not depend on it."""
    for name, launcher in MPIS.items():
        if shutil.which(launcher) is not None:
            return name
    pytest.skip("no MPI")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A file of several blocks, half words and half noise."""
    return write_mixed(tmp_path / "text", 1_234_567)


def write_mixed(path: Path, size: int) -> Path:
    numbers = random.Random(7)
    words = [numbers.randbytes(numbers.randrange(2, 9)).hex() for _ in range(3000)]
    content = bytearray()
    while len(content) < size:
        content += " ".join(numbers.choices(words, k=2000)).encode()
        content += numbers.randbytes(8000)
    path.write_bytes(content[:size])
    return path


def left_behind(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if "lapwing" in name or "out" in name)


def test_others_read_it(lapwing: Lapwing, mpi: str, text: Path, tmp_path: Path) -> None:
    words = ["run", "compress", "text", "-o", "out.bz2", "--mpi", mpi, "--block-size", "100k"]
    result = lapwing(*words, "--on", "mpi:2", "--json").document
    check("compress", result)
    packed = (tmp_path / "out.bz2").read_bytes()
    assert (result["read"], result["written"]) == (text.stat().st_size, len(packed))
    assert (result["ranks"], result["block"]) == (2, 100_000)
    assert bz2.decompress(packed) == text.read_bytes()
    readers = [tool for tool in ("bzip2", "pbzip2", "lbzip2") if shutil.which(tool)]
    assert readers
    for tool in readers:
        plain = subprocess.run([tool, "-dc", tmp_path / "out.bz2"], capture_output=True, check=True)
        assert plain.stdout == text.read_bytes(), tool
    assert left_behind(tmp_path) == ["out.bz2"]
    said = lapwing(*words, "--force", "--on", "mpi:2").table
    assert said.startswith("Compressed ")
    assert "It is in out.bz2." in said


def test_over_a_link(lapwing: Lapwing, mpi: str, text: Path, tmp_path: Path) -> None:
    try:
        require_network()
    except LapwingError as error:
        pytest.skip(str(error))
    words = ["text", "-o", "out.bz2", "--mpi", mpi, "--on", "net:1gbit:2", "--json"]
    assert lapwing("run", "compress", *words).document["ranks"] == 2
    assert bz2.decompress((tmp_path / "out.bz2").read_bytes()) == text.read_bytes()


@pytest.mark.nightly
def test_the_same_however_it_is_made(
    lapwing: Lapwing, any_mpi: str, text: Path, tmp_path: Path
) -> None:
    words = ["run", "compress", "--mpi", any_mpi, "--block-size", "100k", "--force"]
    ways = [["--on", f"mpi:{ranks}"] for ranks in (1, 2, 3, 5)]
    ways += [["--on", "mpi:3", "--tile", tile, "--window", "2"] for tile in ("2", "5", "100")]
    ways += [["--on", "mpi:2", "--window", "1"], ["--on", "mpi:2", "ranger"]]
    made = set()
    for way in ways:
        assert lapwing(*words, "text", "-o", "out.bz2", *way).status == 0
        made.add((tmp_path / "out.bz2").read_bytes())
    assert len(made) == 1


@pytest.mark.parametrize("size", [0, 1, 100_000, 100_001, 999_999])
def test_all_sizes_there_and_back(
    lapwing: Lapwing, any_mpi: str, size: int, tmp_path: Path
) -> None:
    write_mixed(tmp_path / "text", size)
    words = ["--mpi", any_mpi, "--on", "mpi:3"]
    assert lapwing("run", "compress", "text", "--block-size", "100k", *words).status == 0
    assert bz2.decompress((tmp_path / "text.bz2").read_bytes()) == (tmp_path / "text").read_bytes()
    done = lapwing("run", "compress", "-d", "text.bz2", "-o", "out", *words, "--json").document
    check("compress", done)
    assert done["written"] == size
    assert (tmp_path / "out").read_bytes() == (tmp_path / "text").read_bytes()


@pytest.mark.parametrize("size", [0, 777_777])
def test_standard_input(lapwing: Lapwing, mpi: str, size: int, tmp_path: Path) -> None:
    write_mixed(tmp_path / "text", size)
    words = ["--mpi", mpi, "--on", "mpi:3", "--block-size", "100k"]
    with subprocess.Popen(["cat", tmp_path / "text"], stdout=subprocess.PIPE) as cat:
        piped(tmp_path, cat.stdout, "run", "compress", "-", "-o", "out.bz2", "--tile", "2", *words)
    assert lapwing("run", "compress", "text", "-o", "file.bz2", *words).status == 0
    assert (tmp_path / "out.bz2").read_bytes() == (tmp_path / "file.bz2").read_bytes()
    with subprocess.Popen(["cat", tmp_path / "out.bz2"], stdout=subprocess.PIPE) as cat:
        piped(tmp_path, cat.stdout, "run", "compress", "-d", "-", "-o", "out", *words)
    assert (tmp_path / "out").read_bytes() == (tmp_path / "text").read_bytes()


def test_standard_input_is_named_so(mpi: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(COMMAND), "run", "compress", "-d", "-", "-o", "out", "--mpi", mpi, "--on", "mpi:2"],
        cwd=tmp_path,
        env=environment(),
        input="no data of bzip2",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lapwing: mpi:2: rank 0: standard input: no bzip2 data")
    assert os.listdir(tmp_path) == []


def piped(folder: Path, source: object, *words: str) -> None:
    done = subprocess.run(
        [str(COMMAND), *words],
        cwd=folder,
        env=environment(),
        stdin=source,  # type: ignore[call-overload]
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.nightly
def test_files_of_other_compressors(lapwing: Lapwing, any_mpi: str, tmp_path: Path) -> None:
    plain = write_mixed(tmp_path / "text", 3_000_000).read_bytes()
    long = bytes(9_000_000)  # a few bytes compressed, more than a rank takes at once
    files = {
        "single": (bz2.compress(plain), plain),
        "two": (bz2.compress(plain[:5]) + bz2.compress(plain[5:]), plain),
        "long": (
            bz2.compress(plain) + bz2.compress(long) + bz2.compress(b"x"),
            plain + long + b"x",
        ),
        "empty": (bz2.compress(b"") * 3, b""),
    }
    # Bytes inside a stream that look like the beginning of one.
    inside = bz2.compress(b"y")[:10]
    files["inside"] = (bz2.compress(inside * 50), inside * 50)
    for tool in ("pbzip2", "lbzip2"):
        if shutil.which(tool):
            words = [tool, "-c", "-k", tmp_path / "text"]
            files[tool] = (subprocess.run(words, capture_output=True, check=True).stdout, plain)
    for name, (packed, expected) in files.items():
        (tmp_path / f"{name}.bz2").write_bytes(packed)
        words = ["run", "compress", "-d", f"{name}.bz2", "-o", "out", "--force"]
        assert lapwing(*words, "--on", "mpi:3", "--mpi", any_mpi).status == 0
        assert (tmp_path / "out").read_bytes() == expected, name


def test_damaged(lapwing: Lapwing, any_mpi: str, text: Path, tmp_path: Path) -> None:
    whole = bz2.compress(text.read_bytes()[:300_000], 1) + bz2.compress(text.read_bytes(), 1)
    second = len(bz2.compress(text.read_bytes()[:300_000], 1))
    damaged = bytearray(whole)
    damaged[second + 5000] ^= 0x40
    for content, says in (
        (bytes(damaged), f"damaged: the stream at byte {second}"),
        (whole[:-1000], f"cut short: the stream at byte {second} does not end"),
        (whole + b"and more", f"no bzip2 data from byte {len(whole)} on"),
        (b"and before" + whole, "no bzip2 data from byte 0 on"),
        (text.read_bytes(), "no bzip2 data from byte 0 on"),
    ):
        (tmp_path / "bad.bz2").write_bytes(content)
        words = ["run", "compress", "-d", "bad.bz2", "-o", "out", "--on", "mpi:2", "--mpi", any_mpi]
        said = lapwing(*words).complaint
        assert "bad.bz2" in said
        assert says in said
        assert left_behind(tmp_path) == []


def test_unreadable(lapwing: Lapwing, mpi: str, text: Path, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    (tmp_path / "bad.c").write_text(_BAD_DISK)
    shim = str(tmp_path / "bad.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, tmp_path / "bad.c", "-ldl"], check=True)
    words = ["run", "compress", "text", "-o", "out.bz2", "--on", "mpi:3", "--mpi", mpi]
    for bad_from in (0, 500_000, 1_200_000):
        changed = {"LD_PRELOAD": shim, "BAD_FROM": str(bad_from)}
        said = lapwing(*words, "--block-size", "100k", **changed).complaint
        assert "text: cannot read at byte" in said
        assert "Input/output error" in said
        assert left_behind(tmp_path) == []


def test_full_disk(lapwing: Lapwing, mpi: str, text: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]).returncode != 0:
        pytest.skip("no right to mount")
    try:
        words = ["run", "compress", "text", "-o", "disk/out.bz2", "--block-size", "100k"]
        said = lapwing(*words, "--on", "mpi:2", "--mpi", mpi).complaint
        assert "disk/out.bz2: cannot write: No space left on device" in said
        assert os.listdir(disk) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_refusals(lapwing: Lapwing, text: Path, tmp_path: Path) -> None:
    words = ["run", "compress", "--on", "mpi:2"]
    (tmp_path / "mine").write_text("mine")
    for more, says in (
        (["text", "-o", "mine"], "mine: exists already"),
        (["nothing", "-o", "out"], "nothing: cannot read: No such file"),
        ([".", "-o", "out"], "Is a directory"),
        (["text", "-o", "no/out"], "no is no directory"),
        (["-"], "-o: name the output"),
        (["-d", "text"], "does not end in .bz2"),
        (["text", "--block-size", "1000k"], "not between 1k and 900k"),
        (["text", "--block-size", "big"], "not a size of a block"),
        (["text", "--window", "0"], "--window"),
        (["text", "nowhere.json", "-o", "out"], "nowhere.json: cannot read the profile"),
        ([], "missing: FILE"),
        (["text", "--forse"], 'did you mean "--force"'),
    ):
        assert says in lapwing(*words, *more).complaint
    assert (tmp_path / "mine").read_text() == "mine"
    assert left_behind(tmp_path) == []


def test_a_rank_is_killed(mpi: str, tmp_path: Path) -> None:
    write_mixed(tmp_path / "text", 60_000_000)
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [str(COMMAND), "run", "compress", "text", "-o", "out.bz2", "--on", "mpi:3", "--mpi", mpi],
        cwd=tmp_path,
        env=environment(TMPDIR=str(tmp_path / "tmp")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while len(ranks := ranks_in(tmp_path)) < 3:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.7)
    number = rank_of(ranks[1])
    begin = time.monotonic()
    os.kill(ranks[1], signal.SIGKILL)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - begin < 10
    assert (process.returncode, out) == (2, "")
    assert err.startswith(f"lapwing: mpi:3: rank {number}: died of ")
    assert "KILL" in err.upper()
    assert err.count("\n") == 1
    deadline = time.monotonic() + 10
    while ranks_in(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert left_behind(tmp_path) == []


def rank_of(process: int) -> int:
    """The rank of a process, from the environment that its launcher set."""
    told = dict(
        pair.split(b"=", 1)
        for pair in Path("/proc", str(process), "environ").read_bytes().split(b"\0")
        if b"=" in pair
    )
    return int(told.get(b"OMPI_COMM_WORLD_RANK") or told[b"PMI_RANK"])


def ranks_in(folder: Path) -> list[int]:
    """The processes of the native program that work in `folder`."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError):
            command = Path("/proc", name, "cmdline").read_bytes().split(b"\0")[0]
            if b"lapwing-mpi" in command and Path("/proc", name, "cwd").resolve() == folder:
                found.append(int(name))
    return sorted(found)


def test_on_a_simulated_cluster(lapwing: Lapwing, machine: str, text: Path, tmp_path: Path) -> None:
    words = ["run", "compress", "text", "--block-size", "100k", "--json"]
    first = lapwing(*words, "-o", "out.bz2", "--on", "sim:ib4x:5", machine).document
    check("compress", first)
    assert lapwing(*words, "-o", "again.bz2", "--on", "sim:ib4x:5", machine).document == first
    assert bz2.decompress((tmp_path / "out.bz2").read_bytes()) == text.read_bytes()
    # 13 blocks of 100,000 bytes on 5 ranks, at 15 MB/s each.
    assert 3 * 100e3 / 15e6 <= first["seconds"] < 1.1 * 3 * 100e3 / 15e6
    back = lapwing("run", "compress", "-d", "out.bz2", "-o", "out", "--on", "sim:ib4x:3")
    assert back.status == 0
    assert (tmp_path / "out").read_bytes() == text.read_bytes()


def test_sweep(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    words = ["sweep", "--app", "compress", "--on", "sim:ib4x:8", machine, "--random", "10MB"]
    words += ["--block-size", "100k", "--tiles", "1,2,4", "--windows", "1,2"]
    result = lapwing(*words, "--json").document
    check("compress-sweep", result)
    assert [(cell["tile"], cell["window"]) for cell in result["cells"]] == [
        (tile, window) for tile in (1, 2, 4) for window in (1, 2)
    ]
    # Random data cannot be compressed, and all but that of rank 0 is sent.
    assert result["written"] > result["read"] == 10 << 20
    wire = result["arrived"] / 750e6
    assert abs(result["communication"]["seconds"] - wire) < 0.02 * wire
    # Times are simulated, so that these are properties of the schedules.
    assert result["pipelined"]["seconds"] < result["blocking"]["seconds"]
    assert result["pipelined"]["overhead_reduction"] > 0.9
    best = min(cell["seconds"] for cell in result["cells"])
    assert result["pipelined"]["seconds"] < 1.01 * best
    for cell in result["cells"]:
        assert cell["seconds"] >= result["computation"]["seconds"]
    table = lapwing(*words).table
    assert "Overhead over the computation alone" in table
    assert "window 2" in table


def test_trace(lapwing: Lapwing, text: Path, tmp_path: Path) -> None:
    words = ["run", "compress", "text", "--block-size", "100k", "--on", "sim:ib4x:5"]
    assert lapwing(*words, "-o", "out.bz2", "--trace", "trace.json").status == 0
    assert bz2.decompress((tmp_path / "out.bz2").read_bytes()) == text.read_bytes()
    document = json.loads((tmp_path / "trace.json").read_text())
    check("trace", document)
    spans = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert {event["pid"] for event in spans} == set(range(5)) or len(
        {(event["pid"], event["tid"]) for event in spans}
    ) == 5
    assert {"computation", "initiation"} <= {event["name"].split()[0] for event in spans}
    again = lapwing(*words, "-o", "more.bz2", "--trace", "trace.json")
    assert again.status == 2
    assert "trace.json" in again.err
    refused = lapwing("run", "compress", "-d", "out.bz2", "--trace", "t", "--on", "mpi:2")
    assert refused.status == 2
    assert "--trace" in refused.err
