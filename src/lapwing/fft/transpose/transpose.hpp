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

/// What one rank computes in one transpose: before it sends, plane by plane; after it has received,
/// everything that has arrived. The drivers decide when.
template <class Real>
class Transpose : public TransposeLayout {
  public:
    using Complex = std::complex<Real>;
    /// Addresses in arrays to write, and in arrays to read.
    using Place = Complex*;
    using Source = const Complex*;
    /// A buffer that grows on request, and then loses its content.
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

    /// Reads plane `plane` of the array at `in`, transforms all but what `piece` does, and writes
    /// the plane to `to`: where it was, or to memory that does not overlap the array. Real arrays
    /// are passed as if they were complex.
    void before(std::size_t plane, const Complex* in, Complex* to) {
        if (prepare_) prepare_(in, plane);
        take(plane, in, to);
    }
    /// Transforms those lines in one piece of the part for `target`, in plane `plane` at `to`, that
    /// `before` has left.
    virtual void piece([[maybe_unused]] int target, [[maybe_unused]] std::size_t plane,
                       [[maybe_unused]] std::size_t index, [[maybe_unused]] Complex* to) {}
    /// Planes that this rank has after the transpose.
    [[nodiscard]] virtual std::size_t planes_after() const = 0;
    /// Transforms what has arrived at `buffer` to planes `first` to `end` of the array at `out`.
    /// The content of the buffer is lost.
    virtual void after(Complex* buffer, Complex* out, std::size_t first, std::size_t end) = 0;

    /// Copies elements to where they are sent from, or to where they stay.
    void copy(const Complex* from, void* to, std::size_t elements) const {
        copy_(to, from, elements * sizeof(Complex));
    }
    /// Copies some of `written` elements that have just been written, and may still be in a cache.
    void pack(const Complex* from, Complex* to, std::size_t elements,
              [[maybe_unused]] std::size_t written) const {
        copy(from, to, elements);
    }
    /// The buffer of a channel as an array.
    [[nodiscard]] static Complex* array(std::byte* buffer) {
        return reinterpret_cast<Complex*>(buffer);
    }
    /// Sets the distance between the rows of a real array, in real numbers.
    void set_real_row_distance(std::size_t numbers) { real_row_distance_ = numbers; }
    /// Sets what is called before `before` reads plane `plane` of the array at `in`; null: nothing.
    void set_prepare(std::function<void(const Complex* in, std::size_t plane)> prepare) {
        prepare_ = std::move(prepare);
    }

  protected:
    /// What `before` does after the preparation.
    virtual void take(std::size_t plane, const Complex* in, Complex* to) = 0;
    [[nodiscard]] std::size_t real_row_distance() const { return real_row_distance_; }

  private:
    std::size_t real_row_distance_ = 0;
    std::function<void(const Complex* in, std::size_t plane)> prepare_;
    MemoryCopy copy_;
};

/// Transforms all lines of plane `plane` at `to` that `before` has left.
template <class Transpose>
void transform_pieces(Transpose& transpose, std::size_t plane, typename Transpose::Place to) {
    for (int target = 0; target < transpose.route().ranks(); ++target)
        for (std::size_t i = 0; i < transpose.route().pieces(transpose.member(), target); ++i)
            transpose.piece(target, plane, i, to);
}

}  // namespace lapwing::fft
