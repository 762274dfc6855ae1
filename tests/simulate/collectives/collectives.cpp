#include "lapwing/simulate/collectives/make_collective.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/simulate/program/unroll.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "simulate/collectives/skeleton.hpp"
#include "support/sanitized.hpp"

using namespace lapwing::simulate;

namespace {

/// The ranks that have contributed to a block, a bit each.
using Contributors = std::uint64_t;

Contributors everyone(Rank ranks) { return (Contributors{1} << ranks) - 1; }

/// The contributions that each rank has of each block.
class Data {
  public:
    Data(const Collective& collective, std::string operation)
        : ranks_(collective.ranks()),
          operation_(std::move(operation)),
          have_(ranks_, std::vector<Contributors>(collective.parts().count())) {
        for (Rank rank = 0; rank < ranks_; ++rank)
            for (std::uint64_t block = 0; block < have_[rank].size(); ++block)
                if (starts_with(rank, block)) have_[rank][block] = Contributors{1} << rank;
    }

    std::vector<Contributors>& operator[](Rank rank) { return have_[rank]; }

    /// Whether the operation has done what it promises.
    [[nodiscard]] bool done() const {
        for (Rank rank = 0; rank < ranks_; ++rank)
            for (std::uint64_t block = 0; block < have_[rank].size(); ++block)
                if (promised(rank, block) != 0 && have_[rank][block] != promised(rank, block))
                    return false;
        return true;
    }

  private:
    [[nodiscard]] bool is(const char* begin) const { return operation_.rfind(begin, 0) == 0; }

    [[nodiscard]] bool starts_with(Rank rank, std::uint64_t block) const {
        if (operation_ == "bcast" || is("scatter")) return rank == 0;
        if (is("gather") || operation_ == "allgather") return block == rank;
        if (operation_ == "alltoall") return block / ranks_ == rank;
        return true;  // reductions and barriers
    }
    /// The contributions that a rank must have in the end; none: any will do.
    [[nodiscard]] Contributors promised(Rank rank, std::uint64_t block) const {
        const Contributors all = everyone(ranks_);
        if (operation_ == "barrier" || operation_ == "allreduce") return all;
        if (operation_ == "reduce") return rank == 0 ? all : 0;
        if (operation_ == "reduce_scatter") return block == rank ? all : 0;
        if (operation_ == "bcast") return 1;
        if (is("scatter")) return block == rank ? 1 : 0;
        if (operation_ == "allgather") return Contributors{1} << block;
        if (is("gather")) return rank == 0 ? Contributors{1} << block : 0;
        REQUIRE(operation_ == "alltoall");
        return block % ranks_ == rank ? Contributors{1} << (block / ranks_) : 0;
    }

    Rank ranks_;
    std::string operation_;
    std::vector<std::vector<Contributors>> have_;
};

/// Executes a collective on data: a rank's step begins when the step before has ended, its sends
/// carry what the rank has then, and it ends when all its messages have arrived.
class Execution {
  public:
    Execution(const Collective& collective, const std::string& operation)
        : collective_(collective), data_(collective, operation), step_(collective.ranks()) {}

    [[nodiscard]] bool run() {
        for (Rank rank = 0; rank < collective_.ranks(); ++rank) begin(rank);
        for (bool progress = true; progress;) {
            progress = false;
            for (Rank rank = 0; rank < collective_.ranks(); ++rank) {
                while (step_[rank] < collective_.steps(rank) && end(rank)) {
                    ++step_[rank];
                    begin(rank);
                    progress = true;
                }
            }
        }
        for (Rank rank = 0; rank < collective_.ranks(); ++rank)
            if (step_[rank] != collective_.steps(rank)) return false;
        return mail_.empty() && data_.done();
    }

  private:
    struct Message {
        std::vector<std::pair<std::uint64_t, Contributors>> blocks;
        std::uint64_t bytes;
        Effect effect;
    };
    struct Address {
        Rank to;
        std::uint32_t step;
        Rank from;
        auto operator<=>(const Address&) const = default;
    };

    void begin(Rank rank) {
        const std::uint32_t k = step_[rank];
        if (k == collective_.steps(rank)) return;
        for (std::uint32_t i = 0; i < collective_.step(rank, k).sends; ++i) {
            const Transfer transfer = collective_.sent(rank, k, i);
            const Send send = collective_.send(rank, k, i);
            REQUIRE(send.to < collective_.ranks());
            REQUIRE(send.to != rank);
            Message message{{}, send.bytes, transfer.effect};
            std::uint64_t bytes = 0;
            for (const auto block : collective_.blocks(rank, k, i)) {
                bytes += collective_.parts().bytes(block, 1);
                // No rank sends a block that it does not have.
                REQUIRE(data_[rank][block] != 0);
                message.blocks.emplace_back(block, data_[rank][block]);
            }
            REQUIRE(bytes == send.bytes);
            mail_[{send.to, send.key, rank}].push_back(message);
        }
    }

    bool end(Rank rank) {
        const std::uint32_t k = step_[rank];
        const std::uint32_t receives = collective_.step(rank, k).receives;
        std::map<Rank, std::size_t> awaited;
        for (std::uint32_t i = 0; i < receives; ++i)
            ++awaited[collective_.receive(rank, k, i).from];
        for (const auto& [from, count] : awaited) {
            const auto found = mail_.find({rank, k, from});
            if (found == mail_.end() || found->second.size() < count) return false;
        }
        for (std::uint32_t i = 0; i < receives; ++i) {
            const Receive receive = collective_.receive(rank, k, i);
            const auto found = mail_.find({rank, k, receive.from});
            const Message message = found->second.front();
            found->second.pop_front();
            if (found->second.empty()) mail_.erase(found);
            REQUIRE(message.bytes == receive.bytes);
            for (const auto& [block, contributors] : message.blocks)
                apply(data_[rank][block], contributors, message.effect);
        }
        return true;
    }

    static void apply(Contributors& have, Contributors contributors, Effect effect) {
        if (effect == Effect::replace) {
            have = contributors;
            return;
        }
        // Adding a contribution twice would make a wrong sum.
        if (effect == Effect::combine) REQUIRE((have & contributors) == 0);
        have |= contributors;
    }

    const Collective& collective_;
    Data data_;
    std::vector<std::uint32_t> step_;
    std::map<Address, std::deque<Message>> mail_;  ///< messages of a pair are in order
};

/// What a chosen collective is to do with its blocks. Here each rank combines them in the end.
std::string moved(const CollectiveChoice& choice) {
    return choice.algorithm == "allgather-reduce" ? "allgather" : choice.operation;
}

bool has_radix(const std::string& algorithm) {
    return algorithm.rfind("k-", 0) == 0 || algorithm == "chains";
}

/// Every algorithm, with one number of ranks and a size.
template <class Test>
void for_each_algorithm(Rank ranks, std::uint64_t size, std::uint32_t radix, Test&& test) {
    for (const auto& operation : collective_operations()) {
        for (const auto& algorithm : collective_algorithms(operation)) {
            CollectiveChoice choice{.operation = operation,
                                    .algorithm = algorithm,
                                    .ranks = ranks,
                                    .size = size,
                                    .segment = 300,
                                    .window = 5,
                                    .radix = radix};
            if (operation == "gatherv" || operation == "scatterv")
                for (Rank rank = 0; rank < ranks; ++rank)
                    choice.sizes.push_back(size + 7 * (rank % 5));
            INFO(operation << " " << algorithm << ", P = " << ranks << ", " << size << " bytes");
            test(choice, *make_collective(choice));
        }
    }
}

}  // namespace

TEST_CASE("every collective moves the data it is to move", "[simulate][collectives]") {
    const Rank most = lapwing::test::sanitized ? 13 : 33;
    for (Rank ranks = 1; ranks <= most; ++ranks) {
        for (const std::uint64_t size : {1U, 1000U}) {
            for (const std::uint32_t radix : {2U, 3U, 4U, 40U}) {
                const auto check = [&](const CollectiveChoice& choice, const auto& made) {
                    if (radix != default_radix && !has_radix(choice.algorithm)) return;
                    CHECK(Execution(made, moved(choice)).run());
                };
                for_each_algorithm(ranks, size, radix, check);
            }
        }
    }
}

TEST_CASE("the collective of CONTRIBUTING.md moves the data it is to move",
          "[simulate][collectives]") {
    for (Rank ranks = 1; ranks <= 33; ++ranks) {
        const AllgatherBackwards made(ranks, Parts::equal(1000, ranks));
        CHECK(Execution(made, "allgather").run());
    }
}

TEST_CASE("a generated schedule and the same written out end at the same tick",
          "[simulate][collectives]") {
    for (const Rank ranks : {1U, 2U, 3U, 4U, 7U, 8U, 13U, 16U, 29U, 40U}) {
        if (lapwing::test::sanitized && ranks > 13) break;
        for (const auto& machine :
             {LogGOPS{2500, 1500, 1000, 6, 0, 65535}, LogGOPS{600, 400, 2000, 1, 1, 4096},
              LogGOPS{10, 100, 100, 1, 0, 0}}) {
            for (const std::uint64_t size : {1U, 3000U, 70000U}) {
                for_each_algorithm(ranks, size, 3, [&](const CollectiveChoice&, const auto& made) {
                    const Result generated = simulate(made, machine);
                    const Result written = simulate(unroll(made), machine);
                    CHECK(generated.finish == written.finish);
                    CHECK(generated.rank_finish == written.rank_finish);
                    CHECK(generated.events == written.events);
                });
            }
        }
    }
}

TEST_CASE("collectives cost what their closed forms say", "[simulate][collectives]") {
    const LogGOPS machine{5000, 1500, 1000, 2, 0, 1'000'000'000};
    const Time L = machine.L;
    const Time o = machine.o;
    const Time G = machine.G;
    const auto finish = [&](const char* operation, const char* algorithm, Rank ranks,
                            std::uint64_t size) {
        const CollectiveChoice choice{
            .operation = operation, .algorithm = algorithm, .ranks = ranks, .size = size};
        return simulate(*make_collective(choice), machine).finish;
    };
    // A message takes o + L + o + (m - 1) G.
    const auto message = [&](Time size) { return L + 2 * o + (size - 1) * G; };
    CHECK(finish("bcast", "binomial", 2, 1000) == message(1000));
    CHECK(finish("bcast", "binomial", 64, 1) == 6 * message(1));
    CHECK(finish("bcast", "chain", 17, 1000) == 16 * message(1000));
    CHECK(finish("barrier", "dissemination", 1024, 1) == 10 * message(1));
    CHECK(finish("barrier", "dissemination", 1000, 1) == 10 * message(1));
    CHECK(finish("allgather", "ring", 9, 1000) == 8 * message(1000));
    CHECK(finish("alltoall", "pairwise", 16, 1000) == 15 * message(1000));
    CHECK(finish("allreduce", "rabenseifner", 8, 8000) ==
          2 * (message(4000) + message(2000) + message(1000)));
    // The sends start o apart; the last message arrives and is received.
    CHECK(finish("bcast", "linear", 10, 1) == 8 * o + message(1));
}

TEST_CASE("a wrong choice is refused, and the names that exist are listed",
          "[simulate][collectives]") {
    using Catch::Contains;
    CHECK_THROWS_WITH(make_collective({.operation = "alltoal", .algorithm = "ring", .ranks = 2}),
                      Contains("unknown collective 'alltoal', did you mean 'alltoall'?"));
    CHECK_THROWS_WITH(make_collective({.operation = "alltoall", .algorithm = "brook", .ranks = 2}),
                      Contains("unknown algorithm for alltoall 'brook', did you mean 'bruck'?"));
    CHECK_THROWS_WITH(make_collective({.operation = "bcast", .algorithm = "linear", .ranks = 0}),
                      Contains("there must be a rank"));
    CHECK_THROWS_WITH(
        make_collective(
            {.operation = "gatherv", .algorithm = "linear", .ranks = 3, .sizes = {1, 2}}),
        Contains("2 sizes for 3 ranks"));
}
