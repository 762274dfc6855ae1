#include "questions.hpp"

#include <utility>

namespace lapwing::triangulation {

Questions::Questions(std::vector<Strip> strips, std::size_t rank)
    : strips_(std::move(strips)), rank_(rank) {
    for (std::size_t other = 0; other < strips_.size(); ++other)
        if (strips_[other].points > 0 && other > rank) behind_.push_back(other);
    for (std::size_t other = rank; other-- > 0;)
        if (strips_[other].points > 0) before_.push_back(other);
}

bool Questions::is_own(const Point& point) const {
    const Strip& own = strips_[rank_];
    return own.points > 0 && !lies_before(point, own.first()) && !lies_before(own.last(), point);
}

const Box& Questions::unknown(std::size_t rank) const {
    const Strip& strip = strips_[rank];
    if (rank == rank_ + 1) return strip.beyond_first;
    if (rank + 1 == rank_) return strip.beyond_last;
    return strip.all;
}

void Questions::find_ranks(const ConflictRegion& region) {
    found_.clear();
    // Strips lie side by side: behind the first that begins too far away are others of that kind.
    for (const std::size_t rank : behind_) {
        if (strips_[rank].all.x_least > region.x_most()) break;
        if (region.may_touch(unknown(rank))) found_.push_back(rank);
    }
    for (const std::size_t rank : before_) {
        if (strips_[rank].all.x_most < region.x_least()) break;
        if (region.may_touch(unknown(rank))) found_.push_back(rank);
    }
}

bool Questions::touches_interior(const ConflictRegion& region) const {
    if (region.may_touch(strips_[rank_].interior)) return true;
    for (const std::size_t rank : found_)
        if (region.may_touch(strips_[rank].interior)) return true;
    return false;
}

ByRank<Face> Questions::about(const Delaunay& mesh, bool early) {
    ByRank<Face> questions(strips_.size());
    Numbers asking;
    Numbers open;
    mesh.for_each_face([&](const Face& face) {
        if (!is_own(face.a) && !is_own(face.b) && (face.infinite() || !is_own(face.c))) return;
        const ConflictRegion region(face);
        find_ranks(region);
        if (found_.empty() || is_known(face)) return;
        if (early && touches_interior(region)) return add_own_vertices(face, open);
        add_own_vertices(face, asking);
        asked_.insert(triangle_of(face.a.number, face.b.number, face.c.number));
        for (const std::size_t rank : found_) questions[rank].push_back(face);
    });
    for (const std::uint64_t number : asking)
        if (!open.contains(number)) settled_.insert(number);
    return questions;
}

void Questions::add_own_vertices(const Face& face, Numbers& numbers) const {
    for (const Point& point : {face.a, face.b, face.c})
        if (point.number != Point::none && is_own(point)) numbers.insert(point.number);
}

bool Questions::is_known(const Face& face) const {
    // A vertex of another rank is never settled here.
    return settled_.contains(face.a.number) || settled_.contains(face.b.number) ||
           settled_.contains(face.c.number) ||
           asked_.contains(triangle_of(face.a.number, face.b.number, face.c.number));
}

std::vector<Point> Answers::to(std::size_t rank, std::span<const Face> faces, Delaunay& mesh,
                               const Questions& own) {
    std::vector<Point> points;
    for (const Face& face : faces) {
        for (const Point& point : mesh.conflicts_with(face)) {
            const bool vertex = point.number == face.a.number || point.number == face.b.number ||
                                point.number == face.c.number;
            if (!vertex && own.is_own(point) && sent_[rank].insert(point.number).second)
                points.push_back(point);
        }
    }
    return points;
}

}  // namespace lapwing::triangulation
