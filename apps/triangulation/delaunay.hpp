#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "checksum.hpp"
#include "point.hpp"

namespace lapwing::triangulation {

/// The Delaunay triangulation of the points inserted so far, by CGAL with exact predicates. Where
/// several triangulations are Delaunay, as on a grid, CGAL takes the one that is left when points
/// are moved a little, by an amount that their lexicographic order decides (Devillers and Teillaud
/// 2003). So it depends on the set of points alone, and a face of the whole is a face of each part
/// that has its vertices.
class Delaunay {
  public:
    /// Called now and then with the number of points inserted since.
    using Inserted = std::function<void(std::size_t points)>;

    Delaunay();
    ~Delaunay();
    Delaunay(const Delaunay&) = delete;
    Delaunay& operator=(const Delaunay&) = delete;

    /// Inserts points, in an order that makes it fast. Of points in one place the smallest number
    /// counts.
    void insert(std::span<const Point> points, const Inserted& inserted = {});

    /// Whether there are three points that are not on one line. Otherwise there are no faces.
    [[nodiscard]] bool has_faces() const;
    /// Calls `visit` for each face, also for those at infinity.
    void for_each_face(const std::function<void(const Face&)>& visit) const;

    /// Inserts the vertices of `face`, a face of another triangulation, and returns those of the
    /// points next to them that are in its closed disk or half-plane. Where any point inserted is
    /// in conflict with the face, so is one of these.
    [[nodiscard]] std::vector<Point> conflicts_with(const Face& face);

  private:
    class Mesh;
    std::unique_ptr<Mesh> mesh_;
};

/// The checksum of the triangulation of all `points` at once.
[[nodiscard]] Checksum sequential_checksum(std::span<const Point> points);

/// Whether all points lie on one line.
[[nodiscard]] bool on_one_line(std::span<const Point> points);

/// The first of `points` that is not on the line through `a` and `b`; of number `Point::none` if
/// all are.
[[nodiscard]] Point point_beside(const Point& a, const Point& b, std::span<const Point> points);

}  // namespace lapwing::triangulation
