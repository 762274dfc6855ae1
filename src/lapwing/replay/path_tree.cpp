#include "lapwing/replay/path_tree.hpp"

#include <algorithm>
#include <utility>

namespace lapwing::replay {
namespace {

void add(PathShare& sum, const PathShare& share) {
    sum.overhead += share.overhead;
    sum.flight += share.flight;
    sum.overheads += share.overheads;
    sum.latencies += share.latencies;
    sum.gaps += share.gaps;
}

}  // namespace

void PathTree::add_to(Shares& shares, std::uint32_t site, const PathShare& share) {
    // The site is most often one of the latest.
    const auto known = std::find_if(shares.rbegin(), shares.rend(),
                                    [&](const auto& each) { return each.first == site; });
    if (known != shares.rend()) return replay::add(known->second, share);
    shares.emplace_back(site, share);
}

PathTree::Node& PathTree::own(End& end) {
    if (!end.tree_) {
        end.tree_ = this;
        end.node_ = make(none);
    } else if (const Node& node = nodes_[end.node_]; node.ends > 1 || node.children > 0) {
        const std::uint32_t before = end.node_;
        end.node_ = make(before);
        release(before);
    }
    return nodes_[end.node_];
}

/// Makes a node with one end, and a child of `parent`, if there is one.
std::uint32_t PathTree::make(std::uint32_t parent) {
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(nodes_.size()));
        nodes_.emplace_back();
    }
    const std::uint32_t made = free_.back();
    free_.pop_back();
    nodes_[made].parent = parent;
    nodes_[made].ends = 1;
    if (parent != none) {
        ++nodes_[parent].children;
        nodes_[parent].mixed ^= made;
    }
    return made;
}

/// An end leaves a node.
void PathTree::release(std::uint32_t node) {
    --nodes_[node].ends;
    tidy(node);
}

/// Removes a node that is not needed any more, and makes its parent look likewise.
void PathTree::tidy(std::uint32_t node) {
    while (nodes_[node].ends == 0) {
        if (nodes_[node].children > 1) return;
        if (nodes_[node].children == 1) return merge_into_child(node);
        const std::uint32_t parent = nodes_[node].parent;
        free(node);
        if (parent == none) return;
        --nodes_[parent].children;
        nodes_[parent].mixed ^= node;
        node = parent;
    }
}

/// The only child of a node takes over its sum and its place.
void PathTree::merge_into_child(std::uint32_t node) {
    const std::uint32_t child = nodes_[node].mixed;
    Node& into = nodes_[child];
    Node& from = nodes_[node];
    into.computed += from.computed;
    if (from.shares.size() > into.shares.size()) from.shares.swap(into.shares);
    for (const auto& [site, share] : from.shares) add_to(into.shares, site, share);
    into.parent = from.parent;
    if (into.parent != none) nodes_[into.parent].mixed ^= node ^ child;
    free(node);
}

void PathTree::free(std::uint32_t node) {
    Shares shares = std::move(nodes_[node].shares);
    shares.clear();  // keeps its room
    nodes_[node] = {.shares = std::move(shares)};
    free_.push_back(node);
}

PathTree::Sum PathTree::sum(const End& end, std::size_t sites) const {
    Sum sum{.computed = 0, .sites = std::vector<PathShare>(sites)};
    std::uint32_t node = end.tree_ ? end.node_ : none;
    for (; node != none; node = nodes_[node].parent) {
        sum.computed += nodes_[node].computed;
        for (const auto& [site, share] : nodes_[node].shares)
            if (site < sites) replay::add(sum.sites[site], share);
    }
    return sum;
}

}  // namespace lapwing::replay
