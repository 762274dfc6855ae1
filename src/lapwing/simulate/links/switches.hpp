#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/simulate/links/path.hpp"

namespace lapwing::simulate {

/// The links between the switches of a machine, numbered from 0, and which of them a message takes.
/// A shape of network is a class with these three functions.
class Switches {
  public:
    Switches() = default;
    Switches(const Switches&) = delete;
    Switches& operator=(const Switches&) = delete;
    virtual ~Switches() = default;

    [[nodiscard]] virtual std::uint32_t links() const = 0;
    /// The number of messages that a link carries at once, each at its full rate: of parallel
    /// links, which are one here.
    [[nodiscard]] virtual std::uint32_t lanes(Link) const { return 1; }
    /// The most links that any route has.
    [[nodiscard]] virtual std::uint32_t diameter() const = 0;
    /// Appends to `links` those between the switches of two nodes of the machine, in the order in
    /// which a message passes them.
    virtual void route(std::uint32_t from, std::uint32_t to, std::vector<Link>& links) const = 0;
};

}  // namespace lapwing::simulate
