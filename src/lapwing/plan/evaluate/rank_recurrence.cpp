#include "lapwing/plan/evaluate/rank_recurrence.hpp"

namespace lapwing {

RankRecurrence::RankRecurrence(const RankCosts& costs)
    : peers_(costs.peers), bytes_per_peer_(costs.bytes_per_peer), two_way_(costs.two_way) {
    const Direction direction = costs.workload.direction;
    const bool produces = direction == Direction::produce;
    const double t = costs.line.t;
    rank_.costs = costs.line;
    rank_.sends = two_way_ || produces;
    rank_.receives = two_way_ || !produces;
    rank_.before = direction == Direction::both ? t / 2 : produces ? t : 0;
    rank_.after = t - rank_.before;
    rank_.nic = costs.link->nic;
}

double RankRecurrence::seconds(const Messages& messages, int window) const {
    return run(sizes(messages), static_cast<std::size_t>(window));
}

double RankRecurrence::unsplit_seconds() const {
    return run(std::vector<double>(peers_, static_cast<double>(bytes_per_peer_)), peers_);
}

/// One peer after the other where all ranks send. Otherwise peers are ready side by side: a message
/// of each in turn.
std::vector<double> RankRecurrence::sizes(const Messages& messages) const {
    std::vector<double> sizes;
    sizes.reserve(peers_ * messages.count());
    if (!two_way_) {
        for (const auto& [size, count] : messages.runs())
            sizes.insert(sizes.end(), peers_ * count, static_cast<double>(size));
        return sizes;
    }
    for (std::uint64_t peer = 0; peer < peers_; ++peer)
        for (const auto& [size, count] : messages.runs())
            sizes.insert(sizes.end(), count, static_cast<double>(size));
    return sizes;
}

/// Where all ranks send they stay in step, each on its way to another peer, for as long as none has
/// messages in flight to more than two.
double RankRecurrence::run(const std::vector<double>& sizes, std::size_t window) const {
    const std::size_t each = sizes.size() / peers_;
    const auto [seconds, in_step] = rank_.run(sizes, window, each);
    if (in_step || !two_way_) return seconds;
    simulate::RepresentativeRank slowed = rank_;
    slowed.costs.G *= out_of_step_slowdown;
    slowed.costs.h *= out_of_step_slowdown;
    return slowed.run(sizes, window, each).seconds;
}

}  // namespace lapwing
