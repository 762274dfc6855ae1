#pragma once

#include <shmem.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/arena.hpp"
#include "lapwing/transport/shmem/progress.hpp"
#include "lapwing/transport/shmem/protocol.hpp"
#include "lapwing/transport/shmem/slots.hpp"
#include "lapwing/transport/shmem/stream.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"
#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/streams.hpp"

namespace lapwing {

/// Messages by one-sided OpenSHMEM puts. A receive announces to the sender where the message is to
/// go. The sender puts the data there and, after a fence, a flag that the receiver tests. Nothing
/// is copied or buffered on the way.
///
/// A stream is announced once. Its messages are put without more ado, and a counter behind each.
///
/// Messages may be sent from anywhere. They arrive in the symmetric memory of the transport. Those
/// of up to `Shmem::small` bytes may arrive anywhere.
class Shmem {
    using Announcement = shmem::Announcement;
    using Arrival = shmem::Arrival;
    using Incoming = shmem::Incoming;
    using Outgoing = shmem::Outgoing;
    using Ready = shmem::Ready;

  public:
    static constexpr std::size_t small = shmem::small_message;  ///< bytes

    using Stream = StreamList<shmem::Stream<Shmem>>::Open;

    class Request {
      public:
        Request() = default;
        Request(Request&& other) noexcept
            : transport_(std::exchange(other.transport_, nullptr)),
              outgoing_(std::exchange(other.outgoing_, nullptr)),
              incoming_(other.incoming_) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(transport_, other.transport_);
            std::swap(outgoing_, other.outgoing_);
            std::swap(incoming_, other.incoming_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        /// Waits: the buffer is in use until then.
        ~Request() { wait(); }

        /// Whether the message is complete. Lets everything under way progress.
        bool test() {
            if (transport_ == nullptr) return true;
            const bool done = outgoing_ != nullptr ? transport_->sent(*outgoing_)
                                                   : transport_->received(incoming_);
            if (done) release();
            return done;
        }
        /// Returns when the message is complete.
        void wait() {
            if (transport_ == nullptr) return;
            if (outgoing_ != nullptr) {
                transport_->wait_sent(*outgoing_);
            } else {
                while (!transport_->received(incoming_)) {
                }
            }
            release();
        }

      private:
        friend class Shmem;
        Request(Shmem& transport, Outgoing& outgoing)
            : transport_(&transport), outgoing_(&outgoing) {}
        Request(Shmem& transport, const Incoming& incoming)
            : transport_(&transport), incoming_(incoming) {}
        void release() {
            if (outgoing_ != nullptr) {
                transport_->free_outgoing_.push_back(outgoing_);
            } else {
                transport_->release(incoming_);
            }
            transport_ = nullptr;
            outgoing_ = nullptr;
        }

        Shmem* transport_ = nullptr;
        Outgoing* outgoing_ = nullptr;
        Incoming incoming_;
    };

    /// Collective over all PEs. `memory`: where messages are received; it outlives the transport.
    /// `outstanding`: the most receives from one PE that may be under way, streams included.
    explicit Shmem(SymmetricMemory& memory, std::size_t outstanding = 512)
        : memory_(memory),
          peers_(static_cast<std::size_t>(shmem_n_pes())),
          arena_({memory.data(), memory.size()}),
          slots_(peers_.size(), outstanding + 1),  // one is reserved for the next receive
          outgoing_streams_(shmem_n_pes()),
          incoming_streams_(shmem_n_pes()) {
        for (Peer& peer : peers_)
            for (std::uint64_t slot = slots_.per_row(); --slot > 0;)
                peer.free_slots.push_back(slot);
        shmem_barrier_all();
    }
    Shmem(const Shmem&) = delete;
    Shmem& operator=(const Shmem&) = delete;
    /// Waits for all PEs, as the destructors of its symmetric memory do.
    ~Shmem() = default;

    [[nodiscard]] Stream outgoing(std::span<const std::byte> data, int peer, StreamData /*when*/) {
        require_peer(peer);
        Outgoing& message = new_outgoing();
        message = {.peer = peer, .tag = shmem::stream_tag};
        begin(message);
        return {outgoing_streams_, peer,
                std::make_unique<shmem::Stream<Shmem>>(*this, data, message)};
    }
    [[nodiscard]] Stream incoming(std::span<std::byte> data, int peer) {
        require_peer(peer);
        std::uint64_t& counter = slots_.counter(peer, of(peer).next_slot);
        const std::uint64_t count = read(counter);
        const Incoming incoming =
            announce(data.data(), data.size(), peer, shmem::stream_tag, count);
        return {incoming_streams_, peer,
                std::make_unique<shmem::Stream<Shmem>>(*this, data, incoming, counter, count)};
    }

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        require_peer(peer);
        shmem::Stream<Shmem>* const stream = outgoing_streams_.take(peer, from, bytes);
        const std::uint64_t place = stream != nullptr ? stream->place(from, bytes) : 0;
        Outgoing& message = new_outgoing();
        message = {.from = from, .bytes = bytes, .peer = peer, .tag = tag};
        if (stream == nullptr) {
            begin(message);
        } else {
            put(message, memory_.data() + place, stream->counter(), stream->next_count(bytes));
        }
        return {*this, message};
    }

    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        require_peer(peer);
        shmem::Stream<Shmem>* const stream = incoming_streams_.take(peer, into, bytes);
        if (stream == nullptr) return {*this, announce(into, bytes, peer, tag, 0)};
        return {*this,
                Incoming{
                    .peer = peer, .told = &stream->counter(), .number = stream->next_count(bytes)}};
    }

    /// Returns when the receiver of a stream has said where it is to go.
    void await_announcement(const Outgoing& stream) {
        while (stream.announcement.number == 0) progress();
    }
    /// Puts the message that ends a stream.
    void end(Outgoing& stream) {
        await_announcement(stream);
        put_announced(stream);
        free_outgoing_.push_back(&stream);
    }
    /// A receiver's stream is over. Its sender may end it later.
    void close(const Incoming& stream) { of(stream.peer).closed.push_back(stream); }
    /// The counter of an announced stream.
    [[nodiscard]] std::uint64_t& counter(const Outgoing& stream) {
        return slots_.counter(shmem_my_pe(), stream.slot);
    }

    /// Allocates `bytes` of the symmetric memory, to receive into. The transport outlives it. For
    /// programs that use no part of the memory by themselves.
    /// Throws `std::length_error` where there is no room.
    [[nodiscard]] Arena::Part memory(std::size_t bytes) {
        return arena_.allocate(bytes, "symmetric memory");
    }

    [[nodiscard]] static double now() { return lapwing::now(); }
    [[nodiscard]] static int rank() { return shmem_my_pe(); }
    [[nodiscard]] static int size() { return shmem_n_pes(); }

  private:
    struct Peer {
        // This rank as a receiver from that PE.
        std::uint64_t announced = 0;
        std::uint64_t next_slot = 0;
        std::vector<std::uint64_t> free_slots;
        std::vector<Incoming> closed;  ///< streams that their senders may not have ended yet
        // This rank as a sender to that PE.
        std::uint64_t heard = 0;
        std::uint64_t next_heard = 0;
    };

    /// Reads a number that another PE writes.
    static std::uint64_t read(std::uint64_t& number) {
        return std::atomic_ref<std::uint64_t>(number).load(std::memory_order_acquire);
    }

    void require_peer(int peer) const {
        if (peer < 0 || static_cast<std::size_t>(peer) >= peers_.size())
            throw std::runtime_error("there is no PE " + std::to_string(peer));
    }

    [[nodiscard]] Peer& of(int peer) { return peers_[static_cast<std::size_t>(peer)]; }
    [[nodiscard]] Outgoing& new_outgoing() {
        if (free_outgoing_.empty()) free_outgoing_.push_back(&all_outgoing_.emplace_back());
        Outgoing& message = *free_outgoing_.back();
        free_outgoing_.pop_back();
        return message;
    }

    /// Sends a message once it is announced.
    void begin(Outgoing& message) {
        listen();
        const auto match = std::find_if(ready_.begin(), ready_.end(), [&](const Ready& place) {
            return place.peer == message.peer && place.announcement.tag == message.tag;
        });
        if (match == ready_.end()) {
            waiting_.push_back(&message);
        } else {
            const Ready place = *match;
            ready_.erase(match);
            meet(message, place);
        }
    }
    /// Tells the sender of a message where it is to go. `count`: what a stream's counter says.
    [[nodiscard]] Incoming announce(void* into, std::size_t bytes, int peer, std::int64_t tag,
                                    std::uint64_t count) {
        Peer& state = of(peer);
        for (reuse_slots(state); state.free_slots.empty() && !state.closed.empty();
             reuse_slots(state))
            progress();
        if (state.free_slots.empty())
            throw std::runtime_error("more than " + std::to_string(slots_.per_row() - 1) +
                                     " receives under way from PE " + std::to_string(peer));
        Incoming incoming;
        Announcement announcement{.bytes = bytes, .tag = tag, .count = count};
        if (memory_.contains(into, bytes)) {
            announcement.place =
                static_cast<std::uint64_t>(static_cast<std::byte*>(into) - memory_.data());
        } else if (bytes <= small && tag != shmem::stream_tag) {
            announcement.place = shmem::in_arrival;
            incoming.copy_to = into;
            incoming.bytes = bytes;
        } else if (bytes > 0) {
            throw std::runtime_error("a message of " + std::to_string(bytes) +
                                     " bytes can be received into symmetric memory only");
        }
        incoming.peer = peer;
        incoming.slot = state.next_slot;
        incoming.arrival = &slots_.arrival(peer, incoming.slot);
        incoming.told = &incoming.arrival->number;
        incoming.number = ++state.announced;
        state.next_slot = state.free_slots.back();
        state.free_slots.pop_back();
        announcement.next_slot = state.next_slot;
        Announcement& there = slots_.announcement(shmem_my_pe(), incoming.slot);
        shmem_putmem(&there, &announcement, offsetof(Announcement, number), peer);
        shmem_fence();
        shmem_putmem(&there.number, &incoming.number, sizeof there.number, peer);
        return incoming;
    }

    /// Reads new announcements, and puts the messages that wait for them.
    void listen() {
        for (std::size_t i = 0; i < peers_.size(); ++i) {
            Peer& peer = peers_[i];
            const int receiver = static_cast<int>(i);
            for (;;) {
                Announcement& announcement = slots_.announcement(receiver, peer.next_heard);
                if (read(announcement.number) != peer.heard + 1) break;
                const Ready place{receiver, peer.next_heard, announcement};
                ++peer.heard;
                peer.next_heard = announcement.next_slot;
                const auto match =
                    std::find_if(waiting_.begin(), waiting_.end(), [&](const Outgoing* message) {
                        return message->peer == receiver && message->tag == place.announcement.tag;
                    });
                if (match == waiting_.end()) {
                    ready_.push_back(place);
                    continue;
                }
                Outgoing& message = **match;
                waiting_.erase(match);
                meet(message, place);
            }
        }
    }
    void progress() {
        shmem::progress();
        listen();
    }

    /// A message has its announcement.
    void meet(Outgoing& message, const Ready& place) {
        if (message.bytes > place.announcement.bytes)
            throw std::runtime_error(
                "a message of " + std::to_string(message.bytes) + " bytes met a receive of " +
                std::to_string(place.announcement.bytes) + " at PE " + std::to_string(place.peer));
        message.announcement = place.announcement;
        message.slot = place.slot;
        if (message.tag != shmem::stream_tag) put_announced(message);  // else when it is over
    }
    void put_announced(Outgoing& message) {
        Arrival& arrival = slots_.arrival(shmem_my_pe(), message.slot);
        const Announcement& announced = message.announcement;
        void* const to = announced.place == shmem::in_arrival ? arrival.data.data()
                                                              : memory_.data() + announced.place;
        put(message, to, arrival.number, announced.number);
    }
    /// Puts a message, and then `number` into `told`.
    void put(Outgoing& message, void* to, std::uint64_t& told, std::uint64_t number) {
        if (message.bytes > 0) shmem_putmem_nbi(to, message.from, message.bytes, message.peer);
        shmem_fence();
        message.told = &told;
        message.number = number;
        message.put = ++put_;
        shmem_putmem(&told, &message.number, sizeof message.number, message.peer);
    }

    /// Whether it is known without communication that a message has left its buffer.
    [[nodiscard]] bool gone(const Outgoing& message) const {
        return message.number != 0 && (message.bytes == 0 || message.put <= quiet_);
    }
    /// Whether a message has left its buffer. `shmem_quiet` would wait for all messages; that the
    /// flag has arrived says it of this one.
    bool sent(Outgoing& message) {
        if (gone(message)) return true;
        progress();
        if (message.number == 0) return false;
        // Later messages may have been told there since: their numbers are higher.
        const std::uint64_t seen = read(message.seen);
        if (seen == shmem::fetching) return false;
        if (seen >= message.number) return true;
        message.seen = shmem::fetching;
        shmem_getmem_nbi(&message.seen, message.told, sizeof message.seen, message.peer);
        return false;
    }
    void wait_sent(Outgoing& message) {
        while (message.number == 0) progress();
        if (gone(message)) return;
        shmem_quiet();
        quiet_ = put_;
    }

    bool received(const Incoming& incoming) {
        if (read(*incoming.told) < incoming.number) {
            progress();
            if (read(*incoming.told) < incoming.number) return false;
        }
        if (incoming.copy_to != nullptr && incoming.bytes > 0)
            std::memcpy(incoming.copy_to, incoming.arrival->data.data(), incoming.bytes);
        return true;
    }
    void release(const Incoming& incoming) {
        if (incoming.arrival != nullptr) of(incoming.peer).free_slots.push_back(incoming.slot);
    }
    /// Slots of closed streams that their senders have ended.
    void reuse_slots(Peer& peer) {
        std::erase_if(peer.closed, [&](const Incoming& stream) {
            if (read(*stream.told) < stream.number) return false;
            release(stream);
            return true;
        });
    }

    SymmetricMemory& memory_;
    std::vector<Peer> peers_;
    Arena arena_;
    shmem::Slots slots_;
    StreamList<shmem::Stream<Shmem>> outgoing_streams_;
    StreamList<shmem::Stream<Shmem>> incoming_streams_;
    std::vector<Ready> ready_;              ///< announcements without a message, oldest first
    std::vector<Outgoing*> waiting_;        ///< messages without an announcement, oldest first
    std::deque<Outgoing> all_outgoing_;     ///< stay in their place: transfers read and write them
    std::vector<Outgoing*> free_outgoing_;  ///< those not in use
    std::uint64_t put_ = 0;                 ///< messages put so far
    std::uint64_t quiet_ = 0;               ///< how many of these are known to have left
};

static_assert(OffersStreams<Shmem>);

}  // namespace lapwing
