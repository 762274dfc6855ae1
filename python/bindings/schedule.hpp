#pragma once

#include <memory>
#include <string>
#include <utility>

#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/unroll.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::python {

/// A schedule, read or generated.
class AnySchedule {
  public:
    /// `path`: of its file; empty if there is none.
    AnySchedule(std::string path, simulate::Graph graph)
        : path_(std::move(path)), graph_(std::move(graph)) {}
    explicit AnySchedule(simulate::CollectiveChoice choice)
        : choice_(std::move(choice)), collective_(simulate::make_collective(choice_)) {}

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] simulate::Rank ranks() const {
        return collective_ ? collective_->ranks()
                           : static_cast<simulate::Rank>(graph_.ranks.size());
    }
    /// Calls `use` with the schedule, written out.
    template <class Use>
    auto written_out(const Use& use) const {
        return collective_ ? use(simulate::unroll(*collective_)) : use(graph_);
    }
    [[nodiscard]] std::string to_goal() const {
        return written_out([](const simulate::Graph& graph) { return lapwing::to_goal(graph); });
    }
    template <class Costs>
    [[nodiscard]] simulate::Result play(const Costs& costs, simulate::Observer* observer) const {
        return collective_ ? simulate::simulate(*collective_, costs, observer)
                           : simulate::simulate(graph_, costs, observer);
    }
    [[nodiscard]] const auto& pairs() const { return graph_.pairs; }
    /// What was generated; null of a schedule that was read.
    [[nodiscard]] const simulate::CollectiveChoice* choice() const {
        return collective_ ? &choice_ : nullptr;
    }

  private:
    std::string path_;
    simulate::Graph graph_;
    simulate::CollectiveChoice choice_;
    std::unique_ptr<simulate::Collective> collective_;
};

}  // namespace lapwing::python
