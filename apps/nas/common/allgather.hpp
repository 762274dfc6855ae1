#pragma once

#include <cstddef>
#include <utility>

#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing::nas {

/// An all-gather of equal parts by recursive doubling, over any transport: log2 P rounds of a
/// message. The number of ranks is a power of two.
template <Transport T>
class Allgather {
  public:
    /// `bytes`: of a part. `tag`: of all messages. `transport` outlives it.
    Allgather(T& transport, std::size_t bytes, int tag)
        : transport_(transport),
          bytes_(bytes),
          tag_(tag),
          memory_(memory_for(transport, bytes * static_cast<std::size_t>(transport.size()))) {}

    /// Where this rank writes its part, before `gather`.
    [[nodiscard]] std::byte* own() { return at(transport_.rank()); }
    /// The part of rank `rank`, after it.
    [[nodiscard]] std::byte* at(int rank) {
        return memory_.data() + static_cast<std::size_t>(rank) * bytes_;
    }
    /// Returns when all parts are there. Collective.
    void gather() {
        for (int distance = 1; distance < transport_.size(); distance *= 2) {
            const int peer = transport_.rank() ^ distance;
            // Those that are known already are a group of `distance` ranks.
            const auto group = [&](int rank) { return at(rank & ~(distance - 1)); };
            const std::size_t size = static_cast<std::size_t>(distance) * bytes_;
            auto arriving = transport_.receive(group(peer), size, peer, tag_);
            auto leaving = transport_.send(group(transport_.rank()), size, peer, tag_);
            arriving.wait();
            leaving.wait();
        }
    }

  private:
    using Memory = decltype(memory_for(std::declval<T&>(), std::size_t{}));

    T& transport_;
    std::size_t bytes_;
    int tag_;
    Memory memory_;
};

}  // namespace lapwing::nas
