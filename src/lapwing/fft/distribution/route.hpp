#pragma once

#include <algorithm>
#include <cstddef>

#include "lapwing/fft/distribution/block_distribution.hpp"
#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// Which messages turn an array that is dealt along one axis, `a`, into one that is dealt along
/// another, `b`, and where they arrive. An array is transformed and sent plane by plane; what one
/// rank gets of a plane is a part, and lies in one piece.
///
/// Where planes lie across `a` itself, what rank s sends to rank d are the rows of its planes that
/// lie in d's planes of `b`. In d's buffer rows are in the order [a][local b], where a part is one
/// piece; for `pencils` in the order [local b][a], the one that is wanted.
///
/// Where both axes lie within planes, of which all ranks have as many, a part is what a plane of s
/// has along `a` and one of d along `b`. In d's buffer parts are in the order [rank][plane].
///
/// `strips` cut a part into as many pieces, all of whose rows are done with before those of the
/// next piece: messages go in stages, and when stage s is over, strip s of all that a rank gets has
/// arrived, and those planes have left it whose place strips up to s take in the end. So stages
/// become shorter, and what is done last of all is the last strip. What has to go in one stage is
/// one piece where that is no long message: of the first planes, whose place the first strip takes,
/// a part is not cut. `tails` cut no plane but the last, and all others go in the first stage.
///
/// Ranks are counted as the group counts its members.
class Route {
  public:
    /// Planes across `a`. `row`: bytes of a row, that part of a line along the third axis that is
    /// sent as one; it may be 0, and then there is nothing to send.
    Route(Schedule schedule, const BlockDistribution& a, const BlockDistribution& b,
          std::size_t row, const Group& group = {}, std::size_t strips = 1)
        : schedule_(schedule),
          a_(a),
          b_(b),
          row_(row),
          group_(group),
          strips_(schedule == Schedule::strips || schedule == Schedule::tails
                      ? std::clamp(strips, std::size_t{1}, b.most())
                      : 1) {}
    /// As many planes on all ranks. `element`: bytes. Pencils are the parts of planes here.
    static Route within(std::size_t planes, Schedule schedule, const BlockDistribution& a,
                        const BlockDistribution& b, std::size_t element, const Group& group) {
        if (overlaps(schedule)) schedule = Schedule::slabs;
        Route route(schedule, a, b, element, group);
        route.within_ = true;
        route.planes_ = planes;
        return route;
    }

    /// Planes that a rank has before the transpose, and the most that any has.
    [[nodiscard]] std::size_t planes(int source) const {
        return within_ ? planes_ : a_.count(source);
    }
    [[nodiscard]] std::size_t most_planes() const { return within_ ? planes_ : a_.most(); }
    /// Bytes of a plane of `source`.
    [[nodiscard]] std::size_t plane(int source) const { return width(source) * b_.length() * row_; }
    /// Bytes of it that go to `target`, and how many lie before them, in the order of the ranks.
    [[nodiscard]] std::size_t part(int source, int target) const {
        return width(source) * b_.count(target) * row_;
    }
    [[nodiscard]] std::size_t part_begin(int source, int target) const {
        return width(source) * b_.first(target) * row_;
    }
    /// Messages into which a part is cut, or in which it goes with others; the most: a piece of a
    /// strip may be empty, and then is no message.
    [[nodiscard]] std::size_t pieces(int source, int target) const {
        if (part(source, target) == 0) return 0;
        return schedule_ == Schedule::pencils ? b_.count(target) : strips_;
    }
    /// Where piece `index` of a part of `plane` begins, and the one before ends, in the part's
    /// bytes.
    [[nodiscard]] std::size_t piece_begin(int source, int target, std::size_t plane,
                                          std::size_t index) const {
        if (schedule_ == Schedule::pencils) return index * row_;
        if (index == 0) return 0;
        const bool ends = strips_ == 1 || index > last_stage(source, plane);
        if (ends && joins(source, target)) return part(source, target);
        return strip_begin(target, index) * row_;
    }
    /// Messages from rank `source` to rank `target`, empty ones among them.
    [[nodiscard]] std::size_t messages(int source, int target) const {
        const std::size_t pieces = this->pieces(source, target);
        switch (schedule_) {
            case Schedule::slabs:
            case Schedule::pencils:
            case Schedule::strips:
            case Schedule::tails:
                return planes(source) * pieces;
            case Schedule::exchange:
            case Schedule::tiled:
                break;
        }
        return planes(source) == 0 ? 0 : pieces;
    }
    /// The plane that message `index` of them is of; the first, if it is of all.
    [[nodiscard]] std::size_t plane_of(int source, int target, std::size_t index) const {
        return index / pieces(source, target);
    }
    /// Bytes of message `index` of them.
    [[nodiscard]] std::size_t bytes(int source, int target, std::size_t index) const {
        switch (schedule_) {
            case Schedule::slabs:
            case Schedule::pencils:
            case Schedule::strips:
            case Schedule::tails: {
                const std::size_t plane = plane_of(source, target, index);
                const std::size_t piece = index % pieces(source, target);
                return piece_begin(source, target, plane, piece + 1) -
                       piece_begin(source, target, plane, piece);
            }
            case Schedule::exchange:
            case Schedule::tiled:
                break;
        }
        return planes(source) * part(source, target);
    }
    /// Where message `index` of them arrives in the buffer of `target`, in bytes; for `exchange`
    /// and `tiled`, where plane `index` does.
    [[nodiscard]] std::size_t place(int source, int target, std::size_t index) const {
        const std::size_t rows = b_.count(target);
        if (schedule_ == Schedule::pencils)
            return (index % rows * a_.length() + a_.first(source) + index / rows) * row_;
        const std::size_t before = a_.first(source) * rows * row_ * (within_ ? planes_ : 1);
        const std::size_t plane = index / strips_;
        return before + plane * part(source, target) +
               piece_begin(source, target, plane, index % strips_);
    }

    /// How many stages there are: 1, or strips.
    [[nodiscard]] std::size_t stages() const { return strips_; }
    /// The stage in which message `index` goes.
    [[nodiscard]] std::size_t stage(int source, std::size_t index) const {
        return std::min(index % strips_, last_stage(source, index / strips_));
    }
    /// The first of the rows of a part that are in strip `index`, and the first plane of it when it
    /// has arrived.
    [[nodiscard]] std::size_t strip_begin(int target, std::size_t index) const {
        return b_.count(target) * index / strips_;
    }

    [[nodiscard]] Schedule schedule() const { return schedule_; }
    [[nodiscard]] const BlockDistribution& a() const { return a_; }
    [[nodiscard]] const BlockDistribution& b() const { return b_; }
    [[nodiscard]] const Group& group() const { return group_; }
    [[nodiscard]] int ranks() const { return a_.ranks(); }
    /// Bytes of a row, of which there is a whole number in all that is sent; within planes of an
    /// element.
    [[nodiscard]] std::size_t row() const { return row_; }

  private:
    /// Bytes up to which what goes in one stage is one message. Longer ones save nothing that
    /// counts, and what an MPI has begun to send it does not put behind what is wanted sooner.
    static constexpr std::size_t longest_joined = 64 << 10;
    [[nodiscard]] bool joins(int source, int target) const {
        return schedule_ != Schedule::strips || part(source, target) <= longest_joined;
    }
    /// The stage in which the last of a plane goes.
    [[nodiscard]] std::size_t last_stage(int source, std::size_t plane) const {
        if (schedule_ == Schedule::tails && plane + 1 < planes(source)) return 0;
        std::size_t stage = strips_ - 1;
        // Strips of the result, [b][a], that end before the plane begins do not reach it.
        while (stage > 0 && strip_begin(source, stage) * a_.length() > plane * b_.length()) --stage;
        return stage;
    }
    /// Indices along `a` in one plane of a rank.
    [[nodiscard]] std::size_t width(int source) const { return within_ ? a_.count(source) : 1; }

    Schedule schedule_;
    BlockDistribution a_;
    BlockDistribution b_;
    std::size_t row_;
    Group group_;
    std::size_t strips_ = 1;
    bool within_ = false;
    std::size_t planes_ = 0;
};

}  // namespace lapwing::fft
