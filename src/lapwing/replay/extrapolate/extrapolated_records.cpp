#include "lapwing/replay/extrapolate/extrapolated_records.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lapwing/replay/extrapolate/grid_communicators.hpp"

namespace lapwing::replay {
namespace {

using record::Collective;
using record::Kind;
using record::Record;

// Bytes of a number: what all ranks tell all others does not become less.
constexpr std::uint64_t one_number = 8;

std::uint64_t ranks_in(const RankGrid& grid, const Dimensions& extent) {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < RankGrid::dimensions; ++d)
        if (extent[d]) count *= grid.sizes[d];
    return static_cast<std::uint64_t>(count);
}

/// A block of an all-to-all of `before` ranks, where there are `now`.
std::uint64_t smaller(std::uint64_t block, std::uint64_t before, std::uint64_t now) {
    const std::uint64_t times = now / before;
    return std::min(block, std::max(one_number, (block + times / 2) / times));
}

}  // namespace

ExtrapolatedRecords::ExtrapolatedRecords(record::Decoder records, std::uint64_t rank,
                                         const GrownGrid& grid)
    : records_(std::move(records)), rank_(rank), grid_(grid), extents_{{true, true, true}} {}

bool ExtrapolatedRecords::next(Record& record) {
    if (!records_.next(record)) return false;
    if (record.kind == Kind::communicator) map_communicator(record);
    if (record::sends(record.kind)) map(record.sent);
    if (record::receives(record.kind)) map(record.received);
    if (record.kind == Kind::collective || record.kind == Kind::start_collective)
        map_collective(record);
    return true;
}

void ExtrapolatedRecords::map(record::Message& message) const {
    if (message.peer < 0) return;
    const auto peer = static_cast<std::uint64_t>(message.peer);
    message.peer = static_cast<std::int64_t>(grid_.partner(rank_, peer));
}

void ExtrapolatedRecords::map_communicator(Record& record) {
    const auto found = extent(grid_.recorded(), grid_.model(rank_), record.members);
    if (extents_.size() <= record.communicator) extents_.resize(record.communicator + 1);
    extents_[record.communicator] = found.value();
    members_ = members(grid_.grown(), rank_, *found);
    record.members = members_;
}

void ExtrapolatedRecords::map_collective(Record& record) {
    blocks_ = grown_blocks(record);
    record.blocks = blocks_;
    if (record.collective != Collective::alltoall && record.collective != Collective::alltoallv)
        return;
    const Dimensions& extent = extents_[record.communicator];
    const std::uint64_t before = ranks_in(grid_.recorded(), extent);
    const std::uint64_t now = ranks_in(grid_.grown(), extent);
    record.bytes = smaller(record.bytes, before, now);
    for (std::uint64_t& block : blocks_) block = smaller(block, before, now);
}

/// For each rank of the larger communicator the block of its model; none where there are none.
std::vector<std::uint64_t> ExtrapolatedRecords::grown_blocks(const Record& record) const {
    const Dimensions& extent = extents_[record.communicator];
    const auto recorded = grid_.recorded().subgrid(grid_.model(rank_), extent);
    std::vector<std::uint64_t> blocks;
    if (record.blocks.empty()) return blocks;
    for (const std::uint64_t rank : grid_.grown().subgrid(rank_, extent)) {
        const auto model = std::lower_bound(recorded.begin(), recorded.end(), grid_.model(rank));
        blocks.push_back(record.blocks[static_cast<std::size_t>(model - recorded.begin())]);
    }
    return blocks;
}

}  // namespace lapwing::replay
