#pragma once

#include <algorithm>

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/cores.hpp"

namespace lapwing::simulate {

/// `AllreduceBineScatterAllgather` with the messages of the reduce-scatter in segments: while one
/// is combined the next arrives (`bdw_remap_segmented` of De Sensi et al. 2025).
class AllreduceBineSegmented final : public Collective {
  public:
    /// `bytes`: the data of a rank, in a block for each core, each of `pieces` pieces; `segment`:
    /// bytes of a segment, which has one piece or more.
    AllreduceBineSegmented(Rank ranks, std::uint64_t bytes, std::uint32_t pieces,
                           std::uint64_t segment)
        : Collective(ranks, Parts::split(bytes, std::uint64_t{pieces} << floor_log2(ranks))),
          pieces_(pieces),
          cores_(ranks),
          bine_(cores_.levels()) {
        for (std::uint32_t round = 0; round < cores_.levels(); ++round) {
            const std::uint64_t half = parts().bytes(0, pieces_of(round));
            const std::uint64_t count = std::max<std::uint64_t>(1, (half + segment - 1) / segment);
            segments_.push_back(static_cast<std::uint32_t>(std::min(count, pieces_of(round))));
            reducing_ += segments_.back();
        }
    }

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        if (cores_.idle(rank)) return 2;
        return reducing() + cores_.levels() + (cores_.folded(rank) ? 2 : 0);
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (cores_.idle(rank)) return step == 0 ? Step{1, 0} : Step{0, 1};
        const std::uint32_t before = steps_before(rank);
        if (step < before) return {0, 1};
        if (step == before + reducing() + cores_.levels()) return {1, 0};
        const Place now = place(step - before);
        return {.sends = 1,
                .receives = 1,
                .alternating = false,
                .ahead = now.reducing && now.segment + 1 < segments_of(now.round)};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank other = Cores::partner(rank);
        if (cores_.idle(rank)) return {other, 0, 0, parts().count(), Effect::combine};
        const std::uint32_t before = steps_before(rank);
        if (step == before + reducing() + cores_.levels()) return {other, 1, 0, parts().count()};
        const Rank core = cores_.core_of(rank);
        const Rank peer = cores_.rank_of(bine_.partner(core, place(step - before).round));
        return transfer(peer, step - before + steps_before(peer), core, place(step - before));
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank other = Cores::partner(rank);
        if (cores_.idle(rank)) return {other, 0, 0, parts().count()};
        const std::uint32_t before = steps_before(rank);
        if (step < before) return {other, 0, 0, parts().count(), Effect::combine};
        const Place now = place(step - before);
        const Rank core = bine_.partner(cores_.core_of(rank), now.round);
        return transfer(cores_.rank_of(core), 0, core, now);
    }

  private:
    /// Where a core is, after what its idle rank hands over.
    struct Place {
        std::uint32_t round = 0;  ///< of the butterfly
        std::uint32_t segment = 0;
        bool reducing = false;
    };
    [[nodiscard]] Place place(std::uint32_t step) const {
        if (step >= reducing()) return {cores_.levels() - 1 - (step - reducing()), 0, false};
        std::uint32_t round = 0;
        for (; step >= segments_of(round); ++round) step -= segments_of(round);
        return {round, step, true};
    }
    [[nodiscard]] std::uint32_t steps_before(Rank rank) const {
        return cores_.folded(rank) ? 1 : 0;
    }
    [[nodiscard]] std::uint32_t reducing() const { return reducing_; }
    [[nodiscard]] std::uint32_t segments_of(std::uint32_t round) const { return segments_[round]; }
    /// Pieces of a message in a round.
    [[nodiscard]] std::uint64_t pieces_of(std::uint32_t round) const {
        return std::uint64_t{pieces_} * (cores_.count() >> (round + 1));
    }

    /// What `core` sends at a place, at a rank whose peer is `peer`.
    [[nodiscard]] Transfer transfer(Rank peer, std::uint32_t key, Rank core,
                                    const Place& now) const {
        const std::uint32_t size = cores_.levels() - now.round - 1;
        const Rank of = now.reducing ? bine_.partner(core, now.round) : core;
        const std::uint64_t first = (std::uint64_t{bine_.position(of)} >> size << size) * pieces_;
        const std::uint64_t pieces = pieces_of(now.round);
        if (!now.reducing) return {peer, key, first, pieces};
        const std::uint64_t begin = pieces * now.segment / segments_of(now.round);
        const std::uint64_t end = pieces * (now.segment + 1) / segments_of(now.round);
        return {peer, key, first + begin, end - begin, Effect::combine};
    }

    std::uint32_t pieces_;
    Cores cores_;
    Bine bine_;
    std::vector<std::uint32_t> segments_;  ///< by round
    std::uint32_t reducing_ = 0;           ///< steps of the reduce-scatter
};

}  // namespace lapwing::simulate
