#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../common/options.hpp"
#include "../common/program.hpp"
#include "is.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "settings.hpp"

namespace lapwing::nas::is {

/// IS as `nas::Run` runs it.
struct Benchmark {
    using Problem = is::Problem;
    template <Transport T, class Computation>
    using Program = is::Program<T, Computation>;

    static constexpr const char* name = "is";
    static constexpr const auto& kernels = is::kernels;
    static constexpr const auto& settings = is::settings;

    [[nodiscard]] static Problem problem(std::string_view letter) { return find_problem(letter); }
    /// On any number of ranks that can all have a bucket.
    static void require_valid(const Problem& problem, const Options& /*options*/, int ranks) {
        const auto most = problem.buckets();
        if (static_cast<std::size_t>(ranks) > most)
            throw std::invalid_argument(std::string("is: class ") + problem.name + " has " +
                                        std::to_string(most) + " buckets, too few for " +
                                        std::to_string(ranks) + " ranks");
    }
    [[nodiscard]] static std::size_t capacity(const Problem& problem, const Options& options,
                                              int ranks) {
        const auto all = static_cast<std::size_t>(ranks);
        const std::size_t keys = problem.keys() / all + 1 + problem.most_keys(ranks);
        std::size_t rounds = 2;  // and what remains where ranks are no power of two
        while (std::size_t{1} << rounds < all) ++rounds;
        const std::size_t sums =
            (rounds + 2) * 2 * sizeof(double) * (problem.buckets() + test_keys);
        const std::size_t sizes = rounds * (all + 1) * sizeof(std::uint32_t) *
                                  static_cast<std::size_t>(options.settings[tiles]);
        constexpr std::size_t line = 64;  // what alignment takes, at most
        return keys * sizeof(Key) + sums + sizes + line * (8 + 4 * rounds);
    }
    /// As many tiles as make messages of about 48 KB, but at least two. MPI libraries send messages
    /// of less than 64 KB at once. A longer one awaits an answer, which over TCP queues behind
    /// earlier data.
    static void fit(Options& options, const Problem& problem, int ranks) {
        constexpr std::int64_t message = 48 << 10;
        const auto all = static_cast<std::int64_t>(ranks);
        const auto bytes = static_cast<std::int64_t>(problem.keys() * sizeof(Key)) / (all * all);
        const auto set = [&](Place place, std::int64_t usual) {
            if (options.settings[place] == fitting)
                options.settings[place] = std::min(usual, settings[place].most);
        };
        set(tiles, ranks == 1 ? 1 : std::max<std::int64_t>(2, (bytes + message / 2) / message));
        set(ahead, std::max<std::int64_t>(1, options.settings[tiles] / 16));
        set(window, std::clamp<std::int64_t>(options.settings[tiles], 1, 8));
    }
    [[nodiscard]] static std::vector<Options> candidates(const Problem& problem, int ranks) {
        std::vector<Options> all{{.schedule = Schedule::blocking, .settings = {1, 1, 1}}};
        if (ranks == 1) return all;
        const std::size_t keys = problem.keys() / static_cast<std::size_t>(ranks);
        // Smaller tiles cost more than they hide: by their buckets, and in messages of half a KB.
        const std::size_t least =
            std::max(problem.buckets(), std::size_t{128} * static_cast<std::size_t>(ranks));
        const auto add = [&](std::int64_t tiles, std::int64_t ahead, std::int64_t window) {
            if (keys >= static_cast<std::size_t>(tiles) * least)
                all.push_back(
                    {.schedule = Schedule::overlapped, .settings = {tiles, ahead, window}});
        };
        for (const std::int64_t tiles : {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32})
            for (const std::int64_t ahead : {1, 2})
                for (const std::int64_t window : {2, 4})
                    if (ahead <= tiles && (window <= tiles || window == 2))
                        add(tiles, ahead, window);
        // On few ranks so many that messages are short enough to leave without an answer.
        for (const std::int64_t tiles : {64, 128, 256}) add(tiles, tiles / 16, 8);
        Options usual{.settings = {fitting, fitting, fitting}};
        fit(usual, problem, ranks);
        if (std::find(all.begin(), all.end(), usual) == all.end()) all.push_back(usual);
        return all;
    }
};

}  // namespace lapwing::nas::is
