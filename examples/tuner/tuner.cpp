// A loop that receives half a megabyte in every step and works on it. Nobody has told the planner
// how long that computation takes: the tuner finds the plan while the loop runs.
//
//   example-tuner PROFILE [LEARNT]      LEARNT: a file that the tuner goes on from, or writes
#include <mpi.h>

#include <cstdio>
#include <filesystem>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <optional>
#include <string>

#include "../argument.hpp"

namespace {

constexpr std::size_t elements = 1 << 16;
constexpr int steps = 24;
constexpr int passes = 8;  // over the data that arrives

double work_on(std::span<const double> data) {
    double sum = 0;
    for (int pass = 0; pass < passes; ++pass)
        for (const double x : data) sum += x;
    if constexpr (lapwing::simulated_time)
        lapwing::charge(passes * static_cast<double>(data.size_bytes()) /
                        lapwing::simulated_rate("add"));
    return sum;
}

lapwing::Tuner make_tuner(const std::string& profile, const std::optional<std::string>& learnt) {
    auto machine = lapwing::load_profile(profile);
    if (learnt && std::filesystem::exists(*learnt))
        return {std::move(machine), lapwing::load_tuner_state(*learnt)};
    return {std::move(machine), {.volume = elements * sizeof(double), .grain = sizeof(double)}};
}

int run(const std::string& profile, const std::optional<std::string>& learnt) {
    lapwing::TwoSided transport;
    const bool sends = transport.rank() == 1;
    std::vector<double> data(elements, sends ? 0.5 : 0.0);
    lapwing::Tuner tuner = make_tuner(profile, learnt);
    const lapwing::SlowestOf ranks;  // makes both tuners choose the same plan

    double sum = 0;
    double first = 0;
    double last = 0;
    int learning = 0;
    for (int step = 0; step < steps; ++step) {
        if (!tuner.settled()) ++learning;
        const double start = lapwing::now();
        const auto body = [&](const lapwing::Plan& plan, lapwing::StepTimer& timer) {
            if (sends) {
                lapwing::feed(transport, 0, std::span<const double>(data), plan, timer);
            } else {
                const lapwing::Source source{transport, 1, std::span(data)};
                lapwing::stream<double>(
                    source, plan, [&](auto piece) { sum += work_on(piece.data); }, timer);
            }
        };
        lapwing::tuned(tuner, body, ranks);
        last = lapwing::now() - start;
        if (step == 0) first = last;
    }
    if (sends) return 0;
    const bool right = sum == 0.5 * elements * passes * steps;
    std::printf("sums %s, %d steps of learning, %ld messages, %d in flight\n",
                right ? "right" : "WRONG", learning,
                static_cast<long>(tuner.plan().messages.count()), tuner.plan().window);
    std::printf("first step %.2f ms, last step %.2f ms\n", 1e3 * first, 1e3 * last);
    if (learnt && !std::filesystem::exists(*learnt) && tuner.settled())
        lapwing::save_tuner_state(*learnt, tuner.learnt());
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("example-tuner", argc, argv, [&] {
        if (argc < 2 || argc > 3) refuse("usage: example-tuner PROFILE [LEARNT]");
        need_ranks(2);
        return run(argv[1], argc > 2 ? std::optional<std::string>(argv[2]) : std::nullopt);
    });
}
