#include "lapwing/profile/progress.hpp"

#include <algorithm>

namespace lapwing {

bool advances_alone(const Progress& progress) {
    const auto& shares = progress.without_polling;
    return std::ranges::all_of(shares, [](double share) { return share >= all_hidden; });
}

const ExposedTime* find_exposed_time(const Progress& progress, Traffic traffic, bool independent,
                                     double computation) {
    const ExposedTime* nearest = nullptr;
    for (const ExposedTime& entry : progress.exposed_time) {
        if (entry.traffic != traffic || entry.independent != independent || entry.sizes.empty())
            continue;
        if (nearest == nullptr) {
            nearest = &entry;
            continue;
        }
        const auto& [less, more] =
            std::minmax(*nearest, entry, [](const ExposedTime& a, const ExposedTime& b) {
                return a.computation < b.computation;
            });
        // By ratio the two are equally near at their geometric mean.
        const bool below = computation * computation < less.computation * more.computation;
        nearest = below ? &less : &more;
    }
    if (nearest == nullptr && independent)
        return find_exposed_time(progress, traffic, false, computation);
    return nearest;
}

}  // namespace lapwing
