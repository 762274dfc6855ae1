"""Parallel compression: what its pipeline hides, and how fast and how small it is.

    build/venv/bin/python bench/compress.py simulated [--ranks 16 32 120] [--block-sizes 100k 50k]
    build/venv/bin/python bench/compress.py throughput [--megabytes 200] [--runs 5]
    build/venv/bin/python bench/compress.py memory [--megabytes 1000]
    build/venv/bin/python bench/compress.py link [--rate 1gbit] [--megabytes 100]

simulated: 146 MiB of random data behind links of 750 MB/s, at the paper's 0.7 MB/s a core and at
15 MB/s.  throughput: `mpi:2` and `pbzip2 -p2` in turn, on text and programs of this machine; wall
time, and for Lapwing also the time since its ranks started.
memory: of the ranks, for a pipe of the given length and for a quarter of it.  link: `net:RATE`.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LAPWING = Path(__file__).resolve().parent.parent / "build" / "bin" / "lapwing"
CLUSTER = """\
name = "compress"
description = "a flat switch of 750 MB/s links"
hosts = 128
[network]
latency = "5us"
bandwidth = "750MB/s"
serialising = true
topology = "flat"
[network.send_overhead]
base = "1.5us"
[network.receive_overhead]
base = "1.5us"
[kernels]
bzip2 = {rate}
"""


def lapwing(*arguments: object) -> dict:
    """Run a command and return the document that it prints."""
    words = [str(LAPWING), *map(str, arguments), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout) if done.stdout else {}


def mixed(path: Path, megabytes: int) -> None:
    """Make a file of text and programs of this machine, in pieces that take turns."""
    folders = ("/usr/share", "/usr/lib", "/usr/include", "/usr/bin")
    files = sorted(
        Path(folder, name) for top in folders for folder, _, names in os.walk(top) for name in names
    )
    left = megabytes * 1_000_000
    with path.open("wb") as out:
        # Neighbours come from far apart, so that they differ.
        for start in range(97):
            for file in files[start::97]:
                if left <= 0:
                    return
                try:
                    content = file.read_bytes()[: min(left, 2_000_000)]
                except OSError:
                    continue
                left -= out.write(content)


def simulated(options: argparse.Namespace, folder: Path) -> None:
    """Print for each point the time of each scheme, and what the pipeline hides."""
    print("rate      ranks  blocks  blocking  computation  pipelined  reduction  hidden  limit/T")
    for rate in options.rates:
        cluster = folder / f"{rate}.toml"
        cluster.write_text(CLUSTER.format(rate=rate))
        machine = folder / f"{rate}.json"
        parts = "tables,kernels"
        lapwing("calibrate", "--on", f"sim:{cluster}:2", "--only", parts, "-o", machine)
        for ranks in options.ranks:
            for block in options.block_sizes:
                words = ["--app", "compress", "--on", f"sim:{cluster}:{ranks}", machine]
                found = lapwing("sweep", *words, "--plan-only", "--block-size", block)
                plan = found["pipelined"]
                print(
                    f"{rate / 1e6:4.1f} MB/s {ranks:5}  {block:>6}  "
                    f"{found['blocking']['seconds']:7.4f} s  "
                    f"{found['computation']['seconds']:9.4f} s  {plan['seconds']:7.4f} s  "
                    f"{plan['overhead_reduction']:9.4f}  {plan['hidden']:6.4f}  "
                    f"{plan['efficiency']:7.4f}",
                    flush=True,
                )


def throughput(options: argparse.Namespace, folder: Path) -> None:
    """Print medians of the wall times of runs in turn."""
    data, packed = folder / "data", folder / "data.bz2"
    mixed(data, options.megabytes)
    size = data.stat().st_size
    ways = {
        mpi: [
            LAPWING,
            "run",
            "compress",
            data,
            "-o",
            packed,
            "--force",
            "--on",
            "mpi:2",
            "--mpi",
            mpi,
            "--json",
        ]
        for mpi in options.mpis
    }
    if shutil.which("pbzip2"):
        ways["pbzip2"] = ["pbzip2", "-p2", "-k", "-f", data]
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.runs):
        for name, words in ways.items():
            start = time.monotonic()
            done = subprocess.run(list(map(str, words)), check=True, capture_output=True)
            times[name].append(time.monotonic() - start)
            if done.stdout:  # Lapwing prints the time from the first byte to the last
                times.setdefault(f"{name}, once started", []).append(
                    json.loads(done.stdout)["seconds"]
                )
    other = statistics.median(times["pbzip2"]) if "pbzip2" in times else None
    for name, seconds in times.items():
        median = statistics.median(seconds)
        spread = f"{min(seconds):.2f} … {max(seconds):.2f}"
        ratio = f", {other / median:.3f} of pbzip2's rate" if other and name != "pbzip2" else ""
        print(f"{name:22} {size / median / 1e6:6.2f} MB/s  median {median:.2f} s ({spread}){ratio}")


def memory(options: argparse.Namespace, folder: Path) -> None:
    """Print the largest resident set of any rank while a pipe is compressed."""
    for megabytes in (options.megabytes // 4, options.megabytes):
        # Noise that is quick to make, and random enough that bzip2 cannot compress it.
        noise = f"openssl enc -aes-128-ctr -K 0 -iv 0 -nosalt -in /dev/zero | head -c {megabytes}MB"
        words = [LAPWING, "run", "compress", "-", "-o", folder / f"{megabytes}.bz2"]
        with subprocess.Popen(
            ["sh", "-c", noise], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as source:
            process = subprocess.Popen(
                list(map(str, [*words, "--on", options.on, "--json"])),
                stdin=source.stdout,
                stdout=subprocess.PIPE,
                cwd=folder,
            )
            peak = Peak(folder)
            done = json.loads(process.communicate()[0])
            most = peak.stop()
        assert done["read"] == megabytes * 1_000_000
        print(
            f"{megabytes:6} MB on {options.on}: {', '.join(f'{m / 1e6:.0f} MB' for m in most)} "
            f"at most in a rank, {done['rate'] / 1e6:.1f} MB/s",
            flush=True,
        )


class Peak:
    """Watches the resident sets of the ranks that work in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.most = folder, dict[int, int]()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self) -> None:
        """Watch until `stop` is called."""
        while not self.over.wait(0.1):
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    if Path("/proc", name, "comm").read_text().startswith("lapwing-mpi") and (
                        Path("/proc", name, "cwd").resolve() == self.folder.resolve()
                    ):
                        for line in Path("/proc", name, "status").read_text().splitlines():
                            if line.startswith("VmHWM:"):
                                self.most[int(name)] = int(line.split()[1]) * 1024
                except OSError:
                    continue

    def stop(self) -> list[int]:
        """Stop watching; returns the largest resident set of each rank, bytes."""
        self.over.set()
        self.thread.join()
        return [size for _, size in sorted(self.most.items())]


def link(options: argparse.Namespace, folder: Path) -> None:
    """Print what is hidden on a real link of limited rate, with data that cannot be compressed."""
    for mpi in options.mpis:
        words = ["--app", "compress", "--on", f"net:{options.rate}", "--mpi", mpi, "--plan-only"]
        random = ["--random", f"{options.megabytes}MB", "--repeat", options.runs]
        found = lapwing("sweep", *words, *random)
        print(
            f"net:{options.rate} {mpi:8} computation {found['computation']['seconds']:.3f} s, "
            f"communication {found['communication']['seconds']:.3f} s, "
            f"hidden {found['pipelined']['hidden']:.3f}",
            flush=True,
        )


def main() -> None:
    """Run the benchmark that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["simulated", "throughput", "memory", "link"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[16, 32, 120])
    parser.add_argument("--rates", nargs="+", type=float, default=[0.7e6, 15e6])
    parser.add_argument("--block-sizes", nargs="+", default=["100k", "50k"])
    parser.add_argument("--mpis", nargs="+", default=["openmpi", "mpich"])
    parser.add_argument("--megabytes", type=int, default=0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rate", default="1gbit")
    parser.add_argument("--on", default="mpi:2")
    options = parser.parse_args()
    usual = {"throughput": 200, "memory": 1000, "link": 100}
    options.megabytes = options.megabytes or usual.get(options.what, 0)
    with tempfile.TemporaryDirectory() as folder:
        globals()[options.what](options, Path(folder))


if __name__ == "__main__":
    main()
