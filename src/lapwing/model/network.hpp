#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing::model {

/// What one message takes at each place it passes, seconds.
struct MessageCost {
    double send = 0;     ///< its sender's processor, o_s(m)
    double latency = 0;  ///< on its way, L(m)
    double wire = 0;     ///< an interface, G(m) m
    double receive = 0;  ///< its receiver's processor, o_r(m)
    /// It sets out only when its receive is there (rendezvous); if not, as soon as it is sent.
    bool waits = false;

    /// A message by itself: `o_s + L + G m + o_r`.
    [[nodiscard]] constexpr double total() const { return send + latency + wire + receive; }
    /// One that was sent long ago and waited for its receive: `L + G m + o_r`.
    [[nodiscard]] constexpr double awaited() const { return latency + wire + receive; }
};

/// What messages of any size cost: straight lines between some sizes, and on beyond the last two.
class MessageCosts {
  public:
    MessageCosts() : MessageCosts({0}, {{}}) {}
    /// `sizes`: bytes, increasing, from 0 on; `costs`: one for each. Throws `std::invalid_argument`
    /// if it is otherwise.
    MessageCosts(const std::vector<std::uint64_t>& sizes, const std::vector<MessageCost>& costs);

    /// The cost of a message of `size` bytes.
    [[nodiscard]] MessageCost operator()(double size) const {
        const Piece& piece = find(size);
        const double beyond = size - piece.from;
        return {piece.at.send + beyond * piece.slope.send,
                piece.at.latency + beyond * piece.slope.latency,
                piece.at.wire + beyond * piece.slope.wire,
                piece.at.receive + beyond * piece.slope.receive, piece.at.waits};
    }

    /// Its total.
    [[nodiscard]] double total(double size) const {
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

    [[nodiscard]] const Piece& find(double size) const {
        // By way of the signed type, which processors convert at once.
        const auto bytes = static_cast<std::uint64_t>(static_cast<std::int64_t>(size));
        std::size_t piece =
            bytes == 0 ? 0 : first_[static_cast<unsigned>(std::bit_width(bytes)) - 1];
        while (piece + 1 < pieces_.size() && pieces_[piece + 1].from <= size) ++piece;
        return pieces_[piece];
    }

    std::vector<Piece> pieces_;
    /// The piece that 2^k bytes are in.
    std::array<std::uint32_t, 64> first_{};
};

/// A flat network: every message costs the same wherever it goes, but for those within a node.
/// All ranks of a node have one interface each way.
struct Network {
    MessageCosts between;              ///< ranks of different nodes
    MessageCosts within;               ///< ranks of one node
    std::uint64_t ranks_per_node = 1;  ///< consecutive ranks are on one node
    /// Messages at once share an interface; if not, it serves them one after another.
    bool sharing = false;

    /// A message to the rank `distance` away, by itself.
    [[nodiscard]] MessageCost message(double size, std::uint64_t distance) const {
        return distance < ranks_per_node ? within(size) : between(size);
    }
    [[nodiscard]] double total(double size, std::uint64_t distance) const {
        return distance < ranks_per_node ? within.total(size) : between.total(size);
    }
};

}  // namespace lapwing::model
