#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "border.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/paired_sends.hpp"
#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/transport.hpp"
#include "point.hpp"

namespace lapwing::triangulation {

/// The strips beside this one: the one behind first, then the one before. Every message from one is
/// followed by one to the other, at the ends to the same.
[[nodiscard]] PeerSequence strips_beside(int rank, int ranks);

/// Sends the strips beside this one the points near to them, and receives theirs.
template <Transport T>
class BorderExchange {
  public:
    /// `own`: this rank's points, in lexicographic order. `border`: points for each neighbour. At
    /// least two ranks.
    BorderExchange(T& transport, std::span<const Point> own, std::uint64_t border, int rank,
                   int ranks)
        : transport_(transport),
          sequence_(strips_beside(rank, ranks)),
          border_(border),
          out_(memory_for(transport, bytes())),
          in_(memory_for(transport, bytes())) {
        for (std::size_t place = 0; place < sequence_.to.size(); ++place)
            copy_border(own, sequence_.to[place].front() < rank,
                        points(out_).subspan(place * border, border));
    }

    /// Receives all, then calls `compute()` and `insert(points)`.
    template <class Compute, class Insert>
    void blocking(Plan plan, Trace& trace, Compute&& compute, Insert&& insert) {
        plan.messages = Messages::uniform(part(), part(), sizeof(Point));
        plan.window = static_cast<int>(sequence_.from.size());
        run(
            plan, trace, [] {}, [](std::span<const Point>) {});
        compute();
        const Traced traced(trace, Activity::consumption);
        for (std::size_t place = 0; place < sequence_.from.size(); ++place)
            insert(points(in_).subspan(place * border_, border_));
    }
    /// Calls `compute()` while messages travel, then `insert(points)` for each as it arrives.
    template <class Compute, class Insert>
    void overlapped(const Plan& plan, Trace& trace, Compute&& compute, Insert&& insert) {
        run(plan, trace, compute, insert);
    }

    /// Bytes that a transport has to have memory for.
    [[nodiscard]] static std::size_t capacity(std::uint64_t border) {
        constexpr std::size_t areas = 4;  // two neighbours, to and from
        constexpr std::size_t alignment = 64;
        return areas * (border * sizeof(Point) + alignment);
    }

  private:
    [[nodiscard]] std::uint64_t part() const { return border_ * sizeof(Point); }
    [[nodiscard]] std::size_t bytes() const { return sequence_.from.size() * part(); }
    template <class Memory>
    [[nodiscard]] std::span<Point> points(Memory& memory) const {
        return {reinterpret_cast<Point*>(memory.data()), bytes() / sizeof(Point)};
    }

    template <class Compute, class Insert>
    void run(const Plan& plan, Trace& trace, Compute&& compute, Insert&& insert) {
        PairedSends<T> both(transport_, sequence_, out_.data(), part());
        const Sources sources{both, sequence_.from, points(in_), plan.order};
        {
            auto pieces = multi<Point>(sources, plan, trace);
            compute();
            pieces.for_each([&](const PeerPiece<Point>& piece) { insert(piece.data); });
        }
        both.finish();
    }

    T& transport_;
    PeerSequence sequence_;
    std::uint64_t border_;
    decltype(memory_for(std::declval<T&>(), 0)) out_;
    decltype(memory_for(std::declval<T&>(), 0)) in_;
};

}  // namespace lapwing::triangulation
