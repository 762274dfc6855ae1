// Records a machine's noise: times in which a loop that only reads the clock does not run (the
// "selfish detour" of Beckman et al. 2006 and of netgauge). Prints a line for each: when it began
// and how long it took, in seconds. The first line is the length of the recording.
//
//   record-detours SECONDS >detours.txt
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// The shortest time between two reads of the clock.
double least_step() {
    double least = 1;
    double before = now();
    for (int i = 0; i < 1'000'000; ++i) {
        const double after = now();
        least = std::min(least, after - before);
        before = after;
    }
    return least;
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc == 2 ? std::atof(argv[1]) : 0;
    if (!(seconds > 0 && seconds <= 3600)) {
        std::fprintf(stderr, "usage: record-detours SECONDS\n");
        return 2;
    }
    const double threshold = 9 * least_step();
    std::vector<std::pair<double, double>> detours;
    const double start = now();
    double before = start;
    while (before < start + seconds) {
        const double after = now();
        if (after - before > threshold) detours.emplace_back(before - start, after - before);
        before = after;
    }
    std::printf("%.9f\n", before - start);
    for (const auto& [begin, length] : detours) std::printf("%.9f %.9f\n", begin, length);
    return 0;
}
