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

/// Which faces a rank has to ask other ranks about. Points in conflict with a face with a vertex of
/// its own may be where it does not know all points: in strips that the face's disk touches beyond
/// what this rank has been sent.
///
/// One answer is enough. Let v be an own vertex all of whose uncertain faces are asked about, and
/// let q be next to v in the triangulation of all points. Either q is known, or it is in conflict
/// with a face of v. Then its owner is asked about that face. It has q next to v as well, since an
/// edge of the whole is an edge of each part with both its ends, and sends it. So all vertices next
/// to v are known then, and the faces of v are those of the whole: v is settled.
class Questions {
  public:
    /// `strips`: of all ranks. `rank`: this one.
    Questions(std::vector<Strip> strips, std::size_t rank);

    /// Whether a point belongs to this rank.
    [[nodiscard]] bool is_own(const Point& point) const;
    /// The faces to ask each rank about, without those that are certain with the answers to earlier
    /// questions. `early`: only those whose disks touch no interior, neither here nor there: they
    /// can be answered before the interiors are inserted.
    [[nodiscard]] ByRank<Face> about(const Delaunay& mesh, bool early);

  private:
    /// Around the points of `rank`'s strip that this rank does not know.
    [[nodiscard]] const Box& unknown(std::size_t rank) const;
    /// Finds the ranks to be asked about a face; none where it is certain.
    void find_ranks(const ConflictRegion& region);
    [[nodiscard]] bool touches_interior(const ConflictRegion& region) const;

    using Numbers = std::unordered_set<std::uint64_t>;

    void add_own_vertices(const Face& face, Numbers& numbers) const;
    /// Whether a face is certain by what has been asked before.
    [[nodiscard]] bool is_known(const Face& face) const;

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
    Numbers settled_;  ///< own vertices
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
