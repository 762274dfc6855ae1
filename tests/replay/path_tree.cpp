#include "lapwing/replay/path_tree.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

using lapwing::replay::PathTree;

TEST_CASE("path tree: copies of a path go on by themselves") {
    PathTree tree;
    PathTree::End first;
    tree.compute(first, 5);
    tree.add(first, 1, {.flight = 10, .latencies = 1});
    PathTree::End second = first;
    tree.add(second, 1, {.flight = 20, .latencies = 1});
    tree.add(second, 0, {.overhead = 3, .overheads = 1});
    tree.compute(first, 2);
    CHECK(tree.sum(first, 2).computed == 7);
    CHECK(tree.sum(first, 2).sites[1].flight == 10);
    CHECK(tree.sum(second, 2).computed == 5);
    CHECK(tree.sum(second, 2).sites[1].flight == 30);
    CHECK(tree.sum(second, 2).sites[1].latencies == 2);
    CHECK(tree.sum(second, 2).sites[0].overhead == 3);
    CHECK(tree.sum(PathTree::End(), 2).computed == 0);
}

TEST_CASE("path tree: sums are those of whole paths, in memory for the ends alone") {
    constexpr std::size_t ends = 12;
    PathTree tree;
    std::vector<PathTree::End> paths(ends);
    std::vector<std::map<std::uint32_t, double>> whole(ends);
    std::mt19937 random(1);
    const auto any = [&](std::size_t below) { return random() % below; };
    for (int i = 0; i < 100000; ++i) {
        const std::size_t end = any(ends);
        if (any(3) == 0) {
            const std::size_t from = any(ends);
            paths[end] = paths[from];
            whole[end] = whole[from];
        }
        const auto site = static_cast<std::uint32_t>(any(5));
        tree.add(paths[end], site, {.flight = 1.0 + static_cast<double>(site)});
        whole[end][site] += 1.0 + site;
    }
    for (std::size_t end = 0; end < ends; ++end) {
        const auto sum = tree.sum(paths[end], 5);
        for (std::uint32_t site = 0; site < 5; ++site)
            CHECK(sum.sites[site].flight == whole[end][site]);
    }
    CHECK(tree.most_nodes() <= 2 * (ends + 1));
}
