#include "benchmark.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>

#include "buffer.hpp"
#include "concatenate.hpp"
#include "lapwing/gather/gather_partition.hpp"
#include "lapwing/gather/gather_plan.hpp"
#include "lapwing/pipeline/collectives/gather_varying.hpp"
#include "reading.hpp"

namespace lapwing::compress {
namespace {

/// Blocks of a file, or of random data that is the same on every machine.
class Source {
  public:
    Source(const Trial& trial, std::size_t block) : block_(block), bytes_(trial.random) {
        if (trial.input.empty()) return;
        const std::int64_t size = size_of(trial.input);
        if (size < 0) throw std::runtime_error(trial.input + ": only a file can be read again");
        bytes_ = static_cast<std::uint64_t>(size);
        file_.emplace(trial.input);
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t blocks() const { return (bytes_ + block_ - 1) / block_; }
    [[nodiscard]] std::size_t size(std::uint64_t index) const {
        return std::min<std::uint64_t>(block_, bytes_ - index * block_);
    }
    std::span<const std::byte> block(std::uint64_t index) {
        content_.resize(size(index));
        if (file_) {
            file_->read_at(index * block_, content_);
        } else {
            std::mt19937_64 random(index + 1);
            for (std::size_t at = 0; at < content_.size(); at += sizeof(std::uint64_t)) {
                const std::uint64_t number = random();
                std::memcpy(content_.data() + at, &number,
                            std::min(sizeof number, content_.size() - at));
            }
        }
        return content_;
    }

  private:
    std::size_t block_;
    std::uint64_t bytes_;
    std::optional<Reading> file_;
    std::vector<std::byte> content_;
};

/// What one rank does in all runs.
class Runs {
  public:
    Runs(MPI_Comm original, const Job& job, const Trial& trial)
        : world_(original),
          gathers_(world_.get()),
          source_(trial, job.block),
          level_(level_for(job.block)) {}

    [[nodiscard]] const Communicator& world() const { return world_; }
    [[nodiscard]] const Source& source() const { return source_; }

    /// Compresses all blocks, and collects nothing.
    double computation() {
        const double start = together();
        std::vector<std::byte> out;
        const IndexRange part = share();
        for (std::uint64_t i = 0; i < part.count; ++i) compress(part.first + i, out);
        wait_for_all();
        return now() - start;
    }
    /// Listing 1 of the paper: compresses all blocks, then gathers the sizes, then the data.
    double blocking(Times& times) {
        const double start = together();
        std::vector<std::byte> out;
        const IndexRange part = share();
        for (std::uint64_t i = 0; i < part.count; ++i) compress(part.first + i, out);
        const std::size_t written = collect(out);
        wait_for_all();
        const double seconds = now() - start;
        times.written = written;
        times.arrived = written - std::min(written, out.size());
        remember_sizes();
        return seconds;
    }
    double pipelined(const GatherPlan& gather) {
        const double start = together();
        GatherPartition partition(world_.size(), gather.root_share);
        auto tile = gather.plan.messages.begin();
        IndexRange part;
        pipeline<MessageBuffer>(
            gather.plan, gather.plan.messages.volume(),
            [&](std::uint64_t, MessageBuffer& buffer) {
                if (buffer.steps++ == 0) {
                    part = partition.next_block(*tile, source_.blocks(), world_.rank());
                    ++tile;
                }
                if (buffer.steps <= part.count)
                    compress(part.first + buffer.steps - 1, buffer.bytes);
            },
            [&](MessageBuffer& buffer) {
                return gathers_.gather(buffer.bytes.data(), buffer.bytes.size());
            });
        wait_for_all();
        return now() - start;
    }

  private:
    /// This rank's blocks in the blocking run: consecutive ones, the same number for each rank.
    [[nodiscard]] IndexRange share() const {
        const auto rank = static_cast<std::uint64_t>(world_.rank());
        const auto ranks = static_cast<std::uint64_t>(world_.size());
        const std::uint64_t first = source_.blocks() * rank / ranks;
        return {first, source_.blocks() * (rank + 1) / ranks - first};
    }
    void compress(std::uint64_t index, std::vector<std::byte>& out) {
        if (!sizes_.empty()) {
            out.resize(out.size() + sizes_[index]);
            charge_compression(source_.size(index));
            return;
        }
        const std::size_t before = out.size();
        append_compressed(source_.block(index), level_, out);
        if constexpr (simulated_time) mine_.push_back(out.size() - before);
    }
    /// Gathers what every rank has at rank 0, by MPI's blocking calls. Returns its size there.
    [[nodiscard]] std::size_t collect(const std::vector<std::byte>& out) const {
        const auto ranks = static_cast<std::size_t>(world_.size());
        // -1 says that a size is more than these calls can count.
        const int mine = out.size() > INT_MAX ? -1 : static_cast<int>(out.size());
        std::vector<int> sizes(ranks);
        check_mpi(MPI_Gather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, world_.get()),
                  "MPI_Gather");
        std::vector<int> begins(ranks);
        std::int64_t all = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (sizes[rank] < 0 || all + sizes[rank] > INT_MAX)
                throw std::runtime_error(
                    "too much to be collected by one MPI_Gatherv, with which this is compared");
            begins[rank] = static_cast<int>(all);
            all += sizes[rank];
        }
        std::vector<std::byte> into(static_cast<std::size_t>(all));
        check_mpi(MPI_Gatherv(out.data(), mine, MPI_BYTE, into.data(), sizes.data(), begins.data(),
                              MPI_BYTE, 0, world_.get()),
                  "MPI_Gatherv");
        return into.size();
    }
    /// Tells all ranks the sizes of all blocks, after the first run on a simulated cluster.
    void remember_sizes() {
        if (!simulated_time || !sizes_.empty()) return;
        sizes_ = concatenate(mine_, world_);
    }
    void wait_for_all() { check_mpi(MPI_Barrier(world_.get()), "MPI_Barrier"); }
    /// The moment when a run begins.
    double together() {
        wait_for_all();
        return now();
    }

    Communicator world_;
    GatherVarying gathers_;
    Source source_;
    int level_;
    std::vector<std::uint64_t> mine_;   ///< compressed sizes of this rank's blocks
    std::vector<std::uint64_t> sizes_;  ///< compressed sizes of all blocks, once they are known
};

}  // namespace

Times benchmark(MPI_Comm original, const Job& job, const Trial& trial,
                const std::function<void(double)>& tell) {
    Runs runs(original, job, trial);
    const int ranks = runs.world().size();
    const std::uint64_t blocks = runs.source().blocks();
    Times times;
    times.read = runs.source().bytes();

    const auto plan_for = [&](const Job& how) {
        return plan_collection(how, ranks, blocks, static_cast<double>(job.block) / core_rate(job),
                               static_cast<double>(job.block));
    };
    times.planned.plan = plan_for(job);
    for (const GatherSettings& cell : trial.cells) {
        Job how = job;
        how.collection = cell;
        times.cells.push_back({.plan = plan_for(how), .tile = cell.tile, .seconds = {}});
    }
    const double all = trial.repetitions * (3.0 + static_cast<double>(times.cells.size()));
    double done = 0;
    const auto time = [&](std::vector<double>& seconds, auto&& run) {
        if (runs.world().rank() == 0 && tell) tell(done++ / all);
        seconds.push_back(run());
    };
    for (int repetition = 0; repetition < trial.repetitions; ++repetition) {
        time(times.blocking, [&] { return runs.blocking(times); });
        time(times.computation, [&] { return runs.computation(); });
        time(times.planned.seconds, [&] { return runs.pipelined(times.planned.plan); });
        for (auto& cell : times.cells)
            time(cell.seconds, [&] { return runs.pipelined(cell.plan); });
    }
    return times;
}

}  // namespace lapwing::compress
