#pragma once

#include <cstdint>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The message costs of a network, with the last one cached: many messages in a row have the same
/// size.
class CachedCosts {
  public:
    explicit CachedCosts(const Network& network) : network_(network) {}

    /// The cost of a message of `size` bytes to the rank `distance` away.
    [[nodiscard, gnu::always_inline]] const MessageCost& operator()(std::uint64_t size,
                                                                    std::uint64_t distance) {
        if (cost_of_.is(size, near(distance))) return cost_;
        cost_of_ = {size, near(distance), true};
        cost_ = network_.message(static_cast<double>(size), distance);
        return cost_;
    }
    /// Its total, seconds.
    [[nodiscard, gnu::always_inline]] double total(std::uint64_t size, std::uint64_t distance) {
        if (total_of_.is(size, near(distance))) return total_;
        if (cost_of_.is(size, near(distance))) return cost_.total();
        total_of_ = {size, near(distance), true};
        total_ = network_.total(static_cast<double>(size), distance);
        return total_;
    }

  private:
    struct Message {
        std::uint64_t size = 0;
        bool near = false;
        bool known = false;
        [[nodiscard]] bool is(std::uint64_t other, bool other_near) const {
            return known && size == other && near == other_near;
        }
    };
    [[nodiscard]] bool near(std::uint64_t distance) const {
        return distance < network_.ranks_per_node;
    }

    const Network& network_;
    Message cost_of_;
    Message total_of_;
    MessageCost cost_;
    double total_ = 0;
};

}  // namespace lapwing::model
