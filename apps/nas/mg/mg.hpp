#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../common/allgather.hpp"
#include "../common/options.hpp"
#include "../common/result.hpp"
#include "../common/zeroed_array.hpp"
#include "borders.hpp"
#include "box.hpp"
#include "charges.hpp"
#include "kernels.hpp"
#include "lapwing/pipeline/collectives/allreduce.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "levels.hpp"
#include "problem.hpp"
#include "rank_grid.hpp"
#include "settings.hpp"
#include "stencils.hpp"

namespace lapwing::nas::mg {

/// One rank's part in the benchmark MG: V-cycles for Poisson's equation in a periodic cube.
template <Transport T, class Computation>
class Program {
  public:
    Program(T& transport, Computation& computation, const Problem& problem, const Options& options)
        : transport_(transport),
          computation_(computation),
          problem_(problem),
          levels_(problem, {transport.rank(), transport.size()},
                  static_cast<std::size_t>(options.settings[agglomerate])),
          sums_(transport, 1, sum_tag, 0) {
        for (std::size_t level = 0; level < levels_.count(); ++level)
            grids_.push_back(
                std::make_unique<Level>(transport, computation, levels_, level, options.schedule));
        charges_ = ZeroedArray<double>(finest().extent.elements());
        for (std::size_t level = 0; level + 1 < levels_.count(); ++level)
            if (levels_.whole(level) && !levels_.whole(level + 1))
                gathered_.emplace(transport,
                                  levels_.distributed(level).all().points() * sizeof(double),
                                  gather_tag);
    }

    void reset() {
        Level& level = finest();
        std::fill_n(level.u.data(), level.u.size(), 0.0);
        std::fill_n(charges_.data(), charges_.size(), 0.0);
        set_charges(transport_, gather_tag, problem_, levels_.grid(levels_.count() - 1),
                    level.extent, charges_.data());
    }
    void begin() {
        find_residual(finest(), charges_.data());
        norm();
    }
    void iterate(int /*iteration*/) {
        const std::size_t top = levels_.count() - 1;
        for (std::size_t level = top; level > 0; --level) restrict_from(level);
        clear(*grids_[0]);
        smooth_level(*grids_[0]);
        for (std::size_t level = 1; level <= top; ++level) {
            if (level < top) clear(*grids_[level]);
            interpolate_to(level);
            find_residual(*grids_[level], level < top ? grids_[level]->r.data() : charges_.data());
            smooth_level(*grids_[level]);
        }
        find_residual(finest(), charges_.data());
    }
    void end() { norm_ = norm(); }
    [[nodiscard]] Verification verify() const {
        return {verified(problem_, norm_), norm_, problem_.expected};
    }

  private:
    static constexpr int gather_tag = 2;  // borders have 0 and 1
    static constexpr int sum_tag = 3;

    /// The arrays of a level: the solution, or its correction, and the residual.
    struct Level {
        Level(T& transport, Computation& computation, const Levels& levels, std::size_t level,
              Schedule schedule)
            : extent(levels.extent(level)),
              u(extent.elements()),
              r(extent.elements()),
              borders(transport, computation, levels.grid(level), extent, schedule) {}

        Extent extent;
        ZeroedArray<double> u;
        ZeroedArray<double> r;
        Borders<T, Computation> borders;
    };

    [[nodiscard]] Level& finest() { return *grids_.back(); }

    void find_residual(Level& level, const double* right) {
        level.borders.exchange(level.r.data(), [&](const Box& box) {
            computation_.run(residuals, box.points(), [&] {
                residual(Problem::equation(), level.u.data(), right, level.r.data(), level.extent,
                         box);
            });
        });
    }
    void smooth_level(Level& level) {
        level.borders.exchange(level.u.data(), [&](const Box& box) {
            computation_.run(smoothing, box.points(), [&] {
                smooth(problem_.smoother(), level.r.data(), level.u.data(), level.extent, box);
            });
        });
    }
    void clear(Level& level) {
        computation_.run(zeroing, level.u.size(),
                         [&] { std::fill_n(level.u.data(), level.u.size(), 0.0); });
    }
    /// Makes the residual of the next coarser level.
    void restrict_from(std::size_t number) {
        Level& fine = *grids_[number];
        Level& coarse = *grids_[number - 1];
        const auto compute = [&](double* to, const Extent& extent, const Box& box) {
            computation_.run(restriction, box.points(),
                             [&] { restrict_to(fine.r.data(), fine.extent, to, extent, box); });
        };
        if (levels_.whole(number) || !levels_.whole(number - 1)) {
            coarse.borders.exchange(coarse.r.data(), [&](const Box& box) {
                compute(coarse.r.data(), coarse.extent, box);
            });
            return;
        }
        const Extent part = levels_.distributed(number - 1);
        ZeroedArray<double> mine(part.elements());
        compute(mine.data(), part, part.all());
        coarse.borders.exchange(coarse.r.data(),
                                [&](const Box&) { gather(mine.data(), part, coarse); });
    }
    /// Brings all ranks' parts of a level's residual together.
    void gather(const double* mine, const Extent& part, Level& whole) {
        const std::size_t points = part.all().points();
        computation_.run(borders, points, [&] {
            auto* to = reinterpret_cast<double*>(gathered_->own());
            for_each_row(part.all(), part, [&](std::size_t place) {
                to = std::copy_n(mine + place + 1, part.points[x], to);
            });
        });
        traced(Activity::wait, [&] { gathered_->gather(); });
        const RankGrid grid(transport_.rank(), transport_.size());
        computation_.run(borders, points * static_cast<std::size_t>(transport_.size()), [&] {
            for (int rank = 0; rank < transport_.size(); ++rank) {
                const auto at = grid.place(rank);
                Box box;
                for (std::size_t axis = z; axis < axes; ++axis) {
                    box.first[axis] = static_cast<std::size_t>(at[axis]) * part.points[axis] + 1;
                    box.last[axis] = box.first[axis] + part.points[axis];
                }
                const auto* from = reinterpret_cast<const double*>(gathered_->at(rank));
                for_each_row(box, whole.extent, [&](std::size_t place) {
                    std::copy_n(from, part.points[x], whole.r.data() + place + box.first[x]);
                    from += part.points[x];
                });
            }
        });
    }
    /// Adds the next coarser level's correction to a level. No rank needs a message for it.
    void interpolate_to(std::size_t number) {
        Level& fine = *grids_[number];
        const Level& coarse = *grids_[number - 1];
        std::array<std::size_t, axes> corner{};
        if (levels_.whole(number - 1) && !levels_.whole(number)) {
            const RankGrid grid = levels_.grid(number);
            for (std::size_t axis = z; axis < axes; ++axis)
                corner[axis] =
                    static_cast<std::size_t>(grid.at[axis]) * fine.extent.points[axis] / 2;
        }
        computation_.run(interpolation, fine.extent.all().points(), [&] {
            interpolate(coarse.u.data(), coarse.extent, corner, fine.u.data(), fine.extent);
        });
    }
    template <class Action>
    auto traced(Activity activity, Action&& action) {
        const Traced time(computation_.recorder(), activity);
        return action();
    }
    /// The L2 norm of the finest residual.
    double norm() {
        Level& level = finest();
        double sum = 0;
        computation_.run(mg::norm, level.extent.all().points(),
                         [&] { sum = square_sum(level.r.data(), level.extent); });
        auto request =
            traced(Activity::initiation, [&] { return sums_.allreduce(std::array{sum}, &sum); });
        traced(Activity::wait, [&] { request.wait(); });
        return std::sqrt(sum / problem_.points());
    }

    T& transport_;
    Computation& computation_;
    Problem problem_;
    Levels levels_;
    Allreduce<T> sums_;
    std::vector<std::unique_ptr<Level>> grids_;  ///< coarsest first
    ZeroedArray<double> charges_;                ///< the right-hand side, of the finest level
    std::optional<Allgather<T>> gathered_;       ///< where distributed levels meet whole ones
    double norm_ = 0;
};

}  // namespace lapwing::nas::mg
