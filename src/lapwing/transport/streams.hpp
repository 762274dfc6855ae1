#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// When a stream's data is there to be read, where the receiver reads it.
enum class StreamData {
    complete,   ///< when the stream is opened
    announced,  ///< message by message: the sender announces each
};

/// A one-sided transport whose ranks tell each other once where a whole stream of messages lies
/// (Bell and others 2006). An offer and an answer for each message are not needed:
///
/// - `outgoing(data, peer, when)` opens a stream of messages out of `data`, and `incoming(data,
///   peer)` at the peer one of messages into its `data`, which is as large. Either side may be
///   first. Streams between two ranks meet in the order in which they are opened.
/// - As long as both are open, a message from a place of the one goes to the same place of the
///   other, by the usual `send` and `receive`. These wait until both are open. Messages of a stream
///   arrive in the order of their sends, each part of it once.
/// - A stream is closed by its destructor, after its messages are complete. Who moves the data may
///   wait there until the other side is open. If the receiver reads, `outgoing` waits until it has
///   read everything, and the data is in use until then. Its `end()` tells the peer of the end; of
///   several streams it is called for all of them first.
template <class T>
concept OffersStreams = Transport<T> &&
    requires(T transport, std::span<const std::byte> out, std::span<std::byte> in, int peer) {
    transport.outgoing(out, peer, StreamData::complete);
    transport.incoming(in, peer);
};

/// A transport whose receiver sees by a stream's first message whether it is the expected stream.
/// `receive_first` is `receive` for that message, and throws at its end if it is another one.
/// Meanwhile the stream is open by `incoming(peer)`.
template <class T>
concept ChecksStreams = Transport<T> &&
    requires(T transport, void* into, std::size_t bytes, int peer, int tag) {
    transport.incoming(peer);
    { transport.receive_first(into, bytes, peer, tag) } -> std::same_as<typename T::Request>;
};

/// A transport whose streams have to know from the start how they are cut. `outgoing(data, peer,
/// messages, window)` and `incoming(data, peer, messages)` with the same `Messages` return a
/// `CutStream`. That is as a stream of `OffersStreams`.
template <class T>
concept CutsStreams = Transport<T> && requires {
    typename T::CutStream;
};

/// Open streams over `T`. Transports that tell each message by itself have none to open.
///
/// `cut`: the `Messages` of the stream, and how many are to be in flight. Where that is left out, a
/// transport that has to know it opens none: the messages are by themselves.
template <Transport T>
class OpenStreams {
  public:
    template <class... Cut>
    void outgoing(T& /*transport*/, std::span<const std::byte> /*data*/, int /*peer*/,
                  StreamData /*when*/, const Cut&... /*cut*/) {}
    void incoming(T& /*transport*/, std::span<std::byte> /*data*/, int /*peer*/) {}
    /// All that `order`, a `MessageOrder`, receives.
    template <class Order>
    void incoming(T& /*transport*/, const Order& /*order*/) {}
    void await_offers() {}
    void close() {}
};

template <ChecksStreams T>
class OpenStreams<T> {
  public:
    template <class... Cut>
    void outgoing(T& /*transport*/, std::span<const std::byte> /*data*/, int /*peer*/,
                  StreamData /*when*/, const Cut&... /*cut*/) {}
    void incoming(T& transport, std::span<std::byte> /*data*/, int peer) {
        open_.push_back(transport.incoming(peer));
    }
    template <class Order>
    void incoming(T& transport, const Order& order) {
        order.for_each_stream(
            [&](std::span<std::byte> data, int peer) { incoming(transport, data, peer); });
    }
    void await_offers() {}
    void close() { open_.clear(); }

  private:
    std::vector<decltype(std::declval<T&>().incoming(0))> open_;
};

/// Keeps streams open until its end, unless an exception ends its scope: then the peers may never
/// come.
template <class Stream>
class OpenStreamList {
  public:
    OpenStreamList() = default;
    OpenStreamList(OpenStreamList&&) noexcept = default;
    OpenStreamList& operator=(OpenStreamList&&) noexcept = default;
    OpenStreamList(const OpenStreamList&) = delete;
    OpenStreamList& operator=(const OpenStreamList&) = delete;
    ~OpenStreamList() {
        if (std::uncaught_exceptions() <= exceptions_) close();
    }

    /// Returns when messages can be moved at once. The peers have to open their sides, too.
    void await_offers() {
        for (Stream& stream : open_) stream.await_offer();
    }
    void close() {
        for (Stream& stream : open_) stream.end();
        open_.clear();
    }

  protected:
    void add(Stream stream) { open_.push_back(std::move(stream)); }

  private:
    std::vector<Stream> open_;
    int exceptions_ = std::uncaught_exceptions();
};

template <OffersStreams T>
class OpenStreams<T> : public OpenStreamList<decltype(std::declval<T&>().incoming({}, 0))> {
  public:
    template <class... Cut>
    void outgoing(T& transport, std::span<const std::byte> data, int peer, StreamData when,
                  const Cut&... /*cut*/) {
        this->add(transport.outgoing(data, peer, when));
    }
    void incoming(T& transport, std::span<std::byte> data, int peer) {
        this->add(transport.incoming(data, peer));
    }
    template <class Order>
    void incoming(T& transport, const Order& order) {
        order.for_each_stream(
            [&](std::span<std::byte> data, int peer) { incoming(transport, data, peer); });
    }
};

template <CutsStreams T>
class OpenStreams<T> : public OpenStreamList<typename T::CutStream> {
  public:
    void outgoing(T& /*transport*/, std::span<const std::byte> /*data*/, int /*peer*/,
                  StreamData /*when*/) {}
    template <class Messages>
    void outgoing(T& transport, std::span<const std::byte> data, int peer, StreamData /*when*/,
                  const Messages& messages, int window) {
        this->add(transport.outgoing(data, peer, messages, window));
    }
    template <class Order>
    void incoming(T& transport, const Order& order) {
        order.for_each_stream([&](std::span<std::byte> data, int peer) {
            this->add(transport.incoming(data, peer, order.messages()));
        });
    }
};

}  // namespace lapwing
