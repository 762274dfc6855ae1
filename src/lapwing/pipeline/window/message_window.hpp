#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing {

/// For messages about which nothing need be remembered while they are in flight.
struct NoAttachment {};

/// The messages in flight, oldest first, at most `window` of them. Each has an `Attachment` from
/// before it is initiated until it is complete: its buffer, or where it goes. The requests'
/// destructors await all that is in flight at the end.
template <class Request, class Attachment = NoAttachment, Records Recorder = const NoTrace>
class MessageWindow {
  public:
    /// `window`: 1 or more; `std::invalid_argument` otherwise. `poll_interval`: seconds between
    /// looks at the messages by `lapwing::poll()`; 0: none. `recorder`: a `Trace`, or nothing.
    MessageWindow(int window, double poll_interval, Recorder& recorder = no_trace)
        : slots_(new Slot[checked(window)]),
          end_(slots_.get() + window),
          next_(slots_.get()),
          window_(static_cast<std::size_t>(window)),
          recorder_(recorder),
          poller_(
              poll_interval, [](void* object) { static_cast<MessageWindow*>(object)->progress(); },
              this) {}

    [[nodiscard]] bool full() const { return under_way_ == window_; }
    [[nodiscard]] bool empty() const { return under_way_ == 0; }
    [[nodiscard]] std::size_t under_way() const { return under_way_; }
    /// The attachment of the next message. Not while `full()`.
    [[nodiscard]] Attachment& next_attachment() { return next_->attachment; }

    /// Waits for the oldest message if the window is full, and calls `completed(attachment,
    /// request)`.
    template <class Completed>
    void make_room(Completed&& completed) {
        if (full()) complete(*next_, completed);  // the next slot is that of the oldest
    }
    void make_room() { make_room(nothing); }
    /// Adds a message that has just been initiated. Not while `full()`.
    void push(Request request) {
        Slot& slot = *next_;
        slot.request = std::move(request);
        go_on_behind(slot);
        ++under_way_;
    }
    /// Adds the message that `initiate()` returns. Its request is made in place, not moved. Not
    /// while `full()`.
    template <class Initiate>
    void launch(Initiate&& initiate) {
        put(*next_, initiate);
        ++under_way_;
    }
    /// Waits for the oldest message, calls `completed(attachment, request)`, and adds the message
    /// that `initiate(attachment)` returns. Only while `full()`. Should `initiate` throw, an empty
    /// request is in flight.
    template <class Completed, class Initiate>
    void replace_oldest(Completed&& completed, Initiate&& initiate) {
        Slot& slot = *next_;
        wait(slot);
        if (found_ > 0) --found_;
        completed(slot.attachment, slot.request);
        put(slot, [&] { return initiate(slot.attachment); });
    }
    /// Returns when the oldest message is complete, and calls `completed(attachment, request)`. Not
    /// while `empty()`.
    template <class Completed>
    void wait_oldest(Completed&& completed) {
        complete(oldest(), completed);
    }
    void wait_oldest() { wait_oldest(nothing); }
    /// The same for all messages, oldest first.
    template <class Completed>
    void drain(Completed&& completed) {
        while (!empty()) wait_oldest(completed);
    }
    void drain() { drain(nothing); }

    /// Lets the transport progress: tests the oldest message that has not been found complete. One
    /// that is complete would not do: asked for that, an MPI does nothing about the others.
    void progress() {
        if (found_ == under_way_) return;
        const Traced traced(recorder_, Activity::poll);
        while (found_ < under_way_ && after_oldest(found_).request.test()) ++found_;
    }

  private:
    struct Slot {
        Attachment attachment;  // destroyed after the request: the message may be read from it
        Request request;
    };
    static constexpr auto nothing = [](Attachment&, Request&) {};

    static std::size_t checked(int window) {
        if (window < 1) throw std::invalid_argument("a window holds at least one message");
        return static_cast<std::size_t>(window);
    }
    void wait(Slot& slot) {
        const Traced traced(recorder_, Activity::wait);
        slot.request.wait();
    }
    template <class Completed>
    void complete(Slot& slot, Completed&& completed) {
        wait(slot);
        --under_way_;
        if (found_ > 0) --found_;
        completed(slot.attachment, slot.request);
    }
    /// Initiates a message in a slot whose message is complete.
    template <class Initiate>
    void put(Slot& slot, Initiate&& initiate) {
        Request* const request = &slot.request;
        std::destroy_at(request);
        try {
            const Traced traced(recorder_, Activity::initiation);
            // The analyzer does not know how many slots there are.
            // NOLINTNEXTLINE(clang-analyzer-cplusplus.PlacementNew)
            ::new (static_cast<void*>(request)) Request(initiate());
        } catch (...) {
            ::new (static_cast<void*>(request)) Request();
            throw;
        }
        go_on_behind(slot);
    }
    /// The next message goes behind `slot`, which was the next one until now.
    void go_on_behind(Slot& slot) {
        Slot* const after = &slot + 1;
        next_ = after == end_ ? slots_.get() : after;
    }
    [[nodiscard]] Slot& oldest() const {
        if (full()) return *next_;
        return before_next(under_way_);
    }
    [[nodiscard]] Slot& after_oldest(std::size_t messages) const {
        return before_next(under_way_ - messages);
    }
    [[nodiscard]] Slot& before_next(std::size_t messages) const {
        const auto from_start = static_cast<std::size_t>(next_ - slots_.get());
        return *(from_start >= messages ? next_ - messages : end_ - (messages - from_start));
    }

    std::unique_ptr<Slot[]> slots_;
    Slot* end_;
    Slot* next_;  ///< of the next message; while full, of the oldest
    std::size_t window_;
    std::size_t under_way_ = 0;
    std::size_t found_ = 0;  ///< of the oldest messages, how many a test has found complete
    Recorder& recorder_;
    Poller poller_;
};

}  // namespace lapwing
