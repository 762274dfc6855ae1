#pragma once

#include <cstddef>
#include <vector>

#include "../common/independent.hpp"
#include "box.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "problem.hpp"

namespace lapwing::nas::mg {

// The loops of the benchmark. Each computes the points of a box, and the same bits for a point in
// whatever box it is. `to` and `from` have the extent that is given beside them.

/// Sums of a row's neighbours in the planes and rows around it, by place in the row: of the four
/// that share a face with it, and of the four that share an edge.
struct RowSums {
    explicit RowSums(std::size_t row) : faces(row), edges(row) {}

    /// Those of the row at `at` from place `first` up to, and without, `last`.
    void add_up(const double* at, const Extent& extent, std::size_t first, std::size_t last) {
        const double* const above = at - extent.row();
        const double* const below = at + extent.row();
        const double* const before = at - extent.plane();
        const double* const behind = at + extent.plane();
        const double* const above_before = above - extent.plane();
        const double* const below_before = below - extent.plane();
        const double* const above_behind = above + extent.plane();
        const double* const below_behind = below + extent.plane();
        double* const f = faces.data();
        double* const e = edges.data();
        LAPWING_INDEPENDENT
        for (std::size_t i = first; i < last; ++i) {
            f[i] = above[i] + below[i] + before[i] + behind[i];
            e[i] = above_before[i] + below_before[i] + above_behind[i] + below_behind[i];
        }
    }

    std::vector<double> faces;
    std::vector<double> edges;
};

/// Calls `row(first)` for each row of a box, `first` being the index of the row's place 0, and lets
/// messages progress.
template <class Row>
void for_each_row(const Box& box, const Extent& extent, Row&& row) {
    for (std::size_t k = box.first[z]; k < box.last[z]; ++k) {
        for (std::size_t j = box.first[y]; j < box.last[y]; ++j) {
            row(extent.place(k, j, 0));
            lapwing::poll();
        }
    }
}

/// The residual: r = v - A u. `r` may be `v`.
inline void residual(const Stencil& a, const double* u, const double* v, double* r,
                     const Extent& extent, const Box& box) {
    RowSums sums(extent.row());
    const std::size_t first = box.first[x];
    const std::size_t last = box.last[x];
    const double* const faces = sums.faces.data();
    const double* const edges = sums.edges.data();
    for_each_row(box, extent, [&](std::size_t place) {
        sums.add_up(u + place, extent, first - 1, last + 1);
        const double* const here = u + place;
        const double* const right = v + place;
        double* const to = r + place;
        // A has no neighbours that share a face.
        LAPWING_INDEPENDENT
        for (std::size_t i = first; i < last; ++i)
            to[i] = right[i] - a[0] * here[i] - a[2] * (edges[i] + faces[i - 1] + faces[i + 1]) -
                    a[3] * (edges[i - 1] + edges[i + 1]);
    });
}

/// One step of the smoother: u = u + S r.
inline void smooth(const Stencil& s, const double* r, double* u, const Extent& extent,
                   const Box& box) {
    RowSums sums(extent.row());
    const std::size_t first = box.first[x];
    const std::size_t last = box.last[x];
    const double* const faces = sums.faces.data();
    const double* const edges = sums.edges.data();
    for_each_row(box, extent, [&](std::size_t place) {
        sums.add_up(r + place, extent, first - 1, last + 1);
        const double* const here = r + place;
        double* const to = u + place;
        // S has no neighbours that share a corner.
        LAPWING_INDEPENDENT
        for (std::size_t i = first; i < last; ++i)
            to[i] = to[i] + s[0] * here[i] + s[1] * (here[i - 1] + here[i + 1] + faces[i]) +
                    s[2] * (edges[i] + faces[i - 1] + faces[i + 1]);
    });
}

/// The restriction: each point of the coarse grid is the mean of the 27 points of the fine grid
/// around its place, by full weighting. `box`: of the coarse grid, whose point k is point 2 k of
/// the fine one.
inline void restrict_to(const double* fine, const Extent& fine_extent, double* coarse,
                        const Extent& extent, const Box& box) {
    RowSums sums(fine_extent.row());
    const double* const faces = sums.faces.data();
    const double* const edges = sums.edges.data();
    for (std::size_t k = box.first[z]; k < box.last[z]; ++k) {
        for (std::size_t j = box.first[y]; j < box.last[y]; ++j) {
            const double* const from = fine + fine_extent.place(2 * k, 2 * j, 0);
            double* const to = coarse + extent.place(k, j, 0);
            sums.add_up(from, fine_extent, 2 * box.first[x] - 1, 2 * box.last[x]);
            for (std::size_t i = box.first[x]; i < box.last[x]; ++i) {
                const std::size_t m = 2 * i;
                to[i] = 0.5 * from[m] + 0.25 * (from[m - 1] + from[m + 1] + faces[m]) +
                        0.125 * (faces[m - 1] + faces[m + 1] + edges[m]) +
                        0.0625 * (edges[m - 1] + edges[m + 1]);
            }
            lapwing::poll();
        }
    }
}

/// Adds the coarse grid to the fine one by trilinear interpolation, the points around a rank's own
/// included. `corner`: the point of the coarse array that is the fine array's point 0.
inline void interpolate(const double* coarse, const Extent& extent,
                        const std::array<std::size_t, axes>& corner, double* fine,
                        const Extent& fine_extent) {
    const std::size_t row = extent.row();
    const std::size_t plane = extent.plane();
    const std::size_t half = fine_extent.points[x] / 2 + 1;
    std::vector<double> all((half + 1) * 3);
    double* const by_row = all.data();
    double* const by_plane = by_row + half + 1;
    double* const by_both = by_plane + half + 1;
    for (std::size_t k = 0; k <= fine_extent.points[z] / 2; ++k) {
        for (std::size_t j = 0; j <= fine_extent.points[y] / 2; ++j) {
            const double* const from =
                coarse + extent.place(k + corner[z], j + corner[y], corner[x]);
            for (std::size_t i = 0; i <= half; ++i) {
                by_row[i] = from[i + row] + from[i];
                by_plane[i] = from[i + plane] + from[i];
                by_both[i] = from[i + row + plane] + from[i + plane] + by_row[i];
            }
            double* const to = fine + fine_extent.place(2 * k, 2 * j, 0);
            double* const to_row = to + fine_extent.row();
            double* const to_plane = to + fine_extent.plane();
            double* const to_both = to_plane + fine_extent.row();
            for (std::size_t i = 0; i < half; ++i) {
                to[2 * i] += from[i];
                to[2 * i + 1] += 0.5 * (from[i + 1] + from[i]);
            }
            for (std::size_t i = 0; i < half; ++i) {
                to_row[2 * i] += 0.5 * by_row[i];
                to_row[2 * i + 1] += 0.25 * (by_row[i] + by_row[i + 1]);
            }
            for (std::size_t i = 0; i < half; ++i) {
                to_plane[2 * i] += 0.5 * by_plane[i];
                to_plane[2 * i + 1] += 0.25 * (by_plane[i] + by_plane[i + 1]);
            }
            for (std::size_t i = 0; i < half; ++i) {
                to_both[2 * i] += 0.25 * by_both[i];
                to_both[2 * i + 1] += 0.125 * (by_both[i] + by_both[i + 1]);
            }
            lapwing::poll();
        }
    }
}

/// The sum of squares of all points.
[[nodiscard]] inline double square_sum(const double* r, const Extent& extent) {
    double sum = 0;
    for_each_row(extent.all(), extent, [&](std::size_t place) {
        for (std::size_t i = 1; i <= extent.points[x]; ++i) sum += r[place + i] * r[place + i];
    });
    return sum;
}

}  // namespace lapwing::nas::mg
