#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/arrivals.hpp"
#include "lapwing/model/collectives/departures.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// All ranks but the first in `count` chains of consecutive ranks; the first ones may be a rank
/// longer.
class Chains {
  public:
    Chains(std::uint64_t ranks, std::uint64_t count)
        : count_(std::min(count, ranks - 1)),
          length_((ranks - 1) / count_),
          longer_((ranks - 1) % count_) {}

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t head(std::uint64_t chain) const {
        return 1 + chain * length_ + std::min(chain, longer_);
    }
    /// Seconds from one end of a chain to the other.
    [[nodiscard]] double along(const Network& network, std::uint64_t chain, double size) const {
        const std::uint64_t hops = length_ + (chain < longer_ ? 1 : 0) - 1;
        const std::uint64_t node = network.ranks_per_node;
        const std::uint64_t between = (head(chain) + hops) / node - head(chain) / node;
        return static_cast<double>(between) * network.between.total(size) +
               static_cast<double>(hops - between) * network.within.total(size);
    }

  private:
    std::uint64_t count_;
    std::uint64_t length_;
    std::uint64_t longer_;
};

/// Down `count` chains of `l` ranks: `(count - 1) max(o_s, G m) + l T(m)`.
[[nodiscard]] inline double down_chains(const Network& network, std::uint64_t ranks,
                                        std::uint64_t count, double size) {
    if (ranks < 2) return 0;
    const Chains chains(ranks, count);
    if (count == 1) return network.total(size, 1) + chains.along(network, 0, size);
    Departures sent(network);
    for (std::uint64_t i = 0; i < chains.count(); ++i)
        sent.add(network.message(size, chains.head(i)), chains.head(i) < network.ranks_per_node);
    sent.end();
    double last = 0;
    for (std::uint64_t i = 0; i < chains.count(); ++i)
        last = std::max(last, sent.received(i) + chains.along(network, i, size));
    return last;
}

/// Up `count` chains of `l` ranks: `l T(m) + (count - 1) max(G m, o_r)`.
[[nodiscard]] inline double up_chains(const Network& network, std::uint64_t ranks,
                                      std::uint64_t count, double size) {
    if (ranks < 2) return 0;
    const Chains chains(ranks, count);
    if (count == 1) return network.total(size, 1) + chains.along(network, 0, size);
    Arrivals arrivals(network, Receives::in_turn_ahead);
    for (std::uint64_t i = 0; i < chains.count(); ++i)
        arrivals.add(network.message(size, chains.head(i)), chains.along(network, i, size),
                     chains.head(i));
    return arrivals.received();
}

}  // namespace lapwing::model
