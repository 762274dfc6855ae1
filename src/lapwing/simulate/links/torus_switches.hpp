#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/profile/interconnect.hpp"
#include "lapwing/simulate/links/switches.hpp"

namespace lapwing::simulate {

/// A torus or a mesh. A switch has a link in each direction of each dimension. Messages go along
/// the first dimension first, then along the second, and so on, each the shorter way round. Where
/// both are equally long, every other node of a line's half sends up, those between send down. All
/// links of a line then carry equally much.
class TorusSwitches final : public Switches {
  public:
    explicit TorusSwitches(Torus torus) : torus_(std::move(torus)) {
        for (const std::uint32_t length : torus_.dimensions) nodes_ *= length;
    }

    [[nodiscard]] std::uint32_t links() const override { return nodes_ * directions(); }
    [[nodiscard]] std::uint32_t diameter() const override {
        std::uint32_t sum = 0;
        for (const std::uint32_t length : torus_.dimensions)
            sum += torus_.wraps ? length / 2 : length - 1;
        return sum;
    }
    void route(std::uint32_t from, std::uint32_t to, std::vector<Link>& links) const override {
        std::uint32_t below = 1;  // nodes of all dimensions before this one
        for (std::size_t d = 0; d < torus_.dimensions.size(); ++d) {
            const std::uint32_t length = torus_.dimensions[d];
            std::uint32_t at = from / below % length;
            const std::uint32_t target = to / below % length;
            const bool up = goes_up(at, target, length);
            const auto direction = static_cast<std::uint32_t>(2 * d + (up ? 0 : 1));
            while (at != target) {
                links.push_back(from * directions() + direction);
                const std::uint32_t next = (at + (up ? 1 : length - 1)) % length;
                from = from - at * below + next * below;
                at = next;
            }
            below *= length;
        }
    }

  private:
    [[nodiscard]] std::uint32_t directions() const {
        return static_cast<std::uint32_t>(2 * torus_.dimensions.size());
    }
    [[nodiscard]] bool goes_up(std::uint32_t at, std::uint32_t to, std::uint32_t length) const {
        if (!torus_.wraps) return to > at;
        const std::uint32_t above = (to + length - at) % length;
        return 2 * above == length ? at % above % 2 == 0 : 2 * above < length;
    }

    Torus torus_;
    std::uint32_t nodes_ = 1;
};

}  // namespace lapwing::simulate
