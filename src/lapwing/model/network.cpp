#include "lapwing/model/network.hpp"

#include <bit>
#include <limits>
#include <stdexcept>

namespace lapwing::model {
namespace {

MessageCost slope(const MessageCost& from, const MessageCost& to, double bytes) {
    return {.send = (to.send - from.send) / bytes,
            .latency = (to.latency - from.latency) / bytes,
            .wire = (to.wire - from.wire) / bytes,
            .receive = (to.receive - from.receive) / bytes,
            .waits = from.waits,
            .unexpected = (to.unexpected - from.unexpected) / bytes};
}

}  // namespace

MessageCosts::MessageCosts(const std::vector<std::uint64_t>& sizes,
                           const std::vector<MessageCost>& costs) {
    if (sizes.empty() || sizes.front() != 0 || sizes.size() != costs.size())
        throw std::invalid_argument("message costs begin at 0 bytes, a cost for each size");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (i > 0 && sizes[i] <= sizes[i - 1])
            throw std::invalid_argument("the sizes of message costs must increase");
        pieces_.emplace_back();
        pieces_.back().from = static_cast<double>(sizes[i]);
        pieces_.back().at = costs[i];
    }
    for (std::size_t i = 0; i + 1 < pieces_.size(); ++i)
        pieces_[i].slope =
            slope(pieces_[i].at, pieces_[i + 1].at, pieces_[i + 1].from - pieces_[i].from);
    if (pieces_.size() > 1) pieces_.back().slope = pieces_[pieces_.size() - 2].slope;
    for (auto& piece : pieces_) {
        piece.total = piece.at.total();
        piece.slope_total = piece.slope.total();
    }
    pieces_.emplace_back().from = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1, piece = 0; k < first_.size(); ++k) {
        const auto least = std::bit_cast<double>((cell_of_one + k) << below_quarters);
        while (pieces_[piece + 1].from <= least) ++piece;
        first_[k] = static_cast<std::uint32_t>(piece);
    }
}

}  // namespace lapwing::model
