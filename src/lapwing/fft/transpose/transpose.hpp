#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <utility>

#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/transpose/transpose_layout.hpp"

namespace lapwing::fft {

/// What is computed on either side of one transpose, on one rank: before it plane by plane, after
/// it all that has arrived. Schedules decide when.
template <class Real>
class Transpose : public TransposeLayout {
  public:
    using Complex = std::complex<Real>;
    /// Where arrays are that are written and read.
    using Place = Complex*;
    using Source = const Complex*;
    /// A buffer that grows, and forgets then.
    class Room {
      public:
        void resize(std::size_t elements) {
            if (elements > memory_.size()) memory_ = Storage<Complex>(elements);
        }
        [[nodiscard]] Complex* data() { return memory_.data(); }

      private:
        Storage<Complex> memory_;
    };

    Transpose(const Route& route, int member) : TransposeLayout(route, member, sizeof(Complex)) {}
    Transpose(const Transpose&) = delete;
    Transpose& operator=(const Transpose&) = delete;
    virtual ~Transpose() = default;

    /// Takes plane `plane` of the array at `in` to the plane at `to`, transformed but for what
    /// `piece` does. This is the same plane of the same array, or does not overlap the array. Real
    /// arrays are handed over as if they were complex.
    void before(std::size_t plane, const Complex* in, Complex* to) {
        if (prepare_) prepare_(in, plane);
        take(plane, in, to);
    }
    /// Transforms what is left to transform in one piece of the part for `target`, of plane `plane`
    /// at `to`.
    virtual void piece([[maybe_unused]] int target, [[maybe_unused]] std::size_t plane,
                       [[maybe_unused]] std::size_t index, [[maybe_unused]] Complex* to) {}
    /// Planes of this rank after the transpose.
    [[nodiscard]] virtual std::size_t planes_after() const = 0;
    /// Takes what has arrived at `buffer`, whose content is lost, to planes `first` to `end` of the
    /// array at `out`.
    virtual void after(Complex* buffer, Complex* out, std::size_t first, std::size_t end) = 0;

    /// Copies elements to where they are sent from, or to where they stay.
    void copy(const Complex* from, void* to, std::size_t elements) const {
        copy_(to, from, elements * sizeof(Complex));
    }
    /// The same of a few of `written` elements that have just been written.
    void pack(const Complex* from, Complex* to, std::size_t elements,
              [[maybe_unused]] std::size_t written) const {
        copy(from, to, elements);
    }
    /// A channel's buffer as an array.
    [[nodiscard]] static Complex* array(std::byte* buffer) {
        return reinterpret_cast<Complex*>(buffer);
    }
    /// Real numbers from the begin of a row of a real array to that of the next, where the
    /// transpose reads or writes one.
    void set_real_row(std::size_t numbers) { real_row_ = numbers; }
    /// What is to be done to the array at `in` before plane `plane` of it is taken; null: nothing.
    void set_prepare(std::function<void(const Complex* in, std::size_t plane)> prepare) {
        prepare_ = std::move(prepare);
    }

  protected:
    /// `before`, of what is prepared.
    virtual void take(std::size_t plane, const Complex* in, Complex* to) = 0;
    [[nodiscard]] std::size_t real_row() const { return real_row_; }

  private:
    std::size_t real_row_ = 0;
    std::function<void(const Complex* in, std::size_t plane)> prepare_;
    MemoryCopy copy_;
};

/// Transforms what is left to transform of all of plane `plane` at `to`.
template <class Transpose>
void transform_pieces(Transpose& transpose, std::size_t plane, typename Transpose::Place to) {
    for (int target = 0; target < transpose.route().ranks(); ++target)
        for (std::size_t i = 0; i < transpose.route().pieces(transpose.member(), target); ++i)
            transpose.piece(target, plane, i, to);
}

}  // namespace lapwing::fft
