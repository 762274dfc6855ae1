#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

#include "computation.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"
#include "options.hpp"
#include "result.hpp"

namespace lapwing::nas {

/// One rank's part in a benchmark, a template over its transport and its computation, so that the
/// program that runs is also the one that is recorded to be forecast. It is made with
/// `(transport, computation, problem, options)`. What is recorded is what the benchmark times:
/// `begin`, `iterate` and `end`.
template <class P>
concept Program = requires(P program, int iteration) {
    program.reset();             ///< makes the start values; not timed
    program.begin();             ///< what the benchmark times before the first iteration
    program.iterate(iteration);  ///< one iteration, from 0
    program.end();               ///< what it times after the last one
    { program.verify() } -> std::same_as<Verification>;  ///< not timed; collective
};

/// A benchmark of the NAS Parallel Benchmarks.
template <class B>
concept Benchmark = Program<typename B::template Program<TwoSided, Computation>> &&
    requires(const typename B::Problem& problem, const Options& options, int ranks) {
    { B::name } -> std::convertible_to<const char*>;
    B::kernels;  ///< an array of `Kernel`
    /// An array of `Setting`. Where one is usually `fitting`, `B::fit(options, problem, ranks)`
    /// replaces it.
    B::settings;
    /// The class of that name; `std::invalid_argument` if there is none.
    { B::problem(std::string_view()) } -> std::same_as<typename B::Problem>;
    { problem.name } -> std::convertible_to<char>;
    { problem.iterations } -> std::convertible_to<int>;
    { problem.size() } -> std::same_as<std::vector<std::size_t>>;
    { problem.operations() } -> std::same_as<double>;  ///< of a run, as the benchmark counts them
    /// Throws `std::invalid_argument` where the options do not fit the problem or the ranks.
    B::require_valid(problem, options, ranks);
    /// Bytes that the messages of a rank take, its own and those it receives.
    { B::capacity(problem, options, ranks) } -> std::same_as<std::size_t>;
    /// The ways that a plan chooses from. The first one is the simplest.
    { B::candidates(problem, ranks) } -> std::same_as<std::vector<Options>>;
};

/// The options with the usual value of each setting that they leave out.
template <class B>
[[nodiscard]] Options completed(Options options, const typename B::Problem& problem, int ranks) {
    for (std::size_t i = options.settings.size(); i < B::settings.size(); ++i)
        options.settings.push_back(B::settings[i].usual);
    if constexpr (requires { B::fit(options, problem, ranks); }) B::fit(options, problem, ranks);
    return options;
}

}  // namespace lapwing::nas
