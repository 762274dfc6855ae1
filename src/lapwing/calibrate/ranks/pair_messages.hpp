#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/tag.hpp"

namespace lapwing {

/// Buffers that the measurements send from and receive into: as large as the largest of them.
struct Buffers {
    std::vector<std::byte> out;
    std::vector<std::byte> in;
    explicit Buffers(std::size_t bytes) : out(bytes, std::byte{1}), in(bytes) {}
};

/// The messages of one measurement, all of one size, by their numbers: each has a tag of its own,
/// and they lie behind each other as far as the buffers go.
template <Transport T>
class PairMessages {
  public:
    using Request = typename T::Request;

    /// Of `size` bytes, at most as many as the buffers have.
    PairMessages(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size)
        : pair_(pair), buffers_(buffers), size_(size) {}

    /// Sends message `index` to the other rank.
    Request send(std::uint64_t index) {
        return pair_.transport().send(buffers_.out.data() + place(index), size_, pair_.peer(),
                                      message_tag(index));
    }
    /// Posts its receive.
    Request receive(std::uint64_t index) {
        return pair_.transport().receive(buffers_.in.data() + place(index), size_, pair_.peer(),
                                         message_tag(index));
    }

  private:
    [[nodiscard]] std::size_t place(std::uint64_t index) const {
        return place_in(buffers_.in.size(), index, size_);
    }

    TransportPair<T>& pair_;
    Buffers& buffers_;
    std::uint64_t size_;
};

}  // namespace lapwing
