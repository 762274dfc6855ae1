#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// What makes two ranks fast or slow and is no doing of theirs. Processors of a virtual machine
/// move about those of its host, beside each other or far apart, the other half of a core may be
/// somebody else's, and what the kernel needs for a message may have left the caches. In simulated
/// time, and where nobody measured it, 0.
struct Surroundings {
    /// Seconds a cache line takes from the processor of one to that of the other, if they share
    /// memory.
    double core_to_core = 0;
    /// Seconds that some thousand additions take the slower of the two, as many at once as there
    /// can be: up to twice as long where somebody else computes on the same core.
    double core_alone = 0;
    /// Seconds that some short messages take the slower of the two which it sends itself through
    /// the kernel.
    double kernel_path = 0;

    /// Whether all are about as good as in `best`.
    [[nodiscard]] bool reach(const Surroundings& best) const { return behind(best) <= 1; }
    /// How far the worst of them is behind `best`: 1 where it may still pass for the same.
    [[nodiscard]] double behind(const Surroundings& best) const;
    /// Whether none is better or worse than in `asked`, as far as that says.
    [[nodiscard]] bool alike(const Surroundings& asked) const;
    /// The better of each, and the worse.
    [[nodiscard]] Surroundings best(const Surroundings& other) const;
    [[nodiscard]] Surroundings worst(const Surroundings& other) const;
    /// Whether any of it is known.
    [[nodiscard]] bool known() const;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit);
};

/// One of them.
struct Surrounding {
    const char* name;
    double Surroundings::*seconds;
    double same;       ///< so many times what it takes at its best it may take and be the same
    const char* what;  ///< takes those seconds, for people
};
inline constexpr std::array all_surroundings{
    Surrounding{"core_to_core", &Surroundings::core_to_core, 1.4,
                "a cache line takes from the processor of one rank to the other's"},
    Surrounding{"core_alone", &Surroundings::core_alone, 1.15,
                "some additions take a processor that has its core to itself"},
    Surrounding{"kernel_path", &Surroundings::kernel_path, 1.12,
                "some messages take through the kernel from a process to itself"}};

inline double Surroundings::behind(const Surroundings& best) const {
    double most = 0;
    for (const auto& each : all_surroundings)
        if (this->*each.seconds > 0)
            most = std::max(most, this->*each.seconds / (each.same * best.*each.seconds));
    return most;
}

inline bool Surroundings::known() const {
    return std::any_of(all_surroundings.begin(), all_surroundings.end(),
                       [&](const auto& each) { return this->*each.seconds > 0; });
}

template <class Self, class Visit>
void Surroundings::fields(Self& self, Visit&& visit) {
    for (const auto& each : all_surroundings)
        visit(each.name, self.*each.seconds, fields::OptionalCost{});
}

inline bool Surroundings::alike(const Surroundings& asked) const {
    return std::all_of(all_surroundings.begin(), all_surroundings.end(), [&](const auto& each) {
        const auto [least, most] = std::minmax({this->*each.seconds, asked.*each.seconds});
        return asked.*each.seconds == 0 || most <= each.same * least;
    });
}

inline Surroundings Surroundings::best(const Surroundings& other) const {
    return {std::min(core_to_core, other.core_to_core), std::min(core_alone, other.core_alone),
            std::min(kernel_path, other.kernel_path)};
}

inline Surroundings Surroundings::worst(const Surroundings& other) const {
    return {std::max(core_to_core, other.core_to_core), std::max(core_alone, other.core_alone),
            std::max(kernel_path, other.kernel_path)};
}

/// Of each of them, what a `share` of `all` have, or better. None of none.
[[nodiscard]] inline Surroundings quantile(std::vector<Surroundings> all, double share) {
    Surroundings result;
    if (all.empty()) return result;
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
    for (const auto& each : all_surroundings) {
        std::nth_element(all.begin(), all.begin() + place, all.end(),
                         [&](const Surroundings& a, const Surroundings& b) {
                             return a.*each.seconds < b.*each.seconds;
                         });
        result.*each.seconds = all[static_cast<std::size_t>(place)].*each.seconds;
    }
    return result;
}

}  // namespace lapwing
