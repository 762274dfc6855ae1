#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lapwing/transport/memory.hpp"
#include "problem.hpp"

namespace lapwing::nas::is {

/// Keys in the places that their ranks say.
class SortedKeys {
  public:
    /// `up_to`: of each value from `least` on, how many keys are less or equal. It outlives this.
    SortedKeys(std::span<const std::uint32_t> up_to, Key least)
        : least_(least),
          next_(up_to.begin(), up_to.end()),
          keys_(up_to.empty() ? 0 : up_to.back()) {}

    /// Puts keys in their places.
    void put(std::span<const Key> keys) {
        for (const Key key : keys) {
            const std::size_t value = key - least_;
            if (value < next_.size() && next_[value] > 0) {
                keys_[--next_[value]] = key;
                ++placed_;
            }
        }
    }
    /// Whether each place has a key, and all are in order, after those of the ranks before.
    /// Collective over all ranks of `transport`. `tag`: of a message.
    template <Transport T>
    [[nodiscard]] bool in_order(T& transport, int tag) const {
        const Key before = largest_before(transport, tag, keys_.empty() ? 0 : keys_.back());
        return placed_ == keys_.size() && std::is_sorted(keys_.begin(), keys_.end()) &&
               (keys_.empty() || before <= keys_.front());
    }

  private:
    /// The largest key of the ranks before, by a message along all ranks; `own`: the largest here.
    template <Transport T>
    [[nodiscard]] static Key largest_before(T& transport, int tag, Key own) {
        auto memory = memory_for(transport, 2 * sizeof(Key));
        Key before = 0;
        if (transport.rank() > 0) {
            transport.receive(memory.data(), sizeof(Key), transport.rank() - 1, tag).wait();
            std::memcpy(&before, memory.data(), sizeof(Key));
        }
        const Key largest = std::max(before, own);
        std::byte* const sent = memory.data() + sizeof(Key);
        std::memcpy(sent, &largest, sizeof(Key));
        if (transport.rank() + 1 < transport.size())
            transport.send(sent, sizeof(Key), transport.rank() + 1, tag).wait();
        return before;
    }

    Key least_;
    std::vector<std::uint32_t> next_;  ///< the place behind that of the next key, by value
    std::vector<Key> keys_;
    std::size_t placed_ = 0;
};

}  // namespace lapwing::nas::is
