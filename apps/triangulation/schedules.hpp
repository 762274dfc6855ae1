#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "result.hpp"

namespace lapwing::triangulation {

/// The name of a schedule, as documents and command lines have it.
[[nodiscard]] constexpr std::string_view name(Schedule schedule) {
    switch (schedule) {
        case Schedule::blocking:
            return "blocking";
        case Schedule::overlapped:
            return "overlapped";
        default:
            return "auto";
    }
}

/// The schedule of a name. Throws `std::invalid_argument` where there is none.
[[nodiscard]] inline Schedule schedule_named(std::string_view text) {
    for (const Schedule schedule : {Schedule::blocking, Schedule::overlapped, Schedule::automatic})
        if (name(schedule) == text) return schedule;
    throw std::invalid_argument("\"" + std::string(text) +
                                "\" is no schedule: blocking, overlapped or auto");
}

}  // namespace lapwing::triangulation
