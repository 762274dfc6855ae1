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

/// An all-to-all cut into tiles: the data of a rank, which has a part for each rank, and what a
/// tile holds of each part. What `AlltoallTrial` and `AlltoallvTrial` share.
class AlltoallBase : public PipelinedTrial {
  protected:
    /// The volume is what a rank receives from all others together. By the direction, the
    /// computation makes what is sent, consumes what arrives, or half of it does either.
    AlltoallBase(RankGroup& group, const Workload& workload)
        : PipelinedTrial(group, workload.volume, workload.grain),
          produces_(workload.direction != Direction::fetch),
          consumes_(workload.direction != Direction::produce),
          source_(part(volume()) * static_cast<std::size_t>(size())),
          made_(produces_ ? source_.size() : 0),
          incoming_(source_.size()),
          result_(consumes_ ? source_.size() : 0) {
        fill(source_, source_.size() * sizeof(double));
    }

    /// How many elements of the part for rank `other` are in the first `bytes` of the volume.
    [[nodiscard]] virtual std::size_t elements_for(std::size_t other,
                                                   std::uint64_t bytes) const = 0;
    /// The same, if all ranks get equally many.
    [[nodiscard]] std::size_t part(std::uint64_t bytes) const {
        const std::uint64_t elements = bytes / sizeof(double);
        const auto others = static_cast<std::uint64_t>(size() - 1);
        return (elements + others - 1) / others;
    }

    /// What a tile holds for each rank: how many elements, and the index of the first.
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
    /// The data to send.
    [[nodiscard]] const double* outgoing() const { return (produces_ ? made_ : source_).data(); }
    /// Where data from other ranks is received.
    [[nodiscard]] double* incoming() { return incoming_.data(); }
    void consume(const Tile& tile) {
        if (consumes_) compute_tile(incoming_, result_, tile);
    }

  private:
    void compute_all() override {
        if (produces_) compute(source_, made_);
        if (consumes_) compute(incoming_, result_);
    }
    [[nodiscard]] std::span<double> outcome() override { return consumes_ ? result_ : incoming_; }
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
    std::vector<double> made_;  ///< the data to send, if it is computed
    std::vector<double> incoming_;
    std::vector<double> result_;
};

}  // namespace lapwing::tools
