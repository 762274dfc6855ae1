#pragma once

#include <limits>
#include <span>

#include "point.hpp"

namespace lapwing::triangulation {

/// The smallest rectangle around some points; of none, it is empty.
struct Box {
    double x_least = std::numeric_limits<double>::infinity();
    double x_most = -std::numeric_limits<double>::infinity();
    double y_least = std::numeric_limits<double>::infinity();
    double y_most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool empty() const { return x_least > x_most; }
    void add(const Point& point);
    [[nodiscard]] static Box around(std::span<const Point> points);
};

/// Where points are in conflict with a face: the closed disk through its vertices, or the closed
/// half-plane beyond an edge of the hull. It is computed with rounding errors, and made larger by
/// as much as these can be.
class ConflictRegion {
  public:
    explicit ConflictRegion(const Face& face);

    /// Whether a point of `box` may be in conflict. If not, none is.
    [[nodiscard]] bool may_touch(const Box& box) const;
    /// No conflict is to the left or to the right of these.
    [[nodiscard]] double x_least() const { return x_least_; }
    [[nodiscard]] double x_most() const { return x_most_; }

  private:
    enum class Shape { plane, half_plane, disk };

    void compute_disk();
    [[nodiscard]] bool half_plane_touches(const Box& box) const;

    Face face_;
    Shape shape_ = Shape::plane;
    double x_ = 0;  ///< centre of the disk
    double y_ = 0;
    double radius_ = 0;
    double x_least_ = -std::numeric_limits<double>::infinity();
    double x_most_ = std::numeric_limits<double>::infinity();
};

}  // namespace lapwing::triangulation
