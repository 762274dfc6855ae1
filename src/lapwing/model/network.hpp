#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing::model {

/// The costs of one message at each place it passes, seconds.
struct MessageCost {
    double send = 0;     ///< the sender's processor, o_s(m)
    double latency = 0;  ///< latency, L(m)
    double wire = 0;     ///< an interface, G(m) m
    double receive = 0;  ///< the receiver's processor, o_r(m)
    /// Rendezvous: the message leaves when its receive is posted. Otherwise it leaves when it is
    /// sent.
    bool waits = false;
    /// The receiver's processor besides, if the message was there before its receive was posted. 0
    /// of one that waits for it.
    double unexpected = 0;

    /// A message by itself: `o_s + L + G m + o_r`.
    [[nodiscard]] constexpr double total() const { return send + latency + wire + receive; }
    /// A message that was sent long ago and waited for its receive: `L + G m + o_r`.
    [[nodiscard]] constexpr double awaited() const { return latency + wire + receive; }
    /// When its receiver has it: it was complete at `there`, its receive was posted at `posted`,
    /// seconds.
    [[nodiscard]] constexpr double received(double there, double posted) const {
        return there < posted ? posted + receive + unexpected : there + receive;
    }
};

/// The costs of messages by size: linear between some sizes, and beyond the last two.
class MessageCosts {
  public:
    MessageCosts() : MessageCosts({0}, {{}}) {}
    /// `sizes`: bytes, increasing, from 0 on; `costs`: one for each. Throws `std::invalid_argument`
    /// if it is otherwise.
    MessageCosts(const std::vector<std::uint64_t>& sizes, const std::vector<MessageCost>& costs);

    /// The cost of a message of `size` bytes, fewer than 2^64.
    [[nodiscard, gnu::always_inline]] MessageCost operator()(double size) const {
        const Piece& piece = find(size);
        const double beyond = size - piece.from;
        return {piece.at.send + beyond * piece.slope.send,
                piece.at.latency + beyond * piece.slope.latency,
                piece.at.wire + beyond * piece.slope.wire,
                piece.at.receive + beyond * piece.slope.receive,
                piece.at.waits,
                piece.at.unexpected + beyond * piece.slope.unexpected};
    }

    /// Its total.
    [[nodiscard, gnu::always_inline]] double total(double size) const {
        const Piece& piece = find(size);
        return piece.total + (size - piece.from) * piece.slope_total;
    }

  private:
    struct Piece {
        double from = 0;
        double total = 0;
        double slope_total = 0;
        MessageCost at;
        MessageCost slope;  ///< seconds a byte
    };

    [[nodiscard, gnu::always_inline]] const Piece& find(double size) const {
        std::size_t piece = first_[cell(size)];
        while (pieces_[piece + 1].from <= size) ++piece;
        return pieces_[piece];
    }

    // An index of pieces: cells are a quarter of a power of two wide (the first is below 1), and
    // most of them lie in one piece.
    static constexpr unsigned below_quarters = 50;  ///< bits of a double
    static constexpr std::uint64_t cell_of_one =
        std::bit_cast<std::uint64_t>(1.0) >> below_quarters;
    [[nodiscard]] static std::size_t cell(double size) {
        return std::max(std::bit_cast<std::uint64_t>(size) >> below_quarters, cell_of_one) -
               cell_of_one;
    }

    std::vector<Piece> pieces_;               ///< then one that begins at infinity
    std::array<std::uint32_t, 256> first_{};  ///< the piece of the least number of a cell
};

/// A flat network: every message costs the same wherever it goes, except within a node. All ranks
/// of a node share one interface each way.
struct Network {
    MessageCosts between;              ///< ranks of different nodes
    MessageCosts within;               ///< ranks of one node
    std::uint64_t ranks_per_node = 1;  ///< consecutive ranks are on one node
    /// Messages in flight at once share an interface. Otherwise it serves them one after another.
    bool sharing = false;

    /// The cost of a message to the rank `distance` away.
    [[nodiscard, gnu::always_inline]] MessageCost message(double size,
                                                          std::uint64_t distance) const {
        return distance < ranks_per_node ? within(size) : between(size);
    }
    [[nodiscard, gnu::always_inline]] double total(double size, std::uint64_t distance) const {
        return distance < ranks_per_node ? within.total(size) : between.total(size);
    }
};

}  // namespace lapwing::model
