#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "lapwing/record/record.hpp"
#include "lapwing/replay/rank_steps.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing::replay {

/// The parts of a collective, one after the other.
using Parts = std::vector<std::unique_ptr<RankSteps>>;

/// By which algorithms collectives are done: by those that an MPI library takes, or by others.
class CollectiveAlgorithms {
  public:
    /// The libraries whose choices are known: those of `selections()`, and "simgrid", the defaults
    /// of SimGrid's MPI.
    [[nodiscard]] static std::vector<std::string> libraries();

    /// `library`: whose choice counts. `chosen`: for some operations, an algorithm to take instead,
    /// both of `simulate::collective_operations` and `collective_algorithms`. Throws
    /// `std::invalid_argument` for a name that is not known.
    explicit CollectiveAlgorithms(std::string library,
                                  std::map<std::string, std::string> chosen = {});

    /// What `rank` of a communicator of `size` ranks does in the collective of a record. Throws
    /// `std::invalid_argument` if there is no rule for it.
    [[nodiscard]] Parts parts(const record::Record& record, Rank rank, Rank size);

  private:
    /// One of the engine's collectives, and what was chosen.
    struct Made {
        simulate::CollectiveChoice choice;
        std::shared_ptr<const simulate::Collective> collective;
    };
    using Collectives = std::vector<Made>;

    [[nodiscard]] static std::unique_ptr<RankSteps> steps(const Made& made, Rank rank, Rank root);

    [[nodiscard]] Parts irregular(const record::Record& record, Rank rank, Rank size) const;
    [[nodiscard]] const Collectives& regular(record::Collective collective, bool blocking,
                                             Rank size, std::uint64_t bytes);
    [[nodiscard]] Parts creation(Rank rank, Rank size, std::uint64_t told);
    [[nodiscard]] Collectives make(record::Collective collective, bool blocking, Rank size,
                                   std::uint64_t bytes) const;

    std::string library_;
    std::map<std::string, std::string> chosen_;
    std::map<std::tuple<record::Collective, bool, Rank, std::uint64_t>, Collectives> made_;
};

}  // namespace lapwing::replay
