#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Something read of the machine beside a measurement: a time that tells the state of the machine.
struct Indicator {
    std::string name;      ///< as the profile names it, "syscall_seconds"
    double value = 0;      ///< seconds, above 0
    double tolerance = 1;  ///< the ratio of two values up to which the state is the same

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("value", self.value, fields::Cost{});
        visit("tolerance", self.tolerance, fields::Cost{});
    }
};

/// The state of the machine that something was measured in: how far the two cores are apart,
/// whether somebody shares one of them, how long the kernel takes. A measurement carries its
/// environment. Lapwing sets samples of another environment aside. Empty where nobody looked, as in
/// simulated time.
struct Environment {
    std::vector<Indicator> indicators;

    [[nodiscard]] bool known() const { return !indicators.empty(); }
    /// The indicator of that name, or null.
    [[nodiscard]] const Indicator* find(std::string_view name) const;
};

/// How far two environments are apart: the largest ratio of an indicator that both have, over its
/// tolerance. 1 where they may just pass for the same.
[[nodiscard]] double distance(const Environment& a, const Environment& b);
/// Whether measurements in these two environments may be compared.
[[nodiscard]] bool comparable(const Environment& a, const Environment& b);

/// The better value of each indicator, of those that either has, and the worse.
[[nodiscard]] Environment best_of(const Environment& a, const Environment& b);
[[nodiscard]] Environment worst_of(const Environment& a, const Environment& b);
/// The best value of each indicator in any of them.
[[nodiscard]] Environment best_of(std::span<const Environment> all);
/// Which environments count: those comparable with the best of all, and in any case the `least`
/// nearest to it. The best values of the indicators need not have come together.
[[nodiscard]] std::vector<bool> near_best(std::span<const Environment> all, std::size_t least);
/// The quantile `share` of each indicator, among the environments with that indicator.
[[nodiscard]] Environment quantile(std::span<const Environment> all, double share);

}  // namespace lapwing
