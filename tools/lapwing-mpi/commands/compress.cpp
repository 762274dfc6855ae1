#include "commands/compress.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "apps/compress/benchmark.hpp"
#include "apps/compress/compress.hpp"
#include "apps/compress/decompress.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "results/compress_json.hpp"
#include "support/command.hpp"

namespace lapwing::tools {
namespace {

/// Reports progress a few times a second: share done, rate of the uncompressed data, and ratio.
class ProgressReport {
  public:
    explicit ProgressReport(bool decompress) : decompress_(decompress) {}
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

}  // namespace

compress::Job CompressCommand::job() const {
    if (benchmark_ ? input_.empty() == (random_ == 0) : (input_.empty() || output_.empty()))
        throw std::invalid_argument(benchmark_ ? "name a file, or how much random data"
                                               : "name what to read, and what to write");
    compress::Job job;
    job.input = input_;
    job.output = output_;
    job.replace = force_;
    job.block = block_;
    if (!profile_.empty()) job.profile = load_profile(profile_);
    if (benchmark_) return job;
    if (!tiles_.empty() || !windows_.empty()) {
        job.collection.emplace();
        if (!tiles_.empty()) job.collection->tile = tiles_.front();
        if (!windows_.empty()) job.collection->window = windows_.front();
    }
    job.progress = ProgressReport(decompress_);
    job.trace = trace_;
    return job;
}

compress::Trial CompressCommand::trial() const {
    compress::Trial trial;
    trial.input = input_;
    trial.random = random_;
    trial.repetitions = repetitions_ > 0 ? repetitions_ : simulated_time ? 1 : 3;
    for (const std::uint64_t tile : tiles_)
        for (const int window : windows_) trial.cells.push_back({tile, window});
    return trial;
}

void CompressCommand::run() const {
    const compress::Job job = this->job();
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const CompressRun run{block_, ranks, decompress_, job.profile.has_value()};
    std::string text;
    if (benchmark_) {
        const auto times = compress::benchmark(
            MPI_COMM_WORLD, job, trial(), [](double share) { report_progress(share, "timing"); });
        text = compress_benchmark_json(times, run);
    } else {
        const auto done = decompress_ ? compress::decompress(MPI_COMM_WORLD, job)
                                      : compress::compress(MPI_COMM_WORLD, job);
        text = compress_json(done, run);
    }
    if (rank == 0 && !result_.empty()) write_file(result_, text);
}

}  // namespace lapwing::tools
