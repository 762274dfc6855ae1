#include "regions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapwing::triangulation {
namespace {

/// A generous bound of the relative error of the few operations below.
constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
/// Products below this may have lost bits.
constexpr double tiny = 1e-290;

}  // namespace

void Box::add(const Point& point) {
    x_least = std::min(x_least, point.x);
    x_most = std::max(x_most, point.x);
    y_least = std::min(y_least, point.y);
    y_most = std::max(y_most, point.y);
}

Box Box::around(std::span<const Point> points) {
    Box box;
    for (const Point& point : points) box.add(point);
    return box;
}

ConflictRegion::ConflictRegion(const Face& face) : face_(face) {
    if (face.infinite()) {
        shape_ = Shape::half_plane;
    } else {
        compute_disk();
    }
}

void ConflictRegion::compute_disk() {
    const double bx = face_.b.x - face_.a.x;
    const double by = face_.b.y - face_.a.y;
    const double cx = face_.c.x - face_.a.x;
    const double cy = face_.c.y - face_.a.y;
    const double determinant = bx * cy - by * cx;
    const double terms = std::abs(bx * cy) + std::abs(by * cx);
    // The vertices are almost on a line: their circle may be anywhere.
    if (!(std::abs(determinant) > 64 * rounding * terms + tiny)) return;
    const double b = bx * bx + by * by;
    const double c = cx * cx + cy * cy;
    const double x = (cy * b - by * c) / (2 * determinant);
    const double y = (bx * c - cx * b) / (2 * determinant);
    const double most = (std::abs(cy) + std::abs(cx)) * b + (std::abs(by) + std::abs(bx)) * c;
    const double error =
        rounding * (most + (std::abs(x) + std::abs(y)) * terms + tiny) / std::abs(determinant);
    const double radius = std::sqrt(x * x + y * y);
    x_ = face_.a.x + x;
    y_ = face_.a.y + y;
    radius_ =
        radius + 4 * error + rounding * (radius + std::abs(face_.a.x) + std::abs(face_.a.y)) + tiny;
    if (!std::isfinite(radius_)) return;
    shape_ = Shape::disk;
    x_least_ = x_ - radius_;
    x_most_ = x_ + radius_;
}

bool ConflictRegion::may_touch(const Box& box) const {
    if (box.empty()) return false;
    if (shape_ == Shape::plane) return true;
    if (shape_ == Shape::half_plane) return half_plane_touches(box);
    const double dx = std::max({box.x_least - x_, 0.0, x_ - box.x_most});
    const double dy = std::max({box.y_least - y_, 0.0, y_ - box.y_most});
    return !(std::sqrt(dx * dx + dy * dy) * (1 - rounding) > radius_);
}

bool ConflictRegion::half_plane_touches(const Box& box) const {
    const double bx = face_.b.x - face_.a.x;
    const double by = face_.b.y - face_.a.y;
    const auto may_be_left = [&](double x, double y) {
        const double first = bx * (y - face_.a.y);
        const double second = by * (x - face_.a.x);
        return !(first - second < -rounding * (std::abs(first) + std::abs(second)) - tiny);
    };
    return may_be_left(box.x_least, box.y_least) || may_be_left(box.x_least, box.y_most) ||
           may_be_left(box.x_most, box.y_least) || may_be_left(box.x_most, box.y_most);
}

}  // namespace lapwing::triangulation
