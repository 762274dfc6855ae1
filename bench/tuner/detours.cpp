// Records what a machine does beside the program: stretches in which a loop that only reads the
// clock does not get to run (the "selfish detour" of Beckman et al. 2006 and of netgauge). One line
// each: when it began and how long it took, in seconds; the first line has the time recorded.
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

/// The least time from one look at the clock to the next.
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
