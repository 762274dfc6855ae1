#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "lapwing/simulate/links/path.hpp"
#include "lapwing/simulate/links/switches.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing::simulate {

/// The links of any topology that a program uses: those of the nodes' interfaces and those between
/// switches. A route is found once and kept.
class Routes {
  public:
    /// The links of a route, which `Routes` keeps.
    class Path {
      public:
        using Places = std::vector<std::uint32_t>;

        Path() = default;
        explicit Path(const std::vector<Link>& links)
            : begin_(links.data()), end_(links.data() + links.size()) {}
        [[nodiscard]] bool empty() const { return begin_ == end_; }
        [[nodiscard]] const Link* begin() const { return begin_; }
        [[nodiscard]] const Link* end() const { return end_; }

      private:
        const Link* begin_ = nullptr;
        const Link* end_ = nullptr;
    };
    /// Links differ in what they carry.
    static constexpr bool uniform = false;

    /// The links that a program on `used` nodes has. Throws `std::invalid_argument` if there are
    /// fewer nodes, or if the placement does not say where to find as many.
    Routes(const Topology& topology, std::uint32_t used);

    [[nodiscard]] std::uint32_t links() const { return interfaces_ + switches_->links(); }
    [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(places_.size()); }
    /// The number of links between switches on the path.
    [[nodiscard]] std::uint32_t hops(std::uint32_t from, std::uint32_t to) const {
        return static_cast<std::uint32_t>(route(from, to).size() - 2);
    }
    /// The most links between switches that a path may have.
    [[nodiscard]] std::uint32_t most_hops() const { return switches_->diameter(); }
    [[nodiscard]] Path path(std::uint32_t from, std::uint32_t to) const {
        return Path(route(from, to));
    }

    /// The messages that a link carries at once, each at its rate.
    [[nodiscard]] std::uint32_t lanes(Link link) const {
        return link < interfaces_ ? per_node_ : switches_->lanes(link - interfaces_);
    }
    /// The bandwidth of a link for one message, in those of an interface.
    [[nodiscard]] double rate(Link link) const { return link < interfaces_ ? 1 : rate_; }
    /// The most that one message gets of any link on the path.
    [[nodiscard]] double rate(const Path& path) const {
        return path.end() - path.begin() > 2 ? std::min(1.0, rate_) : 1;
    }

  private:
    [[nodiscard]] const std::vector<Link>& route(std::uint32_t from, std::uint32_t to) const;

    std::uint32_t interfaces_;  ///< links of nodes, one each way
    std::uint32_t per_node_;
    double rate_;
    std::unique_ptr<const Switches> switches_;
    std::vector<std::uint32_t> places_;  ///< [node]: its number in the machine
    mutable std::unordered_map<std::uint64_t, std::vector<Link>>
        found_;  ///< by sender and receiver
};

}  // namespace lapwing::simulate
