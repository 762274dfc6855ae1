// A stream in a loop on two simulated ranks, with the noise of a real machine, and a tuner that was
// told a wrong computation time; compared with the plan made beforehand for the right one. Prints
// one JSON document.
//
//   tuned-stream PROFILE VOLUME COMPUTE TOLD STEPS DETOURS OFFSET
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "lapwing/lapwing.hpp"
#include "noise.hpp"

namespace {

using lapwing::Plan;
using lapwing::StepTimer;
using lapwing::Tuner;

/// One rank's side of the loop.
struct Loop {
    lapwing::TwoSided transport;
    std::vector<double> data;
    double per_byte;  ///< seconds of computation
    lapwing::bench::Noise noise;

    void step(const Plan& plan, StepTimer& timer, bool disturbed) {
        if (transport.rank() == 1) {
            lapwing::feed(transport, 0, std::span<const double>(data), plan, timer);
            return;
        }
        const lapwing::Source source{transport, 1, std::span(data)};
        lapwing::stream<double>(
            source, plan,
            [&](const auto& piece) {
                const double work = per_byte * static_cast<double>(piece.data.size_bytes());
                lapwing::charge(disturbed ? noise.disturbed(lapwing::now(), work) : work);
            },
            timer);
    }
    /// Seconds of a step that both ranks begin together.
    double seconds(const Plan& plan, bool disturbed) {
        MPI_Barrier(MPI_COMM_WORLD);
        StepTimer timer;
        step(plan, timer, disturbed);
        double taken = timer.times().elapsed;
        MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return taken;
    }
};

int run(char** arguments) {
    const auto machine = lapwing::load_profile(arguments[0]);
    const auto volume = static_cast<std::uint64_t>(std::strtoull(arguments[1], nullptr, 10));
    const double compute = std::strtod(arguments[2], nullptr);
    const double told = std::strtod(arguments[3], nullptr);
    const int steps = std::atoi(arguments[4]);
    Loop loop{.transport = lapwing::TwoSided(),
              .data = std::vector<double>(volume / sizeof(double)),
              .per_byte = compute / static_cast<double>(volume),
              .noise = {arguments[5], std::strtod(arguments[6], nullptr)}};

    lapwing::Workload workload{.volume = volume, .compute = told, .grain = sizeof(double)};
    Tuner tuner(machine, workload);
    const lapwing::SlowestOf ranks;
    std::string took;
    int learning = 0;
    for (int step = 0; step < steps; ++step) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (!tuner.settled()) ++learning;
        double elapsed = 0;
        const auto body = [&](const Plan& plan, StepTimer& timer) {
            loop.step(plan, timer, true);
            elapsed = timer.times().elapsed;
        };
        lapwing::tuned(tuner, body, ranks);
        MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        took += (step > 0 ? ", " : "") + std::to_string(1e6 * elapsed);
    }
    workload.compute = compute;
    const Plan known = lapwing::plan(machine, workload);
    Plan blocking = known;
    blocking.messages = lapwing::Messages::uniform(volume, volume, sizeof(double));
    blocking.window = 1;
    blocking.poll_interval = blocking.pace = 0;
    const double tuned = loop.seconds(tuner.plan(), false);
    const double off_line = loop.seconds(known, false);
    const double whole = loop.seconds(blocking, false);
    double tuned_noise = 0;
    double off_line_noise = 0;
    double whole_noise = 0;
    constexpr int turns = 20;
    for (int turn = 0; turn < turns; ++turn) {
        tuned_noise += loop.seconds(tuner.plan(), true) / turns;
        off_line_noise += loop.seconds(known, true) / turns;
        whole_noise += loop.seconds(blocking, true) / turns;
    }
    if (loop.transport.rank() == 0)
        std::printf(
            "{\"learning\": %d, \"settled\": %s, \"messages\": %llu, \"off_line_messages\": %llu, "
            "\"tuned\": %.9g, \"off_line\": %.9g, \"blocking\": %.9g, \"tuned_noise\": %.9g, "
            "\"off_line_noise\": %.9g, \"blocking_noise\": %.9g, \"steps_us\": [%s]}\n",
            learning, tuner.settled() ? "true" : "false",
            static_cast<unsigned long long>(tuner.plan().messages.count()),
            static_cast<unsigned long long>(known.messages.count()), tuned, off_line, whole,
            tuned_noise, off_line_noise, whole_noise, took.c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 1;
    try {
        if (argc != 8) throw std::invalid_argument("seven arguments");
        status = run(argv + 1);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tuned-stream: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return status;
}
