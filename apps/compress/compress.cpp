#include "compress.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "buffer.hpp"
#include "input.hpp"
#include "lapwing/pipeline/collectives/gather_varying.hpp"
#include "lapwing/pipeline/trace/gather_trace.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "output.hpp"
#include "places.hpp"

namespace lapwing::compress {
namespace {

/// Bytes per second of a core that nobody has measured.
constexpr double usual_rate = 12e6;

/// Writes at rank 0 what arrives.
class Collector {
  public:
    Collector(const Job& job, std::uint64_t all, bool here) : job_(job), all_(all) {
        if (here) output_.emplace(job.output, job.replace);
    }
    void operator()(const MessageBuffer& buffer, const GatherVarying::Request& request) {
        if (!output_) return;
        for_each_place(request, [&](std::span<const std::byte> part) { output_->write(part); });
        read_ += buffer.represents;
        if (job_.progress) job_.progress(read_, all_, output_->written());
    }
    /// To be called when all has arrived.
    void finish(Done& done) {
        if (!output_) return;
        if (output_->written() == 0) {
            // Empty input is an empty stream.
            std::vector<std::byte> empty;
            append_compressed({}, level_for(job_.block), empty);
            output_->write(empty);
        }
        output_->finish();
        done.read = read_;
        done.written = output_->written();
    }

  private:
    const Job& job_;
    std::uint64_t all_;
    std::optional<Output> output_;
    std::uint64_t read_ = 0;
};

/// The input of a job: a file of `bytes` that all ranks can read, or a pipe.
std::unique_ptr<Input> input_of(const Communicator& world, const Job& job, bool piped,
                                std::uint64_t bytes, const GatherPlan& gather) {
    const GatherPartition partition(world.size(), gather.root_share);
    const Messages& rounds = gather.plan.messages;
    if (!piped)
        return std::make_unique<FileInput>(world, job.input, bytes, job.block, partition, rounds);
    std::uint64_t tile = 1;
    for (const auto& run : rounds.runs()) tile = std::max(tile, run.size);
    return std::make_unique<PipedInput>(world, job.input, job.block, partition, tile);
}

}  // namespace

double core_rate(const Job& job) {
    if (job.profile)
        for (const auto& [kernel, measured] : job.profile->kernels)
            if (kernel == "bzip2") return measured;
    return usual_rate;
}

GatherPlan plan_collection(const Job& job, int ranks, std::uint64_t pieces, double compute,
                           double bytes) {
    // Nobody knows the size of a pipe's content: plans for a lot of it, in equal tiles.
    constexpr std::uint64_t many_rounds = 1000;
    const std::uint64_t supposed =
        pieces > 0 ? pieces : many_rounds * static_cast<std::uint64_t>(ranks);
    if (job.profile && !job.collection)
        return plan_gather(
            *job.profile, {.ranks = ranks, .pieces = supposed, .compute = compute, .bytes = bytes});
    GatherPlan gather = gather_with(job.collection.value_or(GatherSettings{}), ranks, supposed);
    gather.plan.poll_reason = job.collection ? "as was asked for" : "usual, without a profile";
    return gather;
}

Done compress(MPI_Comm original, const Job& job) {
    const double start = now();
    const Communicator world(original);
    const int rank = world.rank();
    const std::int64_t size = size_to_share(world, job.input);
    const bool piped = size < 0;
    const auto bytes = piped ? 0 : static_cast<std::uint64_t>(size);
    Collector collect(job, bytes, rank == 0);

    Done done;
    const std::uint64_t blocks = (bytes + job.block - 1) / job.block;
    // Random data does not become smaller.
    done.plan =
        plan_collection(job, world.size(), blocks, static_cast<double>(job.block) / core_rate(job),
                        static_cast<double>(job.block));
    const Plan& plan = done.plan.plan;

    GatherVarying gathers(world.get());
    const int level = level_for(job.block);
    const auto communication = [&](MessageBuffer& buffer) {
        return gathers.gather(buffer.bytes.data(), buffer.bytes.size());
    };
    const std::unique_ptr<Input> input = input_of(world, job, piped, bytes, done.plan);
    const auto collected = [&](auto& recorder) {
        unbounded_pipeline<MessageBuffer>(
            plan.window, plan.poll_interval,
            [&](std::uint64_t, MessageBuffer& buffer) {
                if (!input->next()) return false;
                buffer.represents = input->bytes();
                while (const auto place = input->take())
                    append_place(buffer.bytes, *place, [&] {
                        for (std::uint64_t i = 0; i < input->count(); ++i)
                            append_compressed(input->block(i), level, buffer.bytes);
                    });
                return true;
            },
            communication, collect, recorder);
    };
    if (job.trace.empty()) {
        collected(no_trace);
    } else {
        Trace trace;
        collected(trace);
        write_trace(job.trace, trace.events(), world);
    }
    collect.finish(done);
    done.seconds = now() - start;
    done.predicted = plan.predicted;
    return done;
}

}  // namespace lapwing::compress
