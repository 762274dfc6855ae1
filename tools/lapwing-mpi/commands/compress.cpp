#include "commands/compress.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "apps/compress/benchmark.hpp"
#include "apps/compress/compress.hpp"
#include "apps/compress/decompress.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "support/command.hpp"
#include "support/time_json.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

/// How it was collected.
Json plan_json(const GatherPlan& gather) {
    Json tiles = Json::array();
    for (const auto& run : gather.plan.messages.runs())
        tiles.push_back({{"tile", run.size}, {"count", run.count}});
    return {{"tiles", tiles},
            {"window", gather.plan.window},
            {"poll_interval", {{"seconds", gather.plan.poll_interval}}},
            {"poll_reason", gather.plan.poll_reason},
            {"root_share", gather.root_share}};
}

double share_of(std::uint64_t part, std::uint64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// How far it is, a few times a second: share, rate of the uncompressed data, and ratio.
class Telling {
  public:
    explicit Telling(bool decompress) : decompress_(decompress) {}
    void operator()(std::uint64_t done, std::uint64_t all, std::uint64_t written) {
        constexpr double interval = 0.2;
        constexpr double mega = 1e6;
        const double time = now();
        if (time < due_) return;
        due_ = time + interval;
        const std::uint64_t plain = decompress_ ? written : done;
        const std::uint64_t packed = decompress_ ? done : written;
        char text[96];
        std::snprintf(text, sizeof text, "%.0f MB, %.1f MB/s, ratio %.2f",
                      static_cast<double>(plain) / mega,
                      static_cast<double>(plain) / mega / std::max(time - start_, 1e-9),
                      share_of(plain, packed));
        report_progress(std::min(1.0, share_of(done, all)), text);
    }

  private:
    bool decompress_;
    double start_ = now();
    double due_ = now();
};

Json result_json(const compress::Done& done, bool decompress) {
    const auto plain = decompress ? done.written : done.read;
    const auto packed = decompress ? done.read : done.written;
    Json json = {{"lapwing", "compress"},
                 {"read", done.read},
                 {"written", done.written},
                 {"ratio", share_of(plain, packed)},
                 {"seconds", done.seconds},
                 {"rate", done.seconds > 0 ? static_cast<double>(plain) / done.seconds : 0},
                 {"collection", plan_json(done.plan)}};
    if (done.predicted > 0) json["predicted"] = {{"seconds", done.predicted}};
    return json;
}

Json benchmark_json(const compress::Times& times, const std::optional<Profile>& profile) {
    const double T_blocking = estimate(times.blocking).median;
    const double T_computation = estimate(times.computation).median;
    const double T_communication = std::max(T_blocking - T_computation, 0.0);
    const double limit = std::max(T_computation, T_communication);
    const double hideable = std::min(T_computation, T_communication);
    const auto judged = [&](const std::vector<double>& samples) {
        Json json = time_json(samples);
        const double T = estimate(samples).median;
        const auto ratio = [](double part, double all) {
            return all > 0 ? Json(part / all) : Json(nullptr);
        };
        json["overhead"] = {{"seconds", T - T_computation}};
        json["overhead_reduction"] = ratio(T_blocking - T, T_communication);
        json["hidden"] = ratio(T_blocking - T, hideable);
        json["efficiency"] = ratio(limit, T);
        return json;
    };
    Json json = {{"lapwing", "compress-sweep"},
                 {"read", times.read},
                 {"written", times.written},
                 {"arrived", times.arrived},
                 {"blocking", time_json(times.blocking)},
                 {"computation", time_json(times.computation)},
                 {"communication", {{"seconds", T_communication}}},
                 {"limit", {{"seconds", limit}}}};
    json["pipelined"] = judged(times.planned.seconds);
    json["pipelined"].update(plan_json(times.planned.plan));
    if (profile) json["pipelined"]["predicted"] = {{"seconds", times.planned.plan.plan.predicted}};
    json["cells"] = Json::array();
    for (const auto& cell : times.cells) {
        Json one = {{"tile", cell.tile}, {"window", cell.plan.plan.window}};
        one.update(judged(cell.seconds));
        json["cells"].push_back(one);
    }
    return json;
}

}  // namespace

void CompressCommand::run() const {
    if (benchmark_ ? input_.empty() == (random_ == 0) : (input_.empty() || output_.empty()))
        throw std::invalid_argument(benchmark_ ? "name a file, or how much random data"
                                               : "name what to read, and what to write");
    compress::Job job;
    job.input = input_;
    job.output = output_;
    job.replace = force_;
    job.block = block_;
    if (!profile_.empty()) job.profile = load_profile(profile_);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool first = rank == 0;

    Json json;
    if (benchmark_) {
        compress::Trial trial;
        trial.input = input_;
        trial.random = random_;
        trial.repetitions = repetitions_ > 0 ? repetitions_ : simulated_time ? 1 : 3;
        for (const std::uint64_t tile : tiles_)
            for (const int window : windows_) trial.cells.push_back({tile, window});
        const auto times = compress::benchmark(
            MPI_COMM_WORLD, job, trial, [](double share) { report_progress(share, "timing"); });
        if (first) json = benchmark_json(times, job.profile);
    } else {
        if (!tiles_.empty() || !windows_.empty()) {
            job.collection.emplace();
            if (!tiles_.empty()) job.collection->tile = tiles_.front();
            if (!windows_.empty()) job.collection->window = windows_.front();
        }
        job.progress = Telling(decompress_);
        job.trace = trace_;
        const auto done = decompress_ ? compress::decompress(MPI_COMM_WORLD, job)
                                      : compress::compress(MPI_COMM_WORLD, job);
        if (first) json = result_json(done, decompress_);
    }
    if (!first || result_.empty()) return;
    json["block"] = block_;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    json["ranks"] = ranks;
    write_file(result_, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace lapwing::tools
