#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Messages that are the same each time: memory, bytes, peer and tag are said once, and each can be
/// started again as soon as it is complete. This one initiates them anew, over any transport.
template <Transport T>
class RepeatedMessages {
  public:
    explicit RepeatedMessages(T& transport) : transport_(transport) {}

    /// The next message, to be sent.
    void add_send(const void* from, std::size_t bytes, int peer, int tag) {
        add({const_cast<void*>(from), bytes, peer, tag, true});
    }
    /// The next message, to be received.
    void add_receive(void* into, std::size_t bytes, int peer, int tag) {
        add({into, bytes, peer, tag, false});
    }

    /// Initiates a message, the first is 0. It must not be under way.
    void start(std::size_t which) {
        const Message& m = messages_[which];
        Request* const request = &requests_[which];
        std::destroy_at(request);  // made where the old one was: none is moved
        try {
            ::new (static_cast<void*>(request))
                Request(m.sends ? transport_.send(m.data, m.bytes, m.peer, m.tag)
                                : transport_.receive(m.data, m.bytes, m.peer, m.tag));
        } catch (...) {
            ::new (static_cast<void*>(request)) Request();
            throw;
        }
    }
    /// Whether a message is complete. Lets the transport progress.
    bool test(std::size_t which) { return requests_[which].test(); }
    /// Returns when all that are under way are complete.
    void wait_all() {
        for (Request& request : requests_) request.wait();
    }
    /// Waits for one of those under way, of which there is at least one, and says which.
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

/// The transport's own where it has one, `T::Repeated`, which does the same for less.
template <class T>
struct RepeatedOf {
    using Type = RepeatedMessages<T>;
};
template <RepeatsItself T>
struct RepeatedOf<T> {
    using Type = typename T::Repeated;
};

/// Messages that are the same each time, over a transport.
template <Transport T>
using Repeated = typename RepeatedOf<T>::Type;

}  // namespace lapwing
