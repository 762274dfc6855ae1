#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// One part of a calibration, which two ranks measure.
struct CalibrationPart {
    const char* name;      ///< as the profile and people name it
    double seconds;        ///< that it takes, about
    double quick_seconds;  ///< the same of a quick calibration
    /// Rounds to measure in any case, and those of a quick calibration.
    int least;
    int quick_least;
    /// Both ranks call it; rank 0 has the result in the profile.
    std::function<void(Context&, Profile&)> measure;
};

/// How to calibrate.
struct CalibrationSettings {
    bool quick = false;
    bool tables = true;  ///< whether `loggp` fills its tables; the parameters alone otherwise
    /// A profile with the sizes to measure again; none: the calibration chooses them.
    std::optional<Profile> sizes_of;
    /// Measures the rates of the kernels that the program was built with.
    std::function<void(Context&, Profile&)> measure_kernels;

    /// The relative error to reach by default.
    [[nodiscard]] double accuracy() const { return quick && tables ? 0.05 : 0.02; }
};

/// All parts of a calibration by two ranks, in their order: `loggp` comes first, and later parts
/// use what earlier ones have found.
std::vector<CalibrationPart> calibration_parts(const CalibrationSettings& settings);

/// How many times longer than usual the parts should take: on a slow wire the wire takes the time.
/// The same on both ranks; 1 in simulated time.
double slow_wire_factor(TwoSidedPair& pair);

}  // namespace lapwing
