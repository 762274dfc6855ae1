#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../common/options.hpp"
#include "box.hpp"
#include "kernels.hpp"
#include "lapwing/pipeline/halo.hpp"
#include "lapwing/transport/memory.hpp"
#include "rank_grid.hpp"

namespace lapwing::nas::mg {

/// The borders of one level's arrays: each rank needs the points of its neighbours that lie around
/// its own. Axes are exchanged one after the other, so that six messages carry edges and corners,
/// too. Along axes that the ranks do not cut a rank is its own neighbour, and copies.
template <Transport T, class Computation>
class Borders {
  public:
    /// `transport` and `computation` outlive it.
    Borders(T& transport, Computation& computation, const RankGrid& grid, const Extent& extent,
            Schedule schedule)
        : computation_(computation), extent_(extent), schedule_(schedule) {
        for (std::size_t axis = z; axis < axes; ++axis) {
            if (grid.cuts(axis))
                cuts_.push_back(std::make_unique<Cut>(transport, computation, grid, axis,
                                                      face(axis, 1).points()));
            else
                whole_.push_back(axis);
        }
    }

    /// Computes all points of `array`, by `compute(box)`, and exchanges its borders. Overlapped,
    /// the points that neighbours need come first, and all others while those travel.
    template <class Compute>
    void exchange(double* array, Compute&& compute) {
        if (schedule_ == Schedule::blocking || cuts_.empty()) {
            compute(extent_.all());
            for (auto& cut : cuts_) send(*cut, array, [] {});
        } else {
            overlap(array, compute);
        }
        for (const std::size_t axis : whole_) wrap(array, axis);
    }

  private:
    using Recorder = typename Computation::Recorder;
    using Memory = decltype(memory_for(std::declval<T&>(), std::size_t{}));

    /// What crosses the cut between ranks along an axis: side 0 is towards lower places, side 1
    /// towards higher ones.
    struct Cut {
        Cut(T& transport, Computation& computation, const RankGrid& grid, std::size_t along,
            std::size_t points)
            : axis(along),
              memory(memory_for(transport, 4 * points * sizeof(double))),
              halo(transport, edges(grid, points), Computation::poll_interval,
                   computation.recorder()) {}

        [[nodiscard]] std::span<double> part(std::size_t which, std::size_t points) {
            return std::span(reinterpret_cast<double*>(memory.data()), 4 * points)
                .subspan(which * points, points);
        }
        [[nodiscard]] std::span<double> sent(std::size_t side) { return part(side, size()); }
        [[nodiscard]] std::span<double> received(std::size_t side) {
            return part(2 + side, size());
        }
        [[nodiscard]] std::size_t size() const { return memory.size() / sizeof(double) / 4; }
        [[nodiscard]] std::vector<Edge<double>> edges(const RankGrid& grid, std::size_t points) {
            std::vector<Edge<double>> both;
            for (const int side : {0, 1})
                both.push_back({.peer = grid.neighbour(axis, side == 0 ? -1 : 1),
                                .send = part(static_cast<std::size_t>(side), points),
                                .receive = part(2 + static_cast<std::size_t>(side), points),
                                .send_tag = side,
                                .receive_tag = 1 - side});
            return both;
        }

        std::size_t axis;
        Memory memory;
        Halo<T, double, Recorder> halo;
    };

    /// The points at place `at` of an axis: those that messages carry. Along axes that were
    /// exchanged before, those around the rank's own belong to them.
    [[nodiscard]] Box face(std::size_t axis, std::size_t at) const {
        Box box = extent_.all();
        for (const auto& cut : cuts_) {
            if (cut->axis == axis) break;
            box.first[cut->axis] -= 1;
            box.last[cut->axis] += 1;
        }
        box.first[axis] = at;
        box.last[axis] = at + 1;
        return box;
    }
    /// The place of a side's outermost own points (`beyond` 0), or of the neighbour's (1).
    [[nodiscard]] std::size_t place(std::size_t axis, std::size_t side, std::size_t beyond) const {
        return side == 0 ? 1 - beyond : extent_.points[axis] + beyond;
    }
    template <class Move>
    void for_each_point(const Box& box, Move&& move) {
        computation_.run(borders, box.points(), [&] {
            std::size_t index = 0;
            for (std::size_t k = box.first[z]; k < box.last[z]; ++k)
                for (std::size_t j = box.first[y]; j < box.last[y]; ++j)
                    for (std::size_t i = box.first[x]; i < box.last[x]; ++i)
                        move(extent_.place(k, j, i), index++);
        });
    }

    /// Exchanges the borders at one cut; `interior()` is called meanwhile.
    template <class Interior>
    void send(Cut& cut, double* array, Interior&& interior) {
        cut.halo.exchange(
            [&](std::size_t side) {
                double* const to = cut.sent(side).data();
                for_each_point(face(cut.axis, place(cut.axis, side, 0)),
                               [&](std::size_t from, std::size_t i) { to[i] = array[from]; });
            },
            interior,
            [&](std::size_t side) {
                const double* const from = cut.received(side).data();
                for_each_point(face(cut.axis, place(cut.axis, side, 1)),
                               [&](std::size_t to, std::size_t i) { array[to] = from[i]; });
            });
    }
    /// Copies the borders along an axis that no rank cuts.
    void wrap(double* array, std::size_t axis) {
        for (const std::size_t side : {0, 1}) {
            Box box{{0, 0, 0},
                    {extent_.points[z] + 2, extent_.points[y] + 2, extent_.points[x] + 2}};
            box.first[axis] = place(axis, side, 1);
            box.last[axis] = box.first[axis] + 1;
            const std::size_t stride = axis == z ? extent_.plane() : axis == y ? extent_.row() : 1;
            const std::size_t across = extent_.points[axis] * stride;
            for_each_point(box, [&](std::size_t to, std::size_t) {
                array[to] = array[side == 0 ? to + across : to - across];
            });
        }
    }

    /// The faces at the first cut are computed before its messages leave, the others while they
    /// travel. The interior is cut into a part for each exchange, along the slowest axis.
    template <class Compute>
    void overlap(double* array, Compute& compute) {
        Box inner = extent_.all();
        compute_faces(cuts_.front()->axis, inner, compute);
        for (std::size_t number = 0; number < cuts_.size(); ++number) {
            send(*cuts_[number], array, [&] {
                if (number == 0)
                    for (std::size_t later = 1; later < cuts_.size(); ++later)
                        compute_faces(cuts_[later]->axis, inner, compute);
                if (schedule_ != Schedule::chain) compute(part_of(inner, number));
            });
        }
    }
    /// Computes the outermost points along an axis, and takes them off `inner`.
    template <class Compute>
    void compute_faces(std::size_t axis, Box& inner, Compute& compute) {
        for (const std::size_t side : {0, 1}) {
            if (inner.length(axis) == 0) return;
            Box layer = inner;
            if (side == 0) {
                layer.last[axis] = ++inner.first[axis];
            } else {
                layer.first[axis] = --inner.last[axis];
            }
            compute(layer);
        }
    }
    /// Part `number` of the interior, of as many as there are cuts.
    [[nodiscard]] Box part_of(const Box& inner, std::size_t number) const {
        Box part = inner;
        const std::size_t all = inner.length(z);
        part.first[z] = inner.first[z] + all * number / cuts_.size();
        part.last[z] = inner.first[z] + all * (number + 1) / cuts_.size();
        return part;
    }

    Computation& computation_;
    Extent extent_;
    Schedule schedule_;
    std::vector<std::unique_ptr<Cut>> cuts_;  ///< they stay in their place: messages refer to them
    std::vector<std::size_t> whole_;          ///< axes that no rank cuts
};

}  // namespace lapwing::nas::mg
