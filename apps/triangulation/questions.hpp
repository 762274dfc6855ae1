#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "checksum.hpp"
#include "delaunay.hpp"
#include "point.hpp"
#include "strips.hpp"

namespace lapwing::triangulation {

/// Points, or faces, for each rank.
template <class Element>
using ByRank = std::vector<std::vector<Element>>;

/// Which faces a rank has to ask other ranks about. A face with a vertex of its own is certain, a
/// face of the triangulation of all points, once no point is in conflict with it: where its disk
/// touches points of another strip that it has not been sent, that rank is asked.
///
/// Why one answer is enough: let a face not be certain, and v be a vertex of it. In the triangulation
/// of all points a vertex next to v is in conflict with it. The owner of that vertex is asked, has
/// it next to v as well, and so sends it. A face that is still there after the answers is certain.
class Questions {
  public:
    /// `strips`: of all ranks. `rank`: this one.
    Questions(std::vector<Strip> strips, std::size_t rank);

    /// Whether a point belongs to this rank.
    [[nodiscard]] bool is_own(const Point& point) const;
    /// The faces to ask each rank about, of those that have not been asked about before.
    /// `early`: only those whose disks touch no interior, neither here nor there: they can be
    /// answered before the interiors are inserted.
    [[nodiscard]] ByRank<Face> about(const Delaunay& mesh, bool early);

  private:
    /// Around the points of `rank`'s strip that this rank does not know.
    [[nodiscard]] const Box& unknown(std::size_t rank) const;
    /// Finds the ranks to be asked about a face; none where it is certain.
    void find_ranks(const ConflictRegion& region);
    [[nodiscard]] bool touches_interior(const ConflictRegion& region) const;

    struct Hash {
        std::size_t operator()(const Triangle& triangle) const {
            return mix(triangle[2] + mix(triangle[1] + mix(triangle[0])));
        }
    };

    std::vector<Strip> strips_;
    std::size_t rank_;
    std::vector<std::size_t> before_;  ///< ranks before this one that have points, nearest first
    std::vector<std::size_t> behind_;  ///< ranks behind this one
    std::vector<std::size_t> found_;
    std::unordered_set<Triangle, Hash> asked_;
};

/// Answers what other ranks ask.
class Answers {
  public:
    explicit Answers(std::size_t ranks) : sent_(ranks) {}

    /// The own points that `rank` has to know about the faces it asks about, and has not been sent
    /// before. `own`: this rank's questions, which know its strip.
    [[nodiscard]] std::vector<Point> to(std::size_t rank, std::span<const Face> faces,
                                        Delaunay& mesh, const Questions& own);

  private:
    std::vector<std::unordered_set<std::uint64_t>> sent_;  ///< to each rank
};

}  // namespace lapwing::triangulation
