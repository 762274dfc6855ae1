#include "lapwing/pipeline/collectives/allreduce_rounds.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "support/random.hpp"

using lapwing::allreduce_rounds::Round;
using lapwing::test::Random;

namespace {

/// The rounds of all ranks, run in memory.
class Played {
  public:
    Played(int ranks, const lapwing::model::recursive_multiplying::Groups& groups,
           std::vector<double> parts)
        : sums(std::move(parts)) {
        std::vector<std::vector<Round>> rounds;
        rounds.reserve(sums.size());
        for (int rank = 0; rank < ranks; ++rank)
            rounds.push_back(lapwing::allreduce_rounds::rounds(rank, ranks, groups));
        std::vector<std::size_t> next(sums.size());
        std::vector<bool> sent(sums.size());
        for (bool moves = true; moves;) {
            moves = false;
            for (int rank = 0; rank < ranks; ++rank) {
                const auto r = static_cast<std::size_t>(rank);
                if (next[r] == rounds[r].size()) continue;
                const Round& round = rounds[r][next[r]];
                if (!sent[r]) send(rank, round);
                sent[r] = true;
                if (!receive(rank, round)) continue;
                sent[r] = false;
                ++next[r];
                moves = true;
            }
        }
        for (std::size_t r = 0; r < sums.size(); ++r) ended = ended && next[r] == rounds[r].size();
    }

    std::vector<double> sums;
    bool ended = true;
    bool twice = false;  ///< two messages went from one rank to the same other
    std::map<std::pair<int, int>, double> under_way;

  private:
    void send(int rank, const Round& round) {
        for (const int other : round.ranks) {
            if (!round.sends || other == rank) continue;
            twice = twice || !pairs_.emplace(rank, other).second;
            under_way[{rank, other}] = sums[static_cast<std::size_t>(rank)];
        }
    }
    bool receive(int rank, const Round& round) {
        if (!round.receives) return true;
        for (const int other : round.ranks)
            if (other != rank && under_way.count({other, rank}) == 0) return false;
        const auto r = static_cast<std::size_t>(rank);
        std::vector<double> parts;
        for (const int other : round.ranks) {
            parts.push_back(other == rank ? sums[r] : under_way[{other, rank}]);
            under_way.erase({other, rank});
        }
        CHECK(round.ranks[round.own] == rank);
        sums[r] = round.adds ? std::accumulate(parts.begin() + 1, parts.end(), parts.front())
                             : parts[1 - round.own];
        return true;
    }

    std::set<std::pair<int, int>> pairs_;
};

}  // namespace

TEST_CASE("every rank gets every part once, and the same bits as all others", "[pipeline]") {
    Random random(21);
    const auto check = [&](int ranks, const lapwing::model::recursive_multiplying::Groups& groups) {
        // Fractions show an order of additions that differs; powers show a part that is lost or
        // added twice.
        std::vector<double> parts(static_cast<std::size_t>(ranks));
        for (double& part : parts) part = random.uniform(-1, 1);
        const Played fractions(ranks, groups, parts);
        CHECK(fractions.ended);
        CHECK_FALSE(fractions.twice);
        CHECK(fractions.under_way.empty());
        bool same = true;
        for (const double sum : fractions.sums) same = same && sum == fractions.sums.front();
        CHECK(same);
        for (std::size_t rank = 0; rank < parts.size(); ++rank)
            parts[rank] = std::ldexp(1.0, static_cast<int>(rank));
        CHECK(Played(ranks, groups, parts).sums.front() == std::ldexp(1.0, ranks) - 1);
    };
    for (int ranks = 1; ranks <= 17; ++ranks) {
        lapwing::model::recursive_multiplying::Groups none;
        lapwing::model::recursive_multiplying::each_groups(
            ranks, ranks, none, [&](const auto& groups) { check(ranks, groups); });
    }
}
