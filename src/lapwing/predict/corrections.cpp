#include "lapwing/predict/corrections.hpp"

#include <algorithm>

#include "lapwing/model/packing.hpp"
#include "lapwing/model/strided.hpp"

namespace lapwing {
namespace {

/// A table of `seconds(size)` at the measured sizes, with straight lines between them.
template <class Seconds>
model::MessageCosts tabulate(const Log3P& table, const Seconds& seconds) {
    std::vector<std::uint64_t> sizes{0};
    sizes.insert(sizes.end(), table.sizes.begin(), table.sizes.end());
    // Beyond the largest size costs are in proportion to the bytes: one more entry gives that line.
    sizes.push_back(2 * table.sizes.back());
    std::vector<model::MessageCost> costs;
    costs.reserve(sizes.size());
    for (const auto size : sizes) costs.push_back({.latency = seconds(static_cast<double>(size))});
    return {sizes, costs};
}

}  // namespace

model::MessageCosts isolated_correction(const Log3P& table, const std::vector<double>& contiguous,
                                        const Operation& operation) {
    return tabulate(table, [&](double any_size) {
        const double size = std::min(any_size, static_cast<double>(table.sizes.back()));
        if (!operation.stride)
            return model::at_size(table, table.isolated, size) -
                   model::at_size(table, contiguous, size);
        const auto stride = static_cast<double>(*operation.stride);
        const auto isolated = model::isolated_packing(table, size, stride);
        const auto among_others = model::packing(table, size, stride);
        return operation.packed ? isolated.packed - among_others.packed
                                : isolated.derived - among_others.derived;
    });
}

model::MessageCosts packing_correction(const Log3P& table, const std::vector<double>& contiguous,
                                       double stride) {
    return tabulate(table, [&](double size) {
        return model::packing(table, size, stride).packed - model::at_size(table, contiguous, size);
    });
}

}  // namespace lapwing
