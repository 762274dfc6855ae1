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
/// Of which so many neighbours are looked at together.
constexpr std::uint32_t stretch = 16;
/// Messages of more blocks are not looked at block by block.
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 14U;
/// Temporary buffers of this many bytes are not kept from one call to the next.
constexpr double least_fresh = 1U << 25U;

/// Whether a message must be packed: its blocks lie in more than two stretches, which would be sent
/// one by one.
bool is_packed(const Collective& collective, Rank rank, std::uint32_t step, std::uint32_t index) {
    const simulate::Transfer out = collective.sent(rank, step, index);
    if (out.count < 3 || out.count > most_blocks) return false;
    const std::vector<std::uint64_t> blocks = collective.blocks(rank, step, index);
    std::size_t stretches = 1;
    for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i] != blocks[i - 1] + 1) ++stretches;
    return stretches > 2;
}

/// Adds what the messages of a step make a rank do.
void add_step(LocalWork& work, const Collective& collective, Rank rank, std::uint32_t step) {
    const simulate::Step messages = collective.step(rank, step);
    double out = 0;
    for (std::uint32_t k = 0; k < messages.sends; ++k) {
        const auto bytes = static_cast<double>(collective.send(rank, step, k).bytes);
        out += bytes;
        // What is gathered at one end is scattered at the other, where as much comes in.
        if (!is_packed(collective, rank, step, k)) continue;
        work.packed += 1;
        work.copied += 2 * bytes;
        work.buffered = std::max(work.buffered, bytes);
    }
    double in = 0;
    for (std::uint32_t k = 0; k < messages.receives; ++k) {
        const auto bytes = static_cast<double>(collective.receive(rank, step, k).bytes);
        in += bytes;
        if (collective.received(rank, step, k).effect != simulate::Effect::combine) continue;
        work.combined += bytes;
        work.buffered = std::max(work.buffered, bytes);
    }
    if (messages.sends == 0 || messages.receives == 0) return;
    work.exchanges += 1;
    work.exchanged += std::min(in, out);
}

/// The `i`-th of the steps that are looked at: all, or stretches of neighbouring ones, as schedules
/// may repeat every few steps.
std::uint32_t sampled_step(std::uint32_t i, std::uint32_t steps) {
    if (steps <= most_steps) return i;
    const std::uint64_t begins = i - i % stretch;
    const std::uint64_t from = begins * (steps - stretch) / (most_steps - stretch);
    return static_cast<std::uint32_t>(from) + i % stretch;
}

/// What the messages of a rank make it do.
LocalWork work_of(const Collective& collective, Rank rank) {
    const std::uint32_t steps = collective.steps(rank);
    const std::uint32_t sampled = std::min(steps, most_steps);
    LocalWork work;
    for (std::uint32_t i = 0; i < sampled; ++i)
        add_step(work, collective, rank, sampled_step(i, steps));
    const double all = sampled > 0 ? static_cast<double>(steps) / sampled : 0;
    for (double* each :
         {&work.combined, &work.copied, &work.packed, &work.exchanges, &work.exchanged})
        *each *= all;
    return work;
}

/// Bytes of a rank's own data that the operation has in another buffer: of the rank with the most.
double own_bytes(const simulate::CollectiveChoice& choice) {
    if (choice.operation == "bcast" || choice.operation == "barrier") return 0;
    const auto bytes = static_cast<double>(
        choice.sizes.empty() ? choice.size
                             : *std::max_element(choice.sizes.begin(), choice.sizes.end()));
    return choice.operation == "reduce_scatter" ? bytes * choice.ranks : bytes;
}

}  // namespace

LocalWork local_work(std::string_view operation, std::string_view algorithm, std::uint64_t ranks,
                     std::uint64_t size) {
    if (operation == "send" || ranks < 2) return {};
    return local_work({.operation = std::string(operation),
                       .algorithm = std::string(algorithm),
                       .ranks = static_cast<Rank>(ranks),
                       .size = size});
}

LocalWork local_work(const simulate::CollectiveChoice& choice) {
    if (choice.ranks == 1) return {};
    const std::unique_ptr<Collective> collective = simulate::make_collective(choice);
    LocalWork busiest;
    // Rank 1 takes part for rank 0, too, where the number of ranks is no power of two.
    for (const Rank rank : {Rank{0}, Rank{1}, collective->ranks() / 2, collective->ranks() - 1}) {
        const LocalWork work = work_of(*collective, rank);
        busiest.combined = std::max(busiest.combined, work.combined);
        busiest.copied = std::max(busiest.copied, work.copied);
        busiest.packed = std::max(busiest.packed, work.packed);
        busiest.exchanges = std::max(busiest.exchanges, work.exchanges);
        busiest.exchanged = std::max(busiest.exchanged, work.exchanged);
        busiest.buffered = std::max(busiest.buffered, work.buffered);
    }
    const double own = own_bytes(choice);
    if (choice.operation == "reduce_scatter") busiest.buffered = own;
    busiest.copied += own;
    return busiest;
}

bool is_free(const CollectiveCosts& costs) {
    return costs.combine == 0 && costs.copy == 0 && costs.node_copy == 0 && costs.pack == 0 &&
           costs.exchange == 0 && costs.exchange_per_byte == 0 && costs.fresh == 0 &&
           costs.skew == 0 && costs.skew_per_doubling == 0;
}

double local_seconds(const CollectiveCosts& costs, const LocalWork& work, std::uint64_t ranks) {
    const auto count = static_cast<double>(std::max<std::uint64_t>(ranks, 1));
    return costs.combine * work.combined + costs.copy * work.copied + costs.pack * work.packed +
           costs.exchange * work.exchanges + costs.exchange_per_byte * work.exchanged +
           (work.buffered >= least_fresh ? costs.fresh * work.buffered : 0) + costs.skew +
           costs.skew_per_doubling * std::log2(count);
}

}  // namespace lapwing
