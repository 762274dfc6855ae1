#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/collective_algorithms.hpp"
#include "lapwing/replay/collective_call.hpp"
#include "lapwing/replay/communicators.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"
#include "lapwing/replay/matched_exchanges.hpp"
#include "lapwing/replay/options.hpp"
#include "lapwing/replay/rank_records.hpp"
#include "lapwing/simulate/program/call.hpp"

namespace lapwing::replay {

/// Nanoseconds of a computation that takes `computation` times as long as `computed`.
[[nodiscard]] std::uint64_t scaled(std::uint64_t computed, double computation);

/// What the ranks of a recorded program do, read as the engine asks for it.
class RecordedCalls final : public simulate::CallSource {
  public:
    /// `recording`: outlives it. Throws `std::invalid_argument` for options that are not known, and
    /// if the recording does not tell what more ranks would do (`find_grid`).
    explicit RecordedCalls(const record::Recording& recording, const Options& options = {});

    [[nodiscard]] Rank ranks() const override { return static_cast<Rank>(ranks_.size()); }
    [[nodiscard]] simulate::Call next(Rank rank) override;
    [[nodiscard]] std::string place(Rank rank) const override;

    /// Nanoseconds that a rank took when it was recorded, and for how many of these it computed.
    struct Recorded {
        std::uint64_t seconds = 0;
        std::uint64_t computed = 0;
    };
    /// Of the records of a rank that were read.
    [[nodiscard]] Recorded recorded(Rank rank) const { return ranks_[rank].recorded; }
    /// With more ranks than were recorded: the grid that they are.
    [[nodiscard]] const std::optional<GrownGrid>& grid() const { return grid_; }
    /// The recorded rank whose records a rank plays: with more ranks, several play the same.
    [[nodiscard]] std::uint64_t recorded_rank(Rank rank) const {
        return ranks_[rank].records.recorded_rank();
    }

  private:
    /// A non-blocking collective whose first step has begun.
    struct Started {
        std::uint32_t group = 0;
        CollectiveCall rest{};
    };
    struct State {
        explicit State(RankRecords read) : records(std::move(read)) {}

        RankRecords records;
        record::Record record{};
        std::uint32_t site = 0;  ///< of the program, of the record
        Recorded recorded{};
        std::vector<std::unique_ptr<Communicator>> communicators{};
        /// Calls that come next, after the collectives that the rank is in.
        std::array<simulate::Call, 4> calls{};
        std::size_t first_call = 0;
        std::size_t end_of_calls = 0;
        CollectiveCall collective{};
        /// If `collective` is just being started: the group of its request.
        std::uint32_t starting = 0;
        std::vector<Started> started{};
        std::vector<CollectiveCall> resumed{};
        std::vector<std::uint32_t> groups{};  ///< of a wait
    };

    void expand(State& state, Rank rank);
    void enter_communicator(State& state, Rank rank);
    void message(State& state, simulate::Call::Kind kind, std::uint32_t group) const;
    void wait(State& state) const;
    void begin_collective(State& state);
    [[nodiscard]] bool next_of_collective(State& state, simulate::Call& call) const;

    CollectiveAlgorithms algorithms_;
    Options options_;
    std::optional<GrownGrid> grid_;
    std::unique_ptr<MatchedExchanges> overlapped_;  ///< if any exchanges are
    std::vector<State> ranks_;
};

}  // namespace lapwing::replay
