#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Messages that repeat. The program tells memory, bytes, peer and tag once, and may start each
/// message again as soon as it is complete. Works over any transport, by initiating it anew.
template <Transport T>
class RepeatedMessages {
  public:
    explicit RepeatedMessages(T& transport) : transport_(transport) {}

    /// Adds a message to be sent. Messages have numbers from 0 on, in the order of these calls.
    void add_send(const void* from, std::size_t bytes, int peer, int tag) {
        add({const_cast<void*>(from), bytes, peer, tag, true});
    }
    /// Adds a message to be received.
    void add_receive(void* into, std::size_t bytes, int peer, int tag) {
        add({into, bytes, peer, tag, false});
    }

    /// Initiates message `which`. It must not be under way.
    void start(std::size_t which) {
        const Message& m = messages_[which];
        Request* const request = &requests_[which];
        std::destroy_at(request);  // the new one is made in its place: none is moved
        try {
            ::new (static_cast<void*>(request))
                Request(m.sends ? transport_.send(m.data, m.bytes, m.peer, m.tag)
                                : transport_.receive(m.data, m.bytes, m.peer, m.tag));
        } catch (...) {
            ::new (static_cast<void*>(request)) Request();
            throw;
        }
    }
    /// Whether message `which` is complete. Lets the transport progress.
    bool test(std::size_t which) { return requests_[which].test(); }
    /// Returns when all messages are complete.
    void wait_all() {
        for (Request& request : requests_) request.wait();
    }
    /// Waits for any one of the messages under way, of which there is at least one. Returns which.
    [[nodiscard]] std::size_t wait_any() requires requires {
        T::Request::wait_any(std::span<typename T::Request>());
    }
    { return Request::wait_any(requests_); }

  private:
    using Request = typename T::Request;

    struct Message {
        void* data;
        std::size_t bytes;
        int peer;
        int tag;
        bool sends;
    };

    void add(const Message& message) {
        messages_.push_back(message);
        requests_.emplace_back();
    }

    T& transport_;
    std::vector<Message> messages_;
    std::vector<Request> requests_;
};

template <class T>
concept RepeatsItself = requires {
    typename T::Repeated;
};

/// `T::Repeated` where a transport has it, which does the same for less.
template <class T>
struct RepeatedOf {
    using Type = RepeatedMessages<T>;
};
template <RepeatsItself T>
struct RepeatedOf<T> {
    using Type = typename T::Repeated;
};

/// Repeated messages over a transport, in the cheapest way that it has.
template <Transport T>
using Repeated = typename RepeatedOf<T>::Type;

}  // namespace lapwing
