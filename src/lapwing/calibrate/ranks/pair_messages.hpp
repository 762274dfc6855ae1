#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/tag.hpp"

namespace lapwing {

/// The memory that measurements send from and receive into, `bytes` each.
struct Buffers {
    std::vector<std::byte> out;
    std::vector<std::byte> in;
    explicit Buffers(std::size_t bytes) : out(bytes, std::byte{1}), in(bytes) {}
};

/// Numbered messages of one size between two ranks. Each has a tag of its own, and a place of its
/// own in the buffers as far as these go.
class PairMessages {
  public:
    using Request = TwoSided::Request;

    /// `size`: bytes of a message, at most the size of the buffers.
    PairMessages(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size)
        : pair_(pair), buffers_(buffers), size_(size) {}

    /// Starts to send message `index` to the other rank.
    Request send(std::uint64_t index) {
        return pair_.transport().send(buffers_.out.data() + place(index), size_, pair_.peer(),
                                      message_tag(index));
    }
    /// Posts the receive of message `index`.
    Request receive(std::uint64_t index) {
        return pair_.transport().receive(buffers_.in.data() + place(index), size_, pair_.peer(),
                                         message_tag(index));
    }

  private:
    [[nodiscard]] std::size_t place(std::uint64_t index) const {
        return place_in(buffers_.in.size(), index, size_);
    }

    TwoSidedPair& pair_;
    Buffers& buffers_;
    std::uint64_t size_;
};

}  // namespace lapwing
