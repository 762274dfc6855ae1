#pragma once

#include <cstddef>

#include "lapwing/fft/blocks.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// Which messages turn planes across one axis into planes across another, and where they arrive.
/// What rank s sends to rank d are the rows of its planes of `a` that lie in d's planes of `b`. In
/// d's buffer rows are in the order [a][local b], where a plane's part is one piece; for `pencils`
/// in the order [local b][a], the one that is wanted.
class Route {
  public:
    /// `row`: bytes of a row, that part of a line along the third axis that is sent as one.
    Route(Schedule schedule, const Blocks& a, const Blocks& b, std::size_t row)
        : schedule_(schedule), a_(a), b_(b), row_(row) {}

    /// Messages from rank `source` to rank `target`.
    [[nodiscard]] std::size_t messages(int source, int target) const {
        const std::size_t planes = a_.count(source);
        const std::size_t rows = b_.count(target);
        if (planes * rows == 0) return 0;
        switch (schedule_) {
            case Schedule::slabs:
                return planes;
            case Schedule::pencils:
                return planes * rows;
            case Schedule::exchange:
            case Schedule::tiled:
                break;
        }
        return 1;
    }
    /// Bytes of each of them.
    [[nodiscard]] std::size_t bytes(int source, int target) const {
        switch (schedule_) {
            case Schedule::slabs:
                return b_.count(target) * row_;
            case Schedule::pencils:
                return row_;
            case Schedule::exchange:
            case Schedule::tiled:
                break;
        }
        return a_.count(source) * b_.count(target) * row_;
    }
    /// Where message `index` of them arrives in the buffer of `target`, in bytes.
    [[nodiscard]] std::size_t place(int source, int target, std::size_t index) const {
        const std::size_t rows = b_.count(target);
        if (schedule_ != Schedule::pencils) return (a_.first(source) + index) * rows * row_;
        return (index % rows * a_.length() + a_.first(source) + index / rows) * row_;
    }

    [[nodiscard]] Schedule schedule() const { return schedule_; }
    [[nodiscard]] const Blocks& a() const { return a_; }
    [[nodiscard]] const Blocks& b() const { return b_; }
    [[nodiscard]] std::size_t row() const { return row_; }

  private:
    Schedule schedule_;
    Blocks a_;
    Blocks b_;
    std::size_t row_;
};

}  // namespace lapwing::fft
