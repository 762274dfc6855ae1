#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/collectives/allreduce_rounds.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// One round of an `Allreduce`, and its messages.
template <Transport T>
struct AllreduceStage : allreduce_rounds::Round {
    using Message = typename T::Request;

    /// `most`: bytes of the largest sum.
    AllreduceStage(allreduce_rounds::Round round, T& transport, std::size_t most)
        : Round(std::move(round)),
          bytes(most),
          parts(memory_for(transport, ranks.size() * most)),
          outgoing(ranks.size()),
          incoming(ranks.size()) {}

    /// Initiates the receives of a sum of `size` bytes.
    void expect(T& transport, std::size_t size, int tag) {
        found = receives ? 0 : ranks.size() - 1;
        for (std::size_t i = found + 1; i < ranks.size(); ++i) {
            const std::size_t place = before(i);
            incoming[place] = transport.receive(part(place), size, ranks[place], tag);
        }
    }
    /// Initiates the sends of this rank's part.
    void begin(T& transport, std::span<const double> sum, int tag) {
        if (!sum.empty()) std::memcpy(part(own), sum.data(), sum.size_bytes());
        left = sends ? 0 : ranks.size() - 1;
        for (std::size_t i = left + 1; i < ranks.size(); ++i) {
            const std::size_t place = after(i);
            outgoing[place] = transport.send(part(own), sum.size_bytes(), ranks[place], tag);
        }
    }
    /// Whether all receives are complete. `done(request)`: whether one message is.
    template <class Done>
    bool arrived(Done&& done) {
        for (; found + 1 < ranks.size(); ++found)
            if (!done(incoming[before(found + 1)])) return false;
        return true;
    }
    /// Whether all sends are complete.
    template <class Done>
    bool sent(Done&& done) {
        for (; left + 1 < ranks.size(); ++left)
            if (!done(outgoing[after(left + 1)])) return false;
        return true;
    }
    /// Adds up what has arrived.
    void end(std::span<double> sum) {
        if (!receives) return;
        const auto numbers = [&](std::size_t place) {
            return reinterpret_cast<const double*>(part(place));
        };
        std::copy_n(numbers(adds ? 0 : 1 - own), sum.size(), sum.data());
        for (std::size_t place = 1; adds && place < ranks.size(); ++place)
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += numbers(place)[i];
    }

    std::size_t found = 0;  ///< receives, in their order, that are known to be complete
    double first_look = 0;  ///< seconds from its beginning to the first look for messages

  private:
    [[nodiscard]] std::byte* part(std::size_t place) { return parts.data() + place * bytes; }
    /// Everyone sends to the ranks behind it in turn, so that no two send to the same one first.
    [[nodiscard]] std::size_t after(std::size_t distance) const {
        return (own + distance) % ranks.size();
    }
    [[nodiscard]] std::size_t before(std::size_t distance) const {
        return (own + ranks.size() - distance) % ranks.size();
    }

    std::size_t bytes;                                  ///< room for a part
    decltype(memory_for(std::declval<T&>(), 0)) parts;  ///< by place; the own one is sent
    std::vector<Message> outgoing;
    std::vector<Message> incoming;
    std::size_t left = 0;  ///< sends, in their order, that are known to be complete
};

}  // namespace lapwing
