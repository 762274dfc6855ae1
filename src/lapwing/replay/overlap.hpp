#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "lapwing/replay/exchange_reader.hpp"
#include "lapwing/replay/kept_record.hpp"

namespace lapwing::replay {

/// How exchanges of a call site are overlapped.
struct Overlap {
    /// Behind which computation: before it, after it, or both.
    enum class Side : std::uint8_t { before, after, both };
    Side side = Side::after;
    /// A collective is cut into so many, and the computation with it. Messages travel as they are,
    /// before or after, as the edges of a halo do while what needs none of them is computed.
    std::uint32_t pieces = 1;
    /// On both sides: so many pieces are under way at most.
    std::uint32_t window = 1;
    /// Of messages, which exchanges: those of size class c, where bit c is set.
    std::uint64_t size_classes = ~std::uint64_t{0};

    [[nodiscard]] bool applies_to(const Exchange& exchange) const {
        if (exchange.kind == Exchange::Kind::none) return false;
        if (exchange.kind == Exchange::Kind::collective) return true;
        return (size_classes >> std::min(exchange.size_class(), 63U) & 1U) != 0;
    }
};

/// The number of a recorded request where some exchanges are overlapped, which make requests of
/// their own.
[[nodiscard]] std::uint64_t kept_request(std::uint64_t number);

/// Appends the records of an exchange that is overlapped. `after`: nanoseconds of the computation
/// behind it that it may hide behind; what its first record computed it may hide behind, too.
/// Returns how many of these nanoseconds are left when it is over.
std::uint64_t overlap(const Exchange& exchange, const Overlap& how, std::uint64_t after,
                      std::deque<KeptRecord>& made);

}  // namespace lapwing::replay
