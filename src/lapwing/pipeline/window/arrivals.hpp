#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/message_order.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/pipeline/window/receive_next.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// A single-pass range over messages that arrive. The next ones travel while the present one is
/// consumed: template E of Iancu and Strohmaier (2007). It initiates the next message when one has
/// arrived. With bursts, it initiates the next burst when one has been consumed.
///
/// Leaving the loop early is safe: the destructor receives all that is in flight or still to come.
///
/// An exception that leaves the loop ends the job, see `on_failure`. The report cannot name it, as
/// nobody can ask which exception is on its way up. `stream` and `multi` can, if they are given the
/// loop's body.
template <Transport T, MessageOrder Order, Records Recorder = const NoTrace>
class Arrivals {
  public:
    using Piece = typename Order::Piece;

    /// Initiates the first messages of `order`: as many as the window of `plan` holds.
    Arrivals(T& transport, const Plan& plan, Order order, Recorder& recorder)
        : transport_(transport),
          order_(std::move(order)),
          recorder_(recorder),
          exceptions_(std::uncaught_exceptions()),
          burst_(std::min(plan.burst, plan.window)),
          in_flight_(plan.window, plan.poll_interval, recorder) {
        guarded([&] {
            streams_.incoming(transport_, order_);
            fill();
        });
    }
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;
    /// Receives what is left. An error in that cannot be told to anybody.
    ~Arrivals() {
        if (arrived_.bytes > 0) recorder_.add(Activity::consumption, since_);
        if (std::uncaught_exceptions() > exceptions_) failure::report_unwinding(where());
        try {
            while (!in_flight_.empty()) advance();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    class Iterator {
      public:
        using value_type = Piece;
        using difference_type = std::ptrdiff_t;

        explicit Iterator(Arrivals& arrivals) : arrivals_(&arrivals) {}
        Piece operator*() const { return arrivals_->order_.piece(arrivals_->arrived_); }
        Iterator& operator++() {
            arrivals_->recorder_.add(Activity::consumption, arrivals_->since_);
            arrivals_->next();
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const { return arrivals_->arrived_.bytes == 0; }

      private:
        Arrivals* arrivals_;
    };

    /// Waits for the first piece. Call it once.
    Iterator begin() {
        next();
        return Iterator(*this);
    }
    [[nodiscard]] std::default_sentinel_t end() const { return {}; }

    /// Calls `consume(piece)` for each.
    template <class Consume>
    void for_each(Consume&& consume) {
        for (Iterator at = begin(); at != end(); ++at) guarded([&] { consume(*at); });
    }

  private:
    using Destination = typename Order::Destination;
    using Request = typename T::Request;

    /// Initiates the next message, and notes where it goes.
    Request initiate(Destination& destination) {
        return receive_next(transport_, order_, destination);
    }
    /// Initiates messages until the window is full.
    void fill() {
        while (!in_flight_.full() && !order_.done())
            in_flight_.launch([&] { return initiate(in_flight_.next_attachment()); });
    }
    /// Waits for the oldest message, if there is one, and initiates the next in its stead.
    void advance() {
        const auto arrived = [&](const Destination& oldest, Request&) { arrived_ = oldest; };
        if (burst_ > 0 && consumed_++ == burst_) {
            fill();
            consumed_ = 1;
        }
        if (!order_.done() && burst_ == 0) {
            // The window is full as long as there are messages to initiate.
            in_flight_.replace_oldest(arrived, [&](Destination& next) { return initiate(next); });
        } else if (!in_flight_.empty()) {
            in_flight_.wait_oldest(arrived);
        } else {
            arrived_ = {};
        }
    }
    void next() {
        guarded([&] { advance(); });
        since_ = recorder_.start();
    }
    template <class Action>
    void guarded(Action&& action) {
        try {
            action();
        } catch (...) {
            failure::report(where());
            throw;
        }
    }
    [[nodiscard]] std::string where() const { return order_.where(arrived_); }

    T& transport_;
    Order order_;
    [[no_unique_address]] OpenStreams<T> streams_;
    Recorder& recorder_;
    int exceptions_;
    int burst_;            ///< messages; 0: one by one
    int consumed_ = 0;     ///< messages of the present burst
    Destination arrived_;  ///< the present message; of no bytes: before the first, after the last
    [[no_unique_address]] typename Recorder::Time since_{};
    MessageWindow<Request, Destination, Recorder> in_flight_;
};

}  // namespace lapwing
