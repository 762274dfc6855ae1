#pragma once

#include <cstddef>

#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/fft/transpose/transpose_layout.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {

/// Records how long a transpose computes: stands for `Transpose` and its three kinds. Addresses in
/// arrays are numbers of elements.
class RecordedTranspose : public TransposeLayout {
  public:
    using Place = std::size_t;
    using Source = std::size_t;
    struct Room {
        void resize(std::size_t) {}
        [[nodiscard]] static Place data() { return 0; }
    };

    /// `lines`: seconds spent on transforming lines, to which this transpose adds.
    RecordedTranspose(const TransposeStep& step, std::size_t element, const Rates& rates,
                      simulate::GraphWriter& writer, double& lines)
        : TransposeLayout(step.route, step.member, element),
          step_(step),
          rates_(rates),
          writer_(writer),
          lines_(lines),
          row_(step.route.row() / element) {}

    void before(std::size_t plane, Source in, Place to) {
        const BlockDistribution& a = route().a();
        const BlockDistribution& b = route().b();
        switch (step_.kind) {
            case TransposeStep::Kind::slabs:
                if (step_.before == RowTransform::real) rows(step_.before, b.length());
                transform(b.length(), row_);
                return;
            case TransposeStep::Kind::rows_to_columns:
                rows(step_.before, a.count(member()));
                copy(in, to, plane_length());
                return;
            case TransposeStep::Kind::columns_to_rows:
                if (step_.columns) {
                    transform(b.length(), a.count(member()));
                } else if (in + plane * plane_length() != to) {
                    copy(in, to, plane_length());
                }
                return;
        }
    }
    void piece(int target, std::size_t plane, std::size_t index, Place) {
        if (step_.kind != TransposeStep::Kind::slabs || step_.before != RowTransform::complex ||
            row_ == 0)
            return;
        rows(step_.before,
             (piece_begin(target, plane, index + 1) - piece_begin(target, plane, index)) / row_);
    }
    [[nodiscard]] std::size_t planes_after() const {
        return step_.kind == TransposeStep::Kind::slabs ? route().b().count(member()) : planes();
    }
    void after(Place buffer, Place out, std::size_t first, std::size_t end) {
        const std::size_t planes = end - first;
        const std::size_t length = route().a().length();
        const std::size_t width = route().b().count(member());
        switch (step_.kind) {
            case TransposeStep::Kind::slabs:
                if (step_.last) transform(length, planes * row_);
                if (step_.after == RowTransform::real) {
                    rows(step_.after, planes * length);
                } else if (!step_.last) {
                    copy(buffer, out, planes * length * row_);
                }
                return;
            case TransposeStep::Kind::rows_to_columns:
            case TransposeStep::Kind::columns_to_rows:
                copy(buffer, out, planes * length * width);
                rows(step_.after, planes * width);
                return;
        }
    }
    void copy(Source, Place, std::size_t elements) const {
        writer_.compute(static_cast<double>(elements * element()) / rates_.copy);
    }
    void pack(Source, Place, std::size_t elements, std::size_t written) const {
        writer_.compute(rates_.packing(static_cast<double>(elements * element()),
                                       static_cast<double>(written * element())));
    }
    [[nodiscard]] static Place array(Place buffer) { return buffer; }

  private:
    void transform(std::size_t length, std::size_t count) { spend(rates_.lines(length, count)); }
    /// A real line takes half the time of a complex one.
    void rows(RowTransform which, std::size_t count) {
        if (which == RowTransform::none) return;
        spend(rates_.lines(step_.row, count) / (which == RowTransform::real ? 2 : 1));
    }
    void spend(double seconds) {
        lines_ += seconds;
        writer_.compute(seconds);
    }

    const TransposeStep& step_;
    const Rates& rates_;
    simulate::GraphWriter& writer_;
    double& lines_;
    std::size_t row_;  ///< elements of a row that is sent as one
};

}  // namespace lapwing::fft
