#include "lapwing/replay/block_steps.hpp"

#include <utility>

namespace lapwing::replay {

void BlockSteps::exchange(std::vector<std::uint64_t> blocks) {
    to_ = from_ = all();
    blocks_ = std::move(blocks);
}

void BlockSteps::send_to_all(std::uint64_t bytes, bool interleaved) {
    interleaved_ = interleaved;
    to_ = from_ = all();
    bytes_ = bytes;
}

void BlockSteps::gather(Rank root, std::uint64_t bytes) {
    if (rank_ == root) {
        from_ = all();
    } else {
        to_ = {root, root + 1, false};
    }
    bytes_ = bytes;
}

void BlockSteps::scatter(Rank root, std::vector<std::uint64_t> blocks) {
    if (rank_ == root) {
        to_ = all();
    } else {
        from_ = {root, root + 1, false};
    }
    blocks_ = std::move(blocks);
}

void BlockSteps::send_upwards(std::uint64_t bytes) {
    to_ = {rank_ + 1, size_, false};
    from_ = {0, rank_, false};
    bytes_ = bytes;
}

Send BlockSteps::send(std::uint32_t, std::uint32_t index) const {
    const Rank to = to_.rank(index, rank_);
    return {.to = to, .bytes = to < blocks_.size() ? blocks_[to] : bytes_, .key = 0};
}

}  // namespace lapwing::replay
