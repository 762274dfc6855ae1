// The trees and butterflies that collectives go along.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/bine/bine_scatter_tree.hpp"
#include "lapwing/simulate/collectives/bine/bine_tree.hpp"
#include "lapwing/simulate/collectives/trees/binary_tree.hpp"
#include "lapwing/simulate/collectives/trees/chain_tree.hpp"
#include "lapwing/simulate/collectives/trees/in_order_binary_tree.hpp"
#include "lapwing/simulate/collectives/trees/k_nomial_tree.hpp"
#include "lapwing/simulate/collectives/trees/reversed_tree.hpp"

using namespace lapwing::simulate;

namespace {

/// Checks that all of `ranks` are in the tree, and that parents and children agree.
template <class Tree>
void check(const Tree& tree, Rank ranks) {
    std::set<Rank> reached{tree.root()};
    for (Rank rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t i = 0; i < tree.children(rank); ++i) {
            const Rank child = tree.child(rank, i);
            REQUIRE(child < ranks);
            CHECK(tree.parent(child) == rank);
            CHECK(tree.place(child) == i);
            CHECK(reached.insert(child).second);
        }
    }
    CHECK(reached.size() == ranks);
}

std::vector<Rank> children(const auto& tree, Rank rank) {
    std::vector<Rank> found;
    for (std::uint32_t i = 0; i < tree.children(rank); ++i) found.push_back(tree.child(rank, i));
    return found;
}

}  // namespace

TEST_CASE("every rank is in a tree once, and knows its place", "[simulate][collectives]") {
    for (Rank ranks = 1; ranks <= 130; ++ranks) {
        INFO(ranks << " ranks");
        check(BinaryTree{ranks}, ranks);
        check(InOrderBinaryTree(ranks), ranks);
        check(BineTree(ranks), ranks);
        check(ReversedTree<BineTree>{BineTree(ranks)}, ranks);
        for (const std::uint32_t radix : {2U, 3U, 4U, 7U, 200U})
            check(KNomialTree(ranks, radix), ranks);
        for (const std::uint32_t chains : {1U, 2U, 4U, 5U, 200U})
            check(ChainTree(ranks, chains), ranks);
    }
}

TEST_CASE("trees are those of Open MPI's pictures", "[simulate][collectives]") {
    using Ranks = std::vector<Rank>;
    // coll_base_topo.c
    CHECK(children(BinaryTree{7}, 0) == Ranks{1, 2});
    CHECK(children(BinaryTree{7}, 1) == Ranks{3, 5});
    CHECK(children(BinaryTree{7}, 2) == Ranks{4, 6});
    CHECK(children(InOrderBinaryTree(2), 1) == Ranks{0});
    CHECK(children(InOrderBinaryTree(4), 3) == Ranks{2, 1});
    CHECK(children(InOrderBinaryTree(4), 1) == Ranks{0});
    CHECK(children(InOrderBinaryTree(9), 8) == Ranks{7, 3});
    CHECK(children(InOrderBinaryTree(9), 7) == Ranks{6, 5});
    CHECK(children(InOrderBinaryTree(9), 3) == Ranks{2, 1});
    CHECK(children(InOrderBinaryTree(9), 5) == Ranks{4});
    CHECK(children(KNomialTree(10, 2), 0) == Ranks{8, 4, 2, 1});
    CHECK(children(KNomialTree(10, 3), 0) == Ranks{9, 3, 6, 1, 2});
    CHECK(children(KNomialTree(10, 4), 0) == Ranks{4, 8, 1, 2, 3});
    CHECK(children(KNomialTree(10, 4), 8) == Ranks{9});
    CHECK(children(ChainTree(10, 4), 0) == Ranks{1, 4, 6, 8});
    CHECK(children(ChainTree(10, 4), 2) == Ranks{3});
    CHECK(children(ChainTree(10, 4), 3).empty());
}

TEST_CASE("Bine partners are a third nearer than binomial ones", "[simulate][collectives]") {
    constexpr std::uint32_t levels = 7;
    constexpr Rank ranks = 1U << levels;
    const Bine bine(levels);
    // |1 - 2 + 4 - … (-2)^step|, to the other side every time.
    const std::vector<Rank> distances{1, 1, 3, 5, 11, 21, 43};
    for (std::uint32_t step = 0; step < levels; ++step) {
        for (Rank core = 0; core < ranks; ++core) {
            const Rank partner = bine.partner(core, step);
            CHECK(bine.partner(partner, step) == core);
            const Rank right = (partner - core) % ranks;
            CHECK(std::min(right, ranks - right) == distances[step]);
        }
    }
    // A tree of eight ranks.
    const BineTree tree(8);
    CHECK(children(tree, 0) == std::vector<Rank>{3, 7, 1});
    CHECK(children(tree, 3) == std::vector<Rank>{4, 2});
    CHECK(children(tree, 4) == std::vector<Rank>{5});
    CHECK(children(tree, 7) == std::vector<Rank>{6});
}

TEST_CASE("Bine groups are consecutive: round the ring, or by position",
          "[simulate][collectives]") {
    for (std::uint32_t levels = 0; levels <= 8; ++levels) {
        const Bine bine(levels);
        const Rank ranks = 1U << levels;
        std::vector<std::set<Rank>> near(ranks);  // exchanged with in the steps so far
        for (Rank core = 0; core < ranks; ++core) {
            near[core] = {core};
            CHECK(bine.core_at(bine.position(core)) == core);
        }
        for (std::uint32_t step = 0; step <= levels; ++step) {
            for (Rank core = 0; core < ranks; ++core) {
                std::set<Rank> expected;
                for (Rank i = 0; i < 1U << step; ++i)
                    expected.insert((bine.first_near(core, step) + i) % ranks);
                CHECK(near[core] == expected);
                if (step == levels) continue;
                // Partners are of one group, in different halves of it.
                const std::uint32_t half = levels - step - 1;
                const Rank differ = bine.position(core) ^ bine.position(bine.partner(core, step));
                CHECK(differ >> half == 1);
            }
            if (step == levels) continue;
            auto next = near;
            for (Rank core = 0; core < ranks; ++core)
                next[core].insert(near[bine.partner(core, step)].begin(),
                                  near[bine.partner(core, step)].end());
            near = next;
        }
    }
}

TEST_CASE("the blocks of a Bine subtree are consecutive", "[simulate][collectives]") {
    for (Rank ranks = 1; ranks <= 70; ++ranks) {
        const BineTree tree(ranks);
        const BineScatterTree scatter(ranks);
        std::vector<std::uint64_t> below(ranks, 1);
        for (Rank rank = 0; rank < ranks; ++rank) {
            std::uint64_t sum = 1;
            for (const Rank child : children(tree, rank)) sum += tree.subtree(child).count;
            CHECK(tree.subtree(rank).count == sum);
            if (scatter.idle(rank)) continue;
            sum = 1;
            for (const Rank child : children(scatter, rank)) {
                CHECK(scatter.parent(child) == rank);
                sum += scatter.subtree(child).count;
            }
            CHECK(scatter.subtree(rank).count == sum);
        }
    }
}
