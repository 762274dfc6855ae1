"""A stream in partitions beside persistent requests, as schedules on simulated machines.

    build/venv/bin/python bench/partitioned_schedules.py [--machines ranger xt3] [--window 4]

Rank 1 sends in equal messages, and rank 0 computes on each, in all for as long as the stream takes
without computation. A library that passes partitions on sends each when it is ready. One that holds
them back sends half a window of them as one message. Partitions are as large as the persistent
messages, or so much smaller that the messages on the wire are. Each partition costs the overhead of
a message. Prints the time of each relative to persistent requests.
"""

import argparse
import tempfile
from pathlib import Path

import lapwing
from lapwing import Profile

# Whether partitions are as large as the persistent messages, and whether they are held back.
WAYS = {
    "passed on": (True, False),
    "held back": (True, True),
    "held back, smaller": (False, True),
}


def seconds(machine: Profile, sizes: list[int], each: int, window: int, compute: float) -> float:
    """The time of a stream. sizes: of its messages, bytes.  each: partitions in a message.
    window: messages in flight.  compute: seconds for each byte."""
    ready = round(1e9 * machine.loggp.o_s)
    sends, receives = [], []
    for number, size in enumerate(sizes):
        # The last partition's overhead is that of the send.
        sends += [f"c{number}: calc {(each - 1) * ready}", f"s{number}: send {size}b to 0 tag 0"]
        sends.append(f"s{number} requires c{number}")
        receives += [
            f"r{number}: recv {size}b from 1 tag 0",
            f"k{number}: calc {round(1e9 * compute * size)}",
            f"k{number} requires r{number}",
        ]
        if number > 0:
            sends.append(f"c{number} requires s{number - 1}")
            receives += [f"k{number} requires k{number - 1}", f"r{number} requires r{number - 1}"]
        if number >= window:
            receives.append(f"r{number} requires k{number - window}")
    text = "\n".join(["num_ranks 2", "rank 0 {", *receives, "}", "rank 1 {", *sends, "}", ""])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.goal"
        path.write_text(text)
        return 1e-9 * lapwing.simulate(path, profile=machine)["finish_ns"]


def main() -> None:
    """Print a line for each machine and number of messages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machines", nargs="+", default=["ranger"], help="names or files")
    parser.add_argument("--volume", type=int, default=1 << 20, help="bytes")
    parser.add_argument("--messages", nargs="+", type=int, default=[8, 16, 32, 64])
    parser.add_argument("--window", type=int, default=4)
    arguments = parser.parse_args()
    half = arguments.window // 2
    print(f"{'machine':20} messages  persistent" + "".join(f"{way:>20}" for way in WAYS))
    for name in arguments.machines:
        machine = lapwing.load_profile(name)
        for count in arguments.messages:
            size = arguments.volume // count
            compute = seconds(machine, count * [size], 1, arguments.window, 0) / arguments.volume
            base = seconds(machine, count * [size], 1, arguments.window, compute)
            ratios = []
            for same, held in WAYS.values():
                together = half if held else 1
                sent = size * (together if same else 1)
                window = arguments.window // (together if same else 1)
                sizes = [sent] * (arguments.volume // sent)
                ratios.append(seconds(machine, sizes, together, window, compute) / base)
            figures = "".join(f"{ratio:20.3f}" for ratio in ratios)
            print(f"{Path(name).stem:20} {count:8}  {1e3 * base:7.3f} ms{figures}")


if __name__ == "__main__":
    main()
