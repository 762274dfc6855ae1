#include "lapwing/plan/evaluate/rank_recurrence.hpp"

namespace lapwing {

RankRecurrence::RankRecurrence(const RankCosts& costs)
    : peers_(costs.peers), bytes_per_peer_(costs.bytes_per_peer), two_way_(costs.two_way) {
    const Direction direction = costs.workload.direction;
    const bool produces = direction == Direction::produce;
    const double t = costs.line.t;
    const double before = direction == Direction::both ? t / 2 : produces ? t : 0;
    rank_ = {.costs = costs.line,
             .sends = two_way_ || produces,
             .receives = two_way_ || !produces,
             .before = before,
             .after = t - before,
             .nic = costs.link->nic};
}

double RankRecurrence::seconds(const Messages& messages, int window) const {
    std::vector<double> sizes;
    sizes.reserve(peers_ * messages.count());
    // One peer after the other where all ranks send. Otherwise peers are ready side by side: a
    // message of each in turn.
    const std::uint64_t rounds = two_way_ ? peers_ : 1;
    for (std::uint64_t round = 0; round < rounds; ++round)
        for (const auto& [size, count] : messages.runs())
            sizes.insert(sizes.end(), peers_ / rounds * count, static_cast<double>(size));
    return run(sizes, static_cast<std::size_t>(window));
}

double RankRecurrence::run(const std::vector<double>& sizes, std::size_t window) const {
    // How much longer the wire takes where ranks have messages in flight to more than two others:
    // interfaces serve what can go first, ranks block each other, and wires rest. Flat all-to-alls
    // of 8 and 16 ranks take 1.4 to 1.7 times as long in the engine.
    constexpr double out_of_step_slowdown = 1.5;
    const std::size_t each = sizes.size() / peers_;
    const auto [seconds, in_step] = rank_.run(sizes, window, each);
    // Where all ranks send they stay in step, each on its way to another peer, for as long as none
    // has messages in flight to more than two.
    if (in_step || !two_way_) return seconds;
    simulate::RepresentativeRank slowed = rank_;
    slowed.costs.G *= out_of_step_slowdown;
    slowed.costs.h *= out_of_step_slowdown;
    return slowed.run(sizes, window, each).seconds;
}

}  // namespace lapwing
