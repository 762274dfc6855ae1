#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "trials/element_spans.hpp"
#include "trials/pipelined.hpp"

namespace lapwing::tools {

/// What trials have in common whose messages are tiles of an all-to-all: the data, a part of it for
/// each rank, and what a tile holds of each part.
class AlltoallBase : public PipelinedTrial {
  protected:
    /// `volume`: bytes that a rank gets from all others together. `direction`: whether the
    /// computation makes what is given, consumes what arrives, or half of it is either.
    AlltoallBase(RankGroup& group, std::uint64_t volume, std::uint64_t grain, Direction direction)
        : PipelinedTrial(group, volume, grain),
          produces_(direction != Direction::fetch),
          consumes_(direction != Direction::produce),
          source_(part(volume) * static_cast<std::size_t>(size())),
          made_(produces_ ? source_.size() : 0),
          arrived_(source_.size()),
          result_(consumes_ ? source_.size() : 0) {
        fill(source_, source_.size() * sizeof(double));
    }

    /// Elements of the part of rank `other` in the first `bytes` of the volume.
    [[nodiscard]] virtual std::size_t elements_for(std::size_t other,
                                                   std::uint64_t bytes) const = 0;
    /// The same where all get as many.
    [[nodiscard]] std::size_t part(std::uint64_t bytes) const {
        const std::uint64_t elements = bytes / sizeof(double);
        const auto others = static_cast<std::uint64_t>(size() - 1);
        return (elements + others - 1) / others;
    }

    /// What a tile holds, for each rank: how many elements, and where they begin.
    struct Tile {
        std::vector<std::size_t> counts;
        std::vector<std::size_t> begins;

        [[nodiscard]] Collective::Parts parts() const { return {counts, begins}; }
    };
    [[nodiscard]] Tile tile_of(const ElementSpan& span) const {
        const auto ranks = static_cast<std::size_t>(size());
        Tile tile{std::vector<std::size_t>(ranks), std::vector<std::size_t>(ranks)};
        for (std::size_t other = 0; other < ranks; ++other) {
            const std::size_t first = elements_for(other, span.first * sizeof(double));
            const std::size_t end = elements_for(other, (span.first + span.count) * sizeof(double));
            tile.counts[other] = end - first;
            tile.begins[other] = begin_of(other) + first;
        }
        return tile;
    }
    [[nodiscard]] std::size_t begin_of(std::size_t rank) const { return rank * part(volume()); }

    void produce(const Tile& tile) {
        if (produces_) compute_tile(source_, made_, tile);
    }
    /// What is given.
    [[nodiscard]] const double* given() const { return (produces_ ? made_ : source_).data(); }
    /// Where what comes from the others is to lie.
    [[nodiscard]] double* arrived() { return arrived_.data(); }
    void consume(const Tile& tile) {
        if (consumes_) compute_tile(arrived_, result_, tile);
    }

  private:
    void compute_all() override {
        if (produces_) compute(source_, made_);
        if (consumes_) compute(arrived_, result_);
    }
    [[nodiscard]] std::span<double> outcome() override { return consumes_ ? result_ : arrived_; }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>((made_.size() + result_.size()) * sizeof(double));
    }
    void compute_tile(std::span<const double> from, std::span<double> whole, const Tile& tile) {
        for (std::size_t other = 0; other < tile.counts.size(); ++other)
            compute(from.data() + tile.begins[other], whole, tile.begins[other],
                    tile.counts[other]);
    }

    bool produces_;
    bool consumes_;
    std::vector<double> source_;
    std::vector<double> made_;  ///< what is given, where it is computed
    std::vector<double> arrived_;
    std::vector<double> result_;
};

}  // namespace lapwing::tools
