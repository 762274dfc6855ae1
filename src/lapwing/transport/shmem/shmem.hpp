#pragma once

#include <shmem.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/arena.hpp"
#include "lapwing/transport/shmem/progress.hpp"
#include "lapwing/transport/shmem/protocol.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Messages by one-sided OpenSHMEM puts. A receive announces to the sender where the message is to
/// go. The sender puts the data there and, after a fence, a flag that the receiver tests. Nothing
/// is copied or buffered on the way.
///
/// Messages are sent from anywhere, and received into the symmetric memory that the transport was
/// made with; those of up to `Shmem::small` bytes are received anywhere.
class Shmem {
    using Announcement = shmem::Announcement;
    using Arrival = shmem::Arrival;
    using Incoming = shmem::Incoming;
    using Outgoing = shmem::Outgoing;
    using Ready = shmem::Ready;

  public:
    static constexpr std::size_t small = shmem::small_message;  ///< bytes

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
            if (outgoing_ != nullptr) transport_->free_outgoing_.push_back(outgoing_);
            transport_ = nullptr;
            outgoing_ = nullptr;
        }

        Shmem* transport_ = nullptr;
        Outgoing* outgoing_ = nullptr;
        Incoming incoming_;
    };

    /// Collective over all PEs. `memory`: where messages are received; it outlives the transport.
    /// `outstanding`: the most receives from one PE that may be under way.
    explicit Shmem(SymmetricMemory& memory, std::size_t outstanding = 512)
        : memory_(memory),
          slots_(outstanding + 1),  // one is always reserved for the next receive
          peers_(static_cast<std::size_t>(shmem_n_pes())),
          arena_({memory.data(), memory.size()}),
          announcements_(peers_.size() * slots_ * sizeof(Announcement)),
          arrivals_(peers_.size() * slots_ * sizeof(Arrival)) {
        for (Peer& peer : peers_)
            for (std::uint64_t slot = slots_; --slot > 0;) peer.free_slots.push_back(slot);
        shmem_barrier_all();
    }
    Shmem(const Shmem&) = delete;
    Shmem& operator=(const Shmem&) = delete;
    /// Waits for all PEs, as the destructors of its symmetric memory do.
    ~Shmem() = default;

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        require_peer(peer);
        listen();
        if (free_outgoing_.empty()) free_outgoing_.push_back(&all_outgoing_.emplace_back());
        Outgoing& message = *free_outgoing_.back();
        free_outgoing_.pop_back();
        message = {from, bytes, peer, tag};
        const auto match = std::find_if(ready_.begin(), ready_.end(), [&](const Ready& place) {
            return place.peer == peer && place.announcement.tag == tag;
        });
        if (match == ready_.end()) {
            waiting_.push_back(&message);
        } else {
            const Ready place = *match;
            ready_.erase(match);
            put(message, place);
        }
        return {*this, message};
    }

    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        require_peer(peer);
        Peer& state = peers_[static_cast<std::size_t>(peer)];
        if (state.free_slots.empty())
            throw std::runtime_error("more than " + std::to_string(slots_ - 1) +
                                     " receives under way from PE " + std::to_string(peer));
        Incoming incoming;
        Announcement announcement;
        announcement.bytes = bytes;
        announcement.tag = tag;
        if (memory_.contains(into, bytes)) {
            announcement.place =
                static_cast<std::uint64_t>(static_cast<std::byte*>(into) - memory_.data());
        } else if (bytes <= small) {
            announcement.place = shmem::in_arrival;
            incoming.copy_to = into;
            incoming.bytes = bytes;
        } else {
            throw std::runtime_error("a message of " + std::to_string(bytes) +
                                     " bytes can be received into symmetric memory only");
        }
        incoming.peer = peer;
        incoming.slot = state.next_slot;
        incoming.number = ++state.announced;
        state.next_slot = state.free_slots.back();
        state.free_slots.pop_back();
        announcement.next_slot = state.next_slot;
        Announcement& there = announcement_slot(shmem_my_pe(), incoming.slot);
        shmem_putmem(&there, &announcement, offsetof(Announcement, number), peer);
        shmem_fence();
        shmem_putmem(&there.number, &incoming.number, sizeof there.number, peer);
        return {*this, incoming};
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
        // This rank as a sender to that PE.
        std::uint64_t heard = 0;
        std::uint64_t next_heard = 0;
    };

    /// The slot of an announcement of `receiver`, at its sender. There is a row of slots for each
    /// PE.
    Announcement& announcement_slot(int receiver, std::uint64_t slot) {
        return reinterpret_cast<Announcement*>(
            announcements_.data())[static_cast<std::size_t>(receiver) * slots_ + slot];
    }
    Arrival& arrival_slot(int sender, std::uint64_t slot) {
        return reinterpret_cast<Arrival*>(
            arrivals_.data())[static_cast<std::size_t>(sender) * slots_ + slot];
    }
    /// Reads a number that another PE writes.
    static std::uint64_t read(std::uint64_t& number) {
        return std::atomic_ref<std::uint64_t>(number).load(std::memory_order_acquire);
    }

    void require_peer(int peer) const {
        if (peer < 0 || static_cast<std::size_t>(peer) >= peers_.size())
            throw std::runtime_error("there is no PE " + std::to_string(peer));
    }

    /// Reads new announcements, and puts the messages that wait for them.
    void listen() {
        for (std::size_t i = 0; i < peers_.size(); ++i) {
            Peer& peer = peers_[i];
            const int receiver = static_cast<int>(i);
            for (;;) {
                Announcement& announcement = announcement_slot(receiver, peer.next_heard);
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
                put(message, place);
            }
        }
    }
    void progress() {
        shmem::progress();
        listen();
    }

    void put(Outgoing& message, const Ready& place) {
        if (message.bytes > place.announcement.bytes)
            throw std::runtime_error(
                "a message of " + std::to_string(message.bytes) + " bytes met a receive of " +
                std::to_string(place.announcement.bytes) + " at PE " + std::to_string(place.peer));
        Arrival& arrival = arrival_slot(shmem_my_pe(), place.slot);
        void* const to = place.announcement.place == shmem::in_arrival
                             ? arrival.data.data()
                             : memory_.data() + place.announcement.place;
        if (message.bytes > 0) {
            shmem_putmem_nbi(to, message.from, message.bytes, message.peer);
            shmem_fence();
        }
        message.slot = place.slot;
        message.number = place.announcement.number;
        message.put = ++put_;
        shmem_putmem(&arrival.number, &message.number, sizeof message.number, message.peer);
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
        // The slot may have been used by later messages since: their numbers are higher.
        const std::uint64_t seen = read(message.seen);
        if (seen == shmem::fetching) return false;
        if (seen >= message.number) return true;
        message.seen = shmem::fetching;
        shmem_getmem_nbi(&message.seen, &arrival_slot(shmem_my_pe(), message.slot).number,
                         sizeof message.seen, message.peer);
        return false;
    }
    void wait_sent(Outgoing& message) {
        while (message.number == 0) progress();
        if (gone(message)) return;
        shmem_quiet();
        quiet_ = put_;
    }

    bool received(const Incoming& incoming) {
        Arrival& arrival = arrival_slot(incoming.peer, incoming.slot);
        if (read(arrival.number) != incoming.number) {
            progress();
            if (read(arrival.number) != incoming.number) return false;
        }
        if (incoming.copy_to != nullptr && incoming.bytes > 0)
            std::memcpy(incoming.copy_to, arrival.data.data(), incoming.bytes);
        peers_[static_cast<std::size_t>(incoming.peer)].free_slots.push_back(incoming.slot);
        return true;
    }

    SymmetricMemory& memory_;
    std::uint64_t slots_;
    std::vector<Peer> peers_;
    Arena arena_;
    SymmetricMemory announcements_;
    SymmetricMemory arrivals_;
    std::vector<Ready> ready_;              ///< announcements without a message, oldest first
    std::vector<Outgoing*> waiting_;        ///< messages without an announcement, oldest first
    std::deque<Outgoing> all_outgoing_;     ///< stay in their place: transfers read and write them
    std::vector<Outgoing*> free_outgoing_;  ///< those not in use
    std::uint64_t put_ = 0;                 ///< messages put so far
    std::uint64_t quiet_ = 0;               ///< how many of these are known to have left
};

static_assert(Transport<Shmem>);

}  // namespace lapwing
