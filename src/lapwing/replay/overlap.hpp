#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "lapwing/replay/exchange_reader.hpp"
#include "lapwing/replay/kept_record.hpp"
#include "lapwing/replay/request_numbers.hpp"

namespace lapwing::replay {

/// How exchanges of a call site are overlapped.
struct Overlap {
    /// Behind which computation: before it, after it, or both.
    enum class Side : std::uint8_t { before, after, both };
    Side side = Side::after;
    /// It is cut into so many, and the computation with it. Messages that are not cut travel before
    /// or after all of it, as the edges of a halo do during the computation that needs none of
    /// them.
    std::uint32_t pieces = 1;
    /// On both sides: so many pieces are under way at most.
    std::uint32_t window = 1;
    /// Of messages, which exchanges: those of size class c, where bit c is set.
    std::uint64_t size_classes = ~std::uint64_t{0};

    [[nodiscard]] bool before() const { return side != Side::after; }
    [[nodiscard]] bool after() const { return side != Side::before; }
    /// Pieces that are under way at most.
    [[nodiscard]] std::uint32_t under_way() const {
        return side == Side::both ? std::clamp(window, 1U, std::max(1U, pieces)) : pieces;
    }
    [[nodiscard]] bool applies_to(const Exchange& exchange) const {
        if (exchange.kind == Exchange::Kind::none) return false;
        if (exchange.kind == Exchange::Kind::collective) return true;
        return (size_classes >> std::min(exchange.size_class(), 63U) & 1U) != 0;
    }
};

/// Appends the records of an exchange that is not overlapped.
void keep(const Exchange& exchange, RequestNumbers& numbers, std::deque<KeptRecord>& records);

/// Appends the records of an exchange that is overlapped. `after`: nanoseconds of the computation
/// behind it that it may hide behind; what its first record computed it may hide behind, too.
/// Returns how many of these nanoseconds are left when it is over.
std::uint64_t overlap(Exchange exchange, const Overlap& how, std::uint64_t after,
                      RequestNumbers& numbers, std::deque<KeptRecord>& records);

}  // namespace lapwing::replay
