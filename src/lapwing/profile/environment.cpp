#include "lapwing/profile/environment.hpp"

#include <algorithm>

namespace lapwing {
namespace {

/// Both lists of indicators in one, in the order of the first; `choose` decides where both have
/// one.
template <class Choose>
Environment merged(const Environment& a, const Environment& b, Choose&& choose) {
    Environment result = a;
    for (const Indicator& other : b.indicators) {
        const auto same = std::find_if(result.indicators.begin(), result.indicators.end(),
                                       [&](const auto& each) { return each.name == other.name; });
        if (same == result.indicators.end()) {
            result.indicators.push_back(other);
        } else {
            same->value = choose(same->value, other.value);
        }
    }
    return result;
}

}  // namespace

const Indicator* Environment::find(std::string_view name) const {
    for (const Indicator& each : indicators)
        if (each.name == name) return &each;
    return nullptr;
}

double distance(const Environment& a, const Environment& b) {
    double most = 0;
    for (const Indicator& one : a.indicators) {
        const Indicator* const other = b.find(one.name);
        if (other == nullptr) continue;
        const auto [low, high] = std::minmax(one.value, other->value);
        most = std::max(most, high / (one.tolerance * low));
    }
    return most;
}

bool comparable(const Environment& a, const Environment& b) { return distance(a, b) <= 1; }

Environment best_of(const Environment& a, const Environment& b) {
    return merged(a, b, [](double x, double y) { return std::min(x, y); });
}

Environment worst_of(const Environment& a, const Environment& b) {
    return merged(a, b, [](double x, double y) { return std::max(x, y); });
}

Environment best_of(std::span<const Environment> all) {
    Environment best;
    for (const Environment& each : all) best = best_of(best, each);
    return best;
}

std::vector<bool> near_best(std::span<const Environment> all, std::size_t least) {
    if (all.size() < least) return std::vector<bool>(all.size(), true);
    const Environment best = best_of(all);
    std::vector<double> distances;
    for (const Environment& each : all) distances.push_back(distance(each, best));
    std::vector<double> sorted = distances;
    std::sort(sorted.begin(), sorted.end());
    const double most = least > 0 ? std::max(1.0, sorted[least - 1]) : 1;
    std::vector<bool> result(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) result[i] = distances[i] <= most;
    return result;
}

Environment quantile(std::span<const Environment> all, double share) {
    Environment result = best_of(all);
    for (Indicator& indicator : result.indicators) {
        std::vector<double> values;
        for (const Environment& each : all)
            if (const Indicator* const found = each.find(indicator.name))
                values.push_back(found->value);
        const auto place =
            static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), values.begin() + place, values.end());
        indicator.value = values[static_cast<std::size_t>(place)];
    }
    return result;
}

}  // namespace lapwing
