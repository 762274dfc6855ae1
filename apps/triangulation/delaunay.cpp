#include "delaunay.hpp"

#ifdef __clang_analyzer__  // which mistakes the allocations of this type of numbers
#define CGAL_DO_NOT_USE_MPZF
#endif
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Spatial_sort_traits_adapter_2.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>
#include <CGAL/property_map.h>
#include <CGAL/spatial_sort.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace lapwing::triangulation {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
/// The number of a vertex; before it is known, that of none.
struct Number {
    std::uint64_t number = Point::none;
};
using Vertices = CGAL::Triangulation_vertex_base_with_info_2<Number, Kernel>;
using Structure = CGAL::Triangulation_data_structure_2<Vertices>;
using Triangulation = CGAL::Delaunay_triangulation_2<Kernel, Structure>;
using Place = Kernel::Point_2;

Place place_of(const Point& point) { return {point.x, point.y}; }

Point point_of(Triangulation::Vertex_handle vertex) {
    return {vertex->point().x(), vertex->point().y(), vertex->info().number};
}

bool in_conflict(const Face& face, const Place& place) {
    const Place a = place_of(face.a);
    const Place b = place_of(face.b);
    if (face.infinite()) return CGAL::orientation(a, b, place) != CGAL::RIGHT_TURN;
    return CGAL::side_of_oriented_circle(a, b, place_of(face.c), place) != CGAL::ON_NEGATIVE_SIDE;
}

}  // namespace

class Delaunay::Mesh {
  public:
    Triangulation::Vertex_handle insert(const Place& place, std::uint64_t number) {
        const auto vertex = triangulation_.insert(place, near_);
        vertex->info().number = std::min(vertex->info().number, number);
        near_ = vertex->face();
        return vertex;
    }
    [[nodiscard]] const Triangulation& triangulation() const { return triangulation_; }

  private:
    Triangulation triangulation_;
    Triangulation::Face_handle near_;  ///< where the last point went: the next one is near it
};

Delaunay::Delaunay() : mesh_(std::make_unique<Mesh>()) {}
Delaunay::~Delaunay() = default;

void Delaunay::insert(std::span<const Point> points, const Inserted& inserted) {
    constexpr std::size_t interval = 64;
    using Entry = std::pair<Place, std::uint64_t>;
    std::vector<Entry> ordered;
    ordered.reserve(points.size());
    for (const Point& point : points) ordered.emplace_back(place_of(point), point.number);
    using Key = CGAL::First_of_pair_property_map<Entry>;
    CGAL::spatial_sort(ordered.begin(), ordered.end(),
                       CGAL::Spatial_sort_traits_adapter_2<Kernel, Key>());
    std::size_t since = 0;
    for (const auto& [place, number] : ordered) {
        mesh_->insert(place, number);
        if (++since < interval) continue;
        if (inserted) inserted(since);
        since = 0;
    }
    if (inserted && since > 0) inserted(since);
}

bool Delaunay::has_faces() const { return mesh_->triangulation().dimension() == 2; }

void Delaunay::for_each_face(const std::function<void(const Face&)>& visit) const {
    const Triangulation& all = mesh_->triangulation();
    if (!has_faces()) return;
    for (auto face = all.all_faces_begin(); face != all.all_faces_end(); ++face) {
        int infinite = 0;
        if (face->has_vertex(all.infinite_vertex(), infinite)) {
            visit({point_of(face->vertex(Triangulation::ccw(infinite))),
                   point_of(face->vertex(Triangulation::cw(infinite))), Point{}});
        } else {
            visit(
                {point_of(face->vertex(0)), point_of(face->vertex(1)), point_of(face->vertex(2))});
        }
    }
}

std::vector<Point> Delaunay::conflicts_with(const Face& face) {
    std::array<Triangulation::Vertex_handle, 3> vertices;
    std::size_t count = 0;
    for (const Point& point : {face.a, face.b, face.c})
        if (point.number != Point::none)
            vertices[count++] = mesh_->insert(place_of(point), point.number);
    std::vector<Point> found;
    const Triangulation& all = mesh_->triangulation();
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = all.incident_vertices(vertices[i]);
        if (first == nullptr) continue;
        auto at = first;
        do {
            if (!all.is_infinite(at) && in_conflict(face, at->point()))
                found.push_back(point_of(at));
        } while (++at != first);
    }
    return found;
}

Checksum sequential_checksum(std::span<const Point> points) {
    Delaunay all;
    all.insert(points);
    Checksum checksum;
    all.for_each_face([&](const Face& face) {
        if (!face.infinite())
            checksum.add(triangle_of(face.a.number, face.b.number, face.c.number));
    });
    return checksum;
}

bool on_one_line(std::span<const Point> points) {
    const auto other = std::ranges::find_if(
        points, [&](const Point& point) { return !same_place(point, points.front()); });
    return other == points.end() ||
           point_beside(points.front(), *other, points).number == Point::none;
}

Point point_beside(const Point& a, const Point& b, std::span<const Point> points) {
    const auto beside = std::ranges::find_if(points, [&](const Point& point) {
        return !CGAL::collinear(place_of(a), place_of(b), place_of(point));
    });
    return beside != points.end() ? *beside : Point{};
}

}  // namespace lapwing::triangulation
