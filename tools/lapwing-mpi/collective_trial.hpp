#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/pipeline/open_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "pieces.hpp"
#include "pipelined_trial.hpp"

namespace lapwing::tools {

/// Tiles of an all-to-all, each a non-blocking collective while the next is computed, or consumed
/// (Hoefler, Gottschling and Lumsdaine 2008).
class CollectiveTrial final : public PipelinedTrial {
  public:
    /// `volume`: bytes that a rank gets from all others together. `direction`: whether the
    /// computation makes what is given, consumes what arrives, or half of it is either.
    CollectiveTrial(Crowd& crowd, std::uint64_t volume, std::uint64_t grain, Direction direction)
        : PipelinedTrial(crowd, volume, grain),
          ranks_(crowd.communicator()),
          produces_(direction != Direction::fetch),
          consumes_(direction != Direction::produce),
          source_(block(volume) * static_cast<std::size_t>(size())),
          made_(produces_ ? source_.size() : 0),
          arrived_(source_.size()),
          result_(consumes_ ? source_.size() : 0) {
        fill(source_, source_.size() * sizeof(double));
    }

    double planned(const Plan& plan) override {
        return verified([&] {
            Pieces pieces(plan.messages);
            open_pipeline<Span>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, Span& tile) {
                    if (!pieces.next(tile)) return false;
                    if (produces_) compute_blocks(source_, made_, tile);
                    return true;
                },
                [&](const Span& tile) { return start(tile); },
                [&](const Span& tile) {
                    if (consumes_) compute_blocks(arrived_, result_, tile);
                });
        });
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

    /// Elements that each rank gets of the first `bytes` of the volume.
    [[nodiscard]] std::size_t block(std::uint64_t bytes) const {
        const std::uint64_t elements = bytes / sizeof(double);
        const auto others = static_cast<std::uint64_t>(size() - 1);
        return (elements + others - 1) / others;
    }
    /// A tile: of what there is for each rank, elements `first` to `first + count`.
    struct Tile {
        std::size_t first;
        std::size_t count;
    };
    [[nodiscard]] Tile tile_of(const Span& span) const {
        const std::size_t first = block(span.first * sizeof(double));
        return {first, block((span.first + span.count) * sizeof(double)) - first};
    }
    [[nodiscard]] std::size_t begin_of(std::size_t rank) const { return rank * block(volume()); }

    void compute_blocks(std::span<const double> from, std::span<double> whole, const Span& span) {
        const Tile tile = tile_of(span);
        for (std::size_t other = 0; other < static_cast<std::size_t>(size()); ++other) {
            const std::size_t first = begin_of(other) + tile.first;
            compute(from.data() + first, whole, first, tile.count);
        }
    }
    [[nodiscard]] Collective::Request start(const Span& span) {
        const Tile tile = tile_of(span);
        const auto ranks = static_cast<std::size_t>(size());
        const std::vector<std::size_t> counts(ranks, tile.count);
        std::vector<std::size_t> begins(ranks);
        for (std::size_t other = 0; other < ranks; ++other)
            begins[other] = begin_of(other) + tile.first;
        const Collective::Parts parts{counts, begins};
        return ranks_.alltoallv((produces_ ? made_ : source_).data(), parts, arrived_.data(), parts,
                                MPI_DOUBLE);
    }

    Collective ranks_;
    bool produces_;
    bool consumes_;
    std::vector<double> source_;
    std::vector<double> made_;  ///< what is given, where it is computed
    std::vector<double> arrived_;
    std::vector<double> result_;
};

}  // namespace lapwing::tools
