#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "lapwing/replay/longest_path.hpp"

namespace lapwing::replay {

/// T(x): a program's time by how much larger a parameter is than on the machine, piecewise linear
/// and convex.
struct Curve {
    struct Piece {
        double from = 0;  ///< value of x at which it begins, nanoseconds
        double time = 0;  ///< T there, nanoseconds
        double slope = 0;
    };
    std::vector<Piece> pieces;  ///< by `from`; the first begins at 0
    double end = 0;             ///< the last value of x
    std::size_t walks = 0;      ///< evaluations that it took
};

/// The curve from 0 to `end` of a function whose value, and whose slope to the right or to the
/// left, `line(x, steepest)` says. Each breakpoint is found exactly, as the place where two lines
/// meet (Eisner, Severance 1976): two or three evaluations for each piece.
[[nodiscard]] Curve trace_curve(const std::function<Line(double, bool)>& line, double end);

/// Up to which x the time stays within `share` more than T(0), nanoseconds; `most` where it does up
/// to there. LLAMP's zones are those of 0.01, 0.02 and 0.05.
[[nodiscard]] double tolerance(const std::function<Line(double, bool)>& line, double share,
                               double most);

}  // namespace lapwing::replay
