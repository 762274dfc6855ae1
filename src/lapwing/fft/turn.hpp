#pragma once

#include <complex>
#include <cstddef>

#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/fft/route.hpp"

namespace lapwing::fft {

/// What a turn makes of the lines along the third axis.
enum class Rows {
    none,     ///< nothing
    complex,  ///< transforms them
    real,     ///< transforms real numbers to half a spectrum, or that to real numbers
};

/// What is computed on either side of one turn from an array dealt along one axis to the same dealt
/// along another, on one rank: before it plane by plane, after it all that has arrived. Schedules
/// decide when.
template <class Real>
class Turn {
  public:
    using Complex = std::complex<Real>;

    /// `member`: this rank in the group of the route.
    Turn(const Route& route, int member) : route_(route), member_(member) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    virtual ~Turn() = default;

    [[nodiscard]] const Route& route() const { return route_; }
    [[nodiscard]] int member() const { return member_; }
    /// How many planes this rank has before the turn.
    [[nodiscard]] std::size_t planes() const { return route_.planes(member_); }
    /// Elements of a plane, of its part for `target` and of what lies before that.
    [[nodiscard]] std::size_t plane_length() const {
        return route_.plane(member_) / sizeof(Complex);
    }
    [[nodiscard]] std::size_t part_length(int target) const {
        return route_.part(member_, target) / sizeof(Complex);
    }
    [[nodiscard]] std::size_t part_begin(int target) const {
        return route_.part_begin(member_, target) / sizeof(Complex);
    }
    /// Of the part for `target`, what lies before piece `index`.
    [[nodiscard]] std::size_t piece_begin(int target, std::size_t index) const {
        return route_.piece_begin(member_, target, index) / sizeof(Complex);
    }
    /// Takes plane `plane` of the array at `in` to the plane at `to`, transformed but for what
    /// `piece` does. This is the same plane of the same array, or does not overlap the array. Real
    /// arrays are handed over as if they were complex.
    virtual void before(std::size_t plane, const Complex* in, Complex* to) = 0;
    /// Transforms what is left to transform in one piece of the part for `target`, of the plane at
    /// `to`.
    virtual void piece([[maybe_unused]] int target, [[maybe_unused]] std::size_t index,
                       [[maybe_unused]] Complex* to) {}
    /// The same for all of a plane.
    void pieces(Complex* to) {
        for (int target = 0; target < route_.ranks(); ++target)
            for (std::size_t i = 0; i < route_.pieces(member_, target); ++i) piece(target, i, to);
    }
    /// Planes of this rank after the turn.
    [[nodiscard]] virtual std::size_t planes_after() const = 0;
    /// Takes what has arrived at `buffer`, whose content is lost, to planes `first` to `end` of the
    /// array at `out`.
    virtual void after(Complex* buffer, Complex* out, std::size_t first, std::size_t end) = 0;

    /// Copies elements to where they are sent from, or to where they stay.
    void copy(const Complex* from, void* to, std::size_t elements) const {
        copy_(to, from, elements * sizeof(Complex));
    }
    /// Real numbers from the begin of a row of a real array to that of the next, where the turn
    /// reads or writes one.
    void set_real_row(std::size_t numbers) { real_row_ = numbers; }

  protected:
    [[nodiscard]] std::size_t real_row() const { return real_row_; }

  private:
    Route route_;
    int member_;
    std::size_t real_row_ = 0;
    MemoryCopy copy_;
};

}  // namespace lapwing::fft
