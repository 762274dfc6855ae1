#include "lapwing/predict/local_work.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing {
namespace {

using simulate::Collective;
using simulate::Rank;

/// Steps of a rank that are looked at. Those of longer schedules are alike, as of rings and
/// segments: a sample of as many stands for all.
constexpr std::uint32_t most_steps = 256;
/// Messages of more blocks are not looked at block by block.
constexpr std::uint64_t most_blocks = 256;

/// Whether the blocks of a message that is sent lie one behind the other.
bool lie_together(const Collective& collective, Rank rank, std::uint32_t step,
                  std::uint32_t index) {
    const simulate::Transfer out = collective.sent(rank, step, index);
    if (out.count < 2) return true;
    if (out.first + out.count > collective.parts().count()) return false;
    if (out.count > most_blocks) return true;
    const std::vector<std::uint64_t> blocks = collective.blocks(rank, step, index);
    for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i] != blocks[i - 1] + 1) return false;
    return true;
}

/// What the messages of a rank make it do.
LocalWork work_of(const Collective& collective, Rank rank) {
    const std::uint32_t steps = collective.steps(rank);
    const std::uint32_t sampled = std::min(steps, most_steps);
    LocalWork work;
    for (std::uint32_t i = 0; i < sampled; ++i) {
        const auto step = static_cast<std::uint32_t>(std::uint64_t{i} * steps / sampled);
        const simulate::Step messages = collective.step(rank, step);
        for (std::uint32_t k = 0; k < messages.sends; ++k)
            // What is gathered at one end is scattered at the other, where as much comes in.
            if (!lie_together(collective, rank, step, k))
                work.packed += 2 * static_cast<double>(collective.send(rank, step, k).bytes);
        for (std::uint32_t k = 0; k < messages.receives; ++k)
            if (collective.received(rank, step, k).effect == simulate::Effect::combine)
                work.combined += static_cast<double>(collective.receive(rank, step, k).bytes);
    }
    const double all = sampled > 0 ? static_cast<double>(steps) / sampled : 0;
    return {.combined = work.combined * all, .packed = work.packed * all};
}

/// Bytes of a rank's own data that the operation has in another buffer.
double own_bytes(std::string_view operation, std::uint64_t ranks, std::uint64_t size) {
    if (operation == "bcast" || operation == "barrier") return 0;
    const auto bytes = static_cast<double>(size);
    return operation == "reduce_scatter" ? bytes * static_cast<double>(ranks) : bytes;
}

}  // namespace

LocalWork local_work(std::string_view operation, std::string_view algorithm, std::uint64_t ranks,
                     std::uint64_t size) {
    if (operation == "send" || ranks < 2) return {};
    const std::unique_ptr<Collective> collective =
        simulate::make_collective({.operation = std::string(operation),
                                   .algorithm = std::string(algorithm),
                                   .ranks = static_cast<Rank>(ranks),
                                   .size = size});
    LocalWork busiest;
    // Rank 1 takes part for rank 0, too, where the number of ranks is no power of two.
    for (const Rank rank : {Rank{0}, Rank{1}, collective->ranks() / 2, collective->ranks() - 1}) {
        const LocalWork work = work_of(*collective, rank);
        busiest.combined = std::max(busiest.combined, work.combined);
        busiest.packed = std::max(busiest.packed, work.packed);
    }
    busiest.copied = own_bytes(operation, ranks, size);
    return busiest;
}

double local_seconds(const CollectiveCosts& costs, const LocalWork& work, std::uint64_t ranks) {
    const auto count = static_cast<double>(std::max<std::uint64_t>(ranks, 1));
    return costs.combine * work.combined + costs.copy * work.copied + costs.pack * work.packed +
           costs.skew + costs.skew_per_doubling * std::log2(count);
}

}  // namespace lapwing
