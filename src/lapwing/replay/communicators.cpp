#include "lapwing/replay/communicators.hpp"

namespace lapwing::replay {
namespace {

/// A number that two different pairs share by a rare chance only.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t value = (a ^ 0x9E3779B97F4A7C15U) * 0xBF58476D1CE4E5B9U;
    value = (value ^ value >> 31U ^ b) * 0x94D049BB133111EBU;
    return value ^ value >> 29U;
}

}  // namespace

Communicator::Communicator(std::uint64_t context, std::span<const record::Run> members, Rank self)
    : context_(context), members_(members.begin(), members.end()) {
    for (const record::Run& run : members_) {
        const auto distance =
            static_cast<std::int64_t>(self) - static_cast<std::int64_t>(run.first);
        const std::int64_t place = run.stride == 0 ? 0 : distance / run.stride;
        if (place >= 0 && static_cast<std::uint64_t>(place) < run.count &&
            place * run.stride == distance)
            rank_ = size_ + static_cast<Rank>(place);
        size_ += static_cast<Rank>(run.count);
    }
}

Rank Communicator::world(Rank member) const {
    for (const record::Run& run : members_) {
        if (member < run.count)
            return static_cast<Rank>(static_cast<std::int64_t>(run.first) +
                                     run.stride * static_cast<std::int64_t>(member));
        member -= static_cast<Rank>(run.count);
    }
    return 0;
}

std::uint64_t Communicator::begin_collective() { return mixed(context_, ++collectives_); }

}  // namespace lapwing::replay
