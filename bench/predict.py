"""Times a grid of 1,000 x 1,000 closed-form predictions from Python, an algorithm at a time.

    build/venv/bin/python bench/predict.py
    build/venv/bin/python bench/predict.py machine.json --operation alltoall

Each figure is the median of several, and half their range, in seconds. Numbers of ranks are 2 to
1,001 and sizes multiples of 997 bytes, so that few are powers of two.
"""

import argparse
import statistics
import time

import numpy

from lapwing import _core, load_profile, predict

RANKS = numpy.arange(2, 1002)
SIZES = numpy.arange(1, 1001) * 997


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("machine", nargs="?", default="ranger")
    parser.add_argument("--operation", action="append", help="one; repeatable (default: all)")
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    machine = load_profile(arguments.machine)
    operations = arguments.operation or [o for o in _core.predicted_operations() if o != "send"]
    print(f"{'operation':16}{'algorithm':28}{'seconds':>9}{'+-':>8}{'ns each':>9}")
    for operation in operations:
        for algorithm in [*_core.predicted_algorithms(operation), "best"]:
            times = []
            for _ in range(arguments.times):
                start = time.perf_counter()
                made = predict(
                    machine,
                    operation,
                    ranks=RANKS,
                    sizes=SIZES,
                    algorithm=algorithm,
                    model="model",
                )
                assert made.seconds.size == len(RANKS) * len(SIZES)
                times.append(time.perf_counter() - start)
            median = statistics.median(times)
            spread = (max(times) - min(times)) / 2
            each = median / (len(RANKS) * len(SIZES)) * 1e9
            print(f"{operation:16}{algorithm:28}{median:9.4f}{spread:8.4f}{each:9.1f}")


if __name__ == "__main__":
    main()
