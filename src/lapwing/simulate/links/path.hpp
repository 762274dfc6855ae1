#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lapwing::simulate {

/// A one-way link, by its number.
using Link = std::uint32_t;

/// The links from a sender's node to a receiver's: one to four.
class Path {
  public:
    static constexpr std::size_t most = 4;
    /// A number for each of its links.
    using Places = std::array<std::uint32_t, most>;

    void add(Link link) { links_[count_++] = link; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] const Link* begin() const { return links_.data(); }
    [[nodiscard]] const Link* end() const { return links_.data() + count_; }

  private:
    std::array<Link, most> links_{};
    std::uint32_t count_ = 0;
};

}  // namespace lapwing::simulate
