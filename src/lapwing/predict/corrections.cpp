#include "lapwing/predict/corrections.hpp"

#include <algorithm>

#include "lapwing/model/packing.hpp"
#include "lapwing/model/strided.hpp"

namespace lapwing {
namespace {

/// `seconds(size)` at the measured sizes, in straight lines between them.
template <class Seconds>
model::MessageCosts along(const Log3P& table, const Seconds& seconds) {
    std::vector<std::uint64_t> sizes{0};
    sizes.insert(sizes.end(), table.sizes.begin(), table.sizes.end());
    // What is in proportion to the bytes beyond the largest is a straight line too.
    sizes.push_back(2 * table.sizes.back());
    std::vector<model::MessageCost> costs;
    costs.reserve(sizes.size());
    for (const auto size : sizes) costs.push_back({.latency = seconds(static_cast<double>(size))});
    return {sizes, costs};
}

}  // namespace

model::MessageCosts after_rest(const Log3P& table, const std::vector<double>& alone,
                               const Operation& operation) {
    return along(table, [&](double any_size) {
        const double size = std::min(any_size, static_cast<double>(table.sizes.back()));
        if (!operation.stride)
            return model::at_size(table, table.isolated, size) - model::at_size(table, alone, size);
        const auto stride = static_cast<double>(*operation.stride);
        const auto rested = model::isolated_packing(table, size, stride);
        const auto in_turn = model::packing(table, size, stride);
        return operation.packed ? rested.packed - in_turn.packed : rested.derived - in_turn.derived;
    });
}

model::MessageCosts packed_by_hand(const Log3P& table, const std::vector<double>& alone,
                                   double stride) {
    return along(table, [&](double size) {
        return model::packing(table, size, stride).packed - model::at_size(table, alone, size);
    });
}

}  // namespace lapwing
