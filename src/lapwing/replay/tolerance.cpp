#include "lapwing/replay/tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace lapwing::replay {
namespace {

constexpr double rounding = 1e-12;  // relative, of sums of millions of terms

bool same(double a, double b) {
    return std::abs(a - b) <= rounding * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Finds the pieces between two places whose lines are known.
class Tracer {
  public:
    Tracer(const std::function<Line(double, bool)>& line, Curve& curve)
        : line_(line), curve_(curve) {}

    Line at(double x, bool steepest) {
        ++curve_.walks;
        return line_(x, steepest);
    }
    /// `left`: the line to the right of `from`. `right`: the one to the left of `to`.
    void between(double from, const Line& left, double to, const Line& right) {
        const double reached = left.value + left.slope * (to - from);
        if (left.slope == right.slope || same(reached, right.value)) return;
        // Where the two lines meet.
        const double x = from + (right.value - right.slope * (to - from) - left.value) /
                                    (left.slope - right.slope);
        if (!(x > from && x < to)) return;
        const double height = left.value + left.slope * (x - from);
        const Line after = at(x, true);
        if (same(after.value, height)) {
            curve_.pieces.push_back({x, after.value, right.slope});
            return;
        }
        between(from, left, x, at(x, false));
        if (const Line before = line_at_end(); before.slope != after.slope)
            curve_.pieces.push_back({x, after.value, after.slope});
        between(x, after, to, right);
    }

  private:
    [[nodiscard]] Line line_at_end() const {
        return {curve_.pieces.back().time, curve_.pieces.back().slope};
    }

    const std::function<Line(double, bool)>& line_;
    Curve& curve_;
};

}  // namespace

Curve trace_curve(const std::function<Line(double, bool)>& line, double end) {
    Curve curve{.pieces = {}, .end = end};
    Tracer tracer(line, curve);
    const Line first = tracer.at(0, true);
    curve.pieces.push_back({0, first.value, first.slope});
    if (end > 0) tracer.between(0, first, end, tracer.at(end, false));
    return curve;
}

double tolerance(const std::function<Line(double, bool)>& line, double share, double most) {
    const double limit = (1 + share) * line(0, true).value;
    // Newton's method from above, which on a convex function never passes the place.
    double x = most;
    Line there = line(x, false);
    while (there.value > limit && !same(there.value, limit) && there.slope > 0) {
        const double next = x - (there.value - limit) / there.slope;
        if (!(next < x)) break;
        x = std::max(0.0, next);
        there = line(x, false);
    }
    // Steps from far away are rounded, and may have gone too far.
    const Line here = line(x, true);
    if (x < most && here.value < limit && here.slope > 0)
        x = std::min(most, x + (limit - here.value) / here.slope);
    return x;
}

}  // namespace lapwing::replay
