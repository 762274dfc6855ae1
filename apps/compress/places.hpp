#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/collectives/gather_varying.hpp"

namespace lapwing::compress {

/// Precedes the content of each place in a message.
struct PlaceHead {
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
};

/// Appends place `number` to `message`; `fill()` appends the content.
template <class Fill>
void append_place(std::vector<std::byte>& message, std::uint64_t number, Fill&& fill) {
    const std::size_t begin = message.size();
    message.resize(begin + sizeof(PlaceHead));
    fill();
    const PlaceHead head{.number = number, .bytes = message.size() - begin - sizeof(PlaceHead)};
    std::memcpy(message.data() + begin, &head, sizeof head);
}

/// Calls `use(content)` for each place that a gather has collected, in the order of their numbers,
/// whoever filled them. At the root alone.
template <class Use>
void for_each_place(const GatherVarying::Request& request, Use&& use) {
    std::vector<std::pair<std::uint64_t, std::span<const std::byte>>> places;
    request.for_each_arrived([&](std::span<const std::byte> part) {
        while (!part.empty()) {
            PlaceHead head;
            std::memcpy(&head, part.data(), sizeof head);
            part = part.subspan(sizeof head);
            places.emplace_back(head.number, part.first(head.bytes));
            part = part.subspan(head.bytes);
        }
    });
    std::ranges::sort(places, {}, [](const auto& place) { return place.first; });
    for (const auto& [number, content] : places) use(content);
}

}  // namespace lapwing::compress
