#pragma once

#include <cstddef>

#include "lapwing/fft/blocks.hpp"
#include "lapwing/fft/grid.hpp"
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
/// Ranks are counted as the group counts its members.
class Route {
  public:
    /// Planes across `a`. `row`: bytes of a row, that part of a line along the third axis that is
    /// sent as one; it may be 0, and then there is nothing to send.
    Route(Schedule schedule, const Blocks& a, const Blocks& b, std::size_t row,
          const Group& group = {})
        : schedule_(schedule), a_(a), b_(b), row_(row), group_(group) {}
    /// As many planes on all ranks. `element`: bytes. Pencils are the parts of planes here.
    static Route within(std::size_t planes, Schedule schedule, const Blocks& a, const Blocks& b,
                        std::size_t element, const Group& group) {
        if (schedule == Schedule::pencils) schedule = Schedule::slabs;
        Route route(schedule, a, b, element, group);
        route.within_ = true;
        route.planes_ = planes;
        return route;
    }

    /// Planes that a rank has before the turn, and the most that any has.
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
    /// Messages into which a part is cut, or in which it goes with others.
    [[nodiscard]] std::size_t pieces(int source, int target) const {
        if (part(source, target) == 0) return 0;
        return schedule_ == Schedule::pencils ? b_.count(target) : 1;
    }
    /// Messages from rank `source` to rank `target`.
    [[nodiscard]] std::size_t messages(int source, int target) const {
        const std::size_t pieces = this->pieces(source, target);
        switch (schedule_) {
            case Schedule::slabs:
            case Schedule::pencils:
                return planes(source) * pieces;
            case Schedule::exchange:
            case Schedule::tiled:
                break;
        }
        return planes(source) == 0 ? 0 : pieces;
    }
    /// Bytes of each of them.
    [[nodiscard]] std::size_t bytes(int source, int target) const {
        switch (schedule_) {
            case Schedule::slabs:
                return part(source, target);
            case Schedule::pencils:
                return row_;
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
        return before + index * part(source, target);
    }

    [[nodiscard]] Schedule schedule() const { return schedule_; }
    [[nodiscard]] const Blocks& a() const { return a_; }
    [[nodiscard]] const Blocks& b() const { return b_; }
    [[nodiscard]] const Group& group() const { return group_; }
    [[nodiscard]] int ranks() const { return a_.ranks(); }
    /// Bytes of a row, of which there is a whole number in all that is sent; within planes of an
    /// element.
    [[nodiscard]] std::size_t row() const { return row_; }

  private:
    /// Indices along `a` in one plane of a rank.
    [[nodiscard]] std::size_t width(int source) const { return within_ ? a_.count(source) : 1; }

    Schedule schedule_;
    Blocks a_;
    Blocks b_;
    std::size_t row_;
    Group group_;
    bool within_ = false;
    std::size_t planes_ = 0;
};

}  // namespace lapwing::fft
