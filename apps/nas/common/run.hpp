#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../common/over_ranks.hpp"
#include "computation.hpp"
#include "forecasts.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/trace/gather_trace.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "options.hpp"
#include "program.hpp"
#include "request.hpp"
#include "result.hpp"
#include "with_transport.hpp"

namespace lapwing::nas {

/// Runs benchmark `B` on some ranks.
template <Benchmark B>
class Run {
  public:
    using Problem = typename B::Problem;

    /// Collective over `original`, as all that follows. Throws `std::invalid_argument` where the
    /// request does not fit the ranks, or has neither options nor a profile to plan by.
    Run(MPI_Comm original, const Request& request)
        : world_(original), request_(request), problem_(B::problem(request.problem)) {
        if (!request.options && !request.profile)
            throw std::invalid_argument(std::string(B::name) +
                                        ": a plan needs the machine's profile");
        result_.benchmark = B::name;
        result_.problem = problem_.name;
        result_.size = problem_.size();
        result_.iterations = problem_.iterations;
        result_.ranks = world_.size();
        result_.planned = !request.options;
    }

    /// Runs it once before time counts, as the benchmark does, and then for its result.
    [[nodiscard]] Result result() {
        const double first = now();
        if (request_.profile) plan();
        result_.options = options();
        Trace trace;
        in_transport(result_.options, trace, [&](auto& program, Computation& computation) {
            tell(0, "warming up");
            warm_up(program);
            computation.restart();
            program.reset();
            wait_for_all();
            result_.preparation = now() - first;
            result_.seconds = reduced(timed(program), MPI_MAX, world_);
            result_.verification = program.verify();
            collect_phases(computation, trace);
        });
        result_.mops = problem_.operations() / result_.seconds * 1e-6;
        if (!request_.trace.empty()) write_trace(request_.trace, trace.events(), world_);
        return result_;
    }

  private:
    void tell(double share, const char* what) const {
        if (request_.tell && world_.rank() == 0) request_.tell(share, what);
    }
    void wait_for_all() const { check_mpi(MPI_Barrier(world_.get()), "MPI_Barrier"); }

    /// The way to run: as asked for, or as planned.
    [[nodiscard]] Options options() const {
        return completed(request_.options ? *request_.options : planned_);
    }
    [[nodiscard]] Options completed(const Options& options) const {
        return nas::completed<B>(options, problem_, world_.size());
    }
    /// Makes a program of this rank and calls `use(program, computation)`.
    template <class Use>
    void in_transport(const Options& options, Trace& trace, Use&& use) {
        B::require_valid(problem_, options, world_.size());
        with_transport(options.transport, world_.get(),
                       B::capacity(problem_, options, world_.size()), [&](auto& transport) {
                           using T = std::remove_cvref_t<decltype(transport)>;
                           Computation computation(B::kernels, trace);
                           typename B::template Program<T, Computation> program(
                               transport, computation, problem_, options);
                           use(program, computation);
                       });
    }
    template <class P>
    static void warm_up(P& program) {
        program.reset();
        program.begin();
        program.iterate(0);
        program.end();
    }
    /// Seconds of the part that the benchmark times, on this rank.
    template <class P>
    [[nodiscard]] double timed(P& program) const {
        const double start = now();
        program.begin();
        for (int iteration = 0; iteration < problem_.iterations; ++iteration) {
            tell(static_cast<double>(iteration) / problem_.iterations, "iterations");
            program.iterate(iteration);
        }
        program.end();
        return now() - start;
    }

    /// Predicts the way that was asked for, or all, and chooses the fastest.
    void plan() {
        tell(0, "planning");
        const std::vector<double> costs = kernel_costs();
        const ForecastRanks ranks{.ranks = world_.size(), .per_node = request_.ranks_per_node};
        if (world_.rank() == 0)
            result_.forecasts = request_.options
                                    ? std::vector{forecast_of<B>(*request_.profile, ranks, problem_,
                                                                 options(), costs)}
                                    : forecasts<B>(*request_.profile, ranks, problem_, costs);
        if (!request_.options) share_choice();
    }
    /// Seconds that an element of each kernel takes, the mean of all ranks, the same on each. The
    /// first iteration touches memory, the second one is timed.
    [[nodiscard]] std::vector<double> kernel_costs() {
        const Options simplest =
            request_.options ? options() : completed(B::candidates(problem_, world_.size())[0]);
        std::vector<double> costs;
        Trace trace;
        in_transport(simplest, trace, [&](auto& program, Computation& computation) {
            warm_up(program);
            computation.restart();
            program.begin();
            program.iterate(0);
            costs = computation.costs();
        });
        for (double& cost : costs) cost = over_ranks(cost, world_).mean;
        return costs;
    }
    /// Rank 0 tells the others what it has chosen.
    void share_choice() {
        const auto all = B::candidates(problem_, world_.size());
        std::size_t chosen = 0;
        if (world_.rank() == 0)
            while (completed(all[chosen]) != result_.forecasts.front().options) ++chosen;
        auto index = static_cast<std::uint64_t>(chosen);
        check_mpi(MPI_Bcast(&index, 1, MPI_UINT64_T, 0, world_.get()), "MPI_Bcast");
        planned_ = all[index];
    }

    void collect_phases(const Computation& computation, const Trace& trace) {
        for (std::size_t i = 0; i < activities; ++i)
            result_.phases[i] = over_ranks(trace.seconds(static_cast<Activity>(i)), world_);
        for (std::size_t kernel = 0; kernel < B::kernels.size(); ++kernel)
            result_.kernels.push_back({B::kernels[kernel].name,
                                       over_ranks(computation.seconds(kernel), world_),
                                       reduced(computation.elements(kernel), MPI_SUM, world_)});
    }

    Communicator world_;
    const Request& request_;
    Problem problem_;
    Options planned_;
    Result result_;
};

}  // namespace lapwing::nas
