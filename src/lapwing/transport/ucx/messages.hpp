#pragma once

#include <mpi.h>

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
#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/ucx/flushes.hpp"
#include "lapwing/transport/ucx/offer_board.hpp"
#include "lapwing/transport/ucx/stream.hpp"
#include "lapwing/transport/ucx/stream_messages.hpp"
#include "lapwing/transport/ucx/transfer.hpp"
#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing {

/// The common part of transports that make messages of one-sided UCX. The rank whose memory lies in
/// the region offers it: it puts the place and the tag into a slot at its peer. The peer moves the
/// data once it has a message of that tag, too, and raises a flag at the owner. There is no other
/// message, neither an answer nor one of MPI: flags free the slots of offers, and further offers
/// wait until there is one. A rank offers a stream once, and raises its flag when it is over.
class UcxMessages {
  public:
    using Request = UcxTransferRequest<UcxMessages>;
    using Stream = StreamList<UcxStream<UcxMessages>>::Open;
    using Memory = Arena::Part;

    UcxMessages(const UcxMessages&) = delete;
    UcxMessages& operator=(const UcxMessages&) = delete;

    /// Allocates `bytes` of memory that can be offered. The transport outlives it. Throws
    /// `std::length_error` where the region has no room.
    [[nodiscard]] Memory memory(std::size_t bytes) {
        return arena_.allocate(bytes, "ucx: a region");
    }
    [[nodiscard]] static double now() { return lapwing::now(); }
    [[nodiscard]] int rank() const { return ucx_.rank(); }
    [[nodiscard]] int size() const { return ucx_.size(); }

    /// Moves all transfers on as far as possible without waiting.
    void progress() {
        const auto calls = ucx_.worker().lock();
        ucx_.worker().progress();
        advance();
    }
    /// Moves all transfers on until `transfer` is complete.
    void wait(const UcxTransfer& transfer) {
        progress_until([&] { return transfer.state == State::complete; });
    }
    /// Moves all transfers on until the offer of `stream` is there, or made.
    void wait_for_offer(const UcxTransfer& stream) {
        if (stream.state != State::waiting) return;
        progress_until([&] { return stream.state != State::waiting; });
    }
    /// Says that all messages of `stream`, which this rank moves, are complete.
    void end(UcxTransfer& stream) {
        if (!std::exchange(stream.open, false)) return;
        const auto calls = ucx_.worker().lock();
        advance();
    }
    /// Returns when nobody moves the data of `stream` any more. Where it has been put, its messages
    /// have said so, and the mover may end it later.
    void close(std::unique_ptr<UcxTransfer> stream) {
        if (!stream->owns || move_ == UcxMove::get) return wait(*stream);
        wait_for_offer(*stream);  // nobody else makes it later
        stream->open = false;
        const auto calls = ucx_.worker().lock();
        std::erase_if(closed_, [](const auto& each) { return each->state == State::complete; });
        closed_.push_back(std::move(stream));
    }
    /// Leaves a transfer that will not be waited for.
    void forget(UcxTransfer& transfer) {
        const auto calls = ucx_.worker().lock();
        Peer& peer = peers_[static_cast<std::size_t>(transfer.peer)];
        std::erase(peer.unoffered, &transfer);
        std::erase(peer.offered, &transfer);
        std::erase(peer.unmet, &transfer);
        std::erase(peer.moving, &transfer);
        in_streams_.forget(transfer);
    }

  protected:
    using State = UcxTransfer::State;

    /// Collective over `original`. `bytes`: of memory that can be offered.
    UcxMessages(MPI_Comm original, std::size_t bytes, UcxMove move)
        : move_(move),
          board_(size_of(original), slots),
          ucx_(original, to_line(board_.bytes()) + bytes),
          arena_(ucx_.region().subspan(to_line(board_.bytes()))),
          peers_(static_cast<std::size_t>(ucx_.size())),
          owned_(ucx_.size()),
          moving_(ucx_.size()),
          in_streams_(ucx_, board_, move) {
        for (Peer& peer : peers_)
            for (std::uint64_t slot = slots; --slot > 0;) peer.free_slots.push_back(slot);
    }
    ~UcxMessages() = default;

    /// A message, of a stream that is open with `peer` where it is one of that. `owns`: whether
    /// this is the side whose memory lies in the region, or the one that moves the data.
    [[nodiscard]] Request message(bool owns, const void* data, std::size_t bytes, int peer,
                                  int tag) {
        require(peer);
        std::unique_ptr<UcxTransfer> transfer;
        if (auto* const stream = streams(owns).take(peer, data, bytes)) {
            transfer = stream->message(data, bytes);
            const auto calls = ucx_.worker().lock();
            in_streams_.advance();  // what has been announced since is read from now on
            in_streams_.begin(*transfer);
        } else {
            transfer = transfer_of(owns, data, bytes, peer, tag);
            begin(*transfer);
        }
        return {*this, std::move(transfer)};
    }
    /// Opens a stream whose memory is this rank's, in the region. `readable`: bytes of it that are
    /// there at once.
    [[nodiscard]] Stream open_as_owner(std::span<const std::byte> data, int peer,
                                       std::uint64_t readable) {
        return open(data, transfer_of(true, data.data(), data.size(), peer, UcxOffer::stream),
                    readable);
    }
    /// Opens a stream whose memory is the peer's.
    [[nodiscard]] Stream open_as_mover(std::span<const std::byte> data, int peer) {
        return open(data, transfer_of(false, data.data(), data.size(), peer, UcxOffer::stream),
                    UcxOffer::everything);
    }

  private:
    static constexpr std::size_t slots = 512;

    /// An offer that has been read.
    struct Offered {
        UcxOffer offer;
        std::uint64_t slot = 0;
    };
    struct Peer {
        // This rank as an owner.
        std::deque<UcxTransfer*> unoffered;  ///< in their order
        std::vector<UcxTransfer*> offered;
        std::uint64_t offers = 0;  ///< made so far
        std::uint64_t next_slot = 0;
        std::vector<std::uint64_t> free_slots;
        // This rank as a mover.
        std::deque<Offered> unmatched;   ///< offers without a transfer, oldest first
        std::deque<UcxTransfer*> unmet;  ///< transfers without an offer, oldest first
        std::vector<UcxTransfer*> moving;
        std::uint64_t read = 0;  ///< offers read so far
        std::uint64_t next_read = 0;
        UcxFlushes flushes;
    };

    static int size_of(MPI_Comm communicator) {
        int size = 0;
        check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
        return size;
    }
    static std::size_t to_line(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

    /// Offset of `data` in the region. Throws `std::invalid_argument` where it is not there.
    [[nodiscard]] std::size_t offset(const void* data, std::size_t bytes) const {
        const auto found = offset_in(ucx_.region(), data, bytes);
        if (!found)
            throw std::invalid_argument("ucx: " + std::to_string(bytes) +
                                        " bytes are not in the region: take memory from memory()");
        return *found;
    }
    void require(int peer) const {
        if (peer < 0 || peer >= ucx_.size())
            throw std::out_of_range("ucx: there is no rank " + std::to_string(peer));
    }
    [[nodiscard]] std::unique_ptr<UcxTransfer> transfer_of(bool owns, const void* data,
                                                           std::size_t bytes, int peer,
                                                           std::int64_t tag) const {
        require(peer);
        if (owns) (void)offset(data, bytes);  // must lie in the region
        auto transfer = std::make_unique<UcxTransfer>();
        transfer->owns = owns;
        transfer->peer = peer;
        transfer->data = static_cast<std::byte*>(const_cast<void*>(data));
        transfer->bytes = bytes;
        transfer->tag = tag;
        return transfer;
    }
    [[nodiscard]] Stream open(std::span<const std::byte> data,
                              std::unique_ptr<UcxTransfer> transfer, std::uint64_t readable) {
        const int peer = transfer->peer;
        auto& list = streams(transfer->owns);
        transfer->open = true;
        transfer->offer.readable = readable;
        begin(*transfer);
        require_slot(*transfer);
        return {list, peer,
                std::make_unique<UcxStream<UcxMessages>>(*this, data, std::move(transfer))};
    }
    [[nodiscard]] StreamList<UcxStream<UcxMessages>>& streams(bool owned) {
        return owned ? owned_ : moving_;
    }
    /// Throws `std::length_error` if a stream waits for a slot that other open streams have.
    void require_slot(UcxTransfer& stream) {
        const Peer& there = peers_[static_cast<std::size_t>(stream.peer)];
        const auto is_open = [](const UcxTransfer* each) {
            return each->tag == UcxOffer::stream && each->open;
        };
        if (!stream.owns || stream.state != State::waiting ||
            !std::ranges::all_of(there.offered, is_open))
            return;
        forget(stream);
        throw std::length_error("ucx: more than " + std::to_string(slots - 1) +
                                " streams open with rank " + std::to_string(stream.peer));
    }
    void begin(UcxTransfer& transfer) {
        const auto calls = ucx_.worker().lock();
        Peer& there = peers_[static_cast<std::size_t>(transfer.peer)];
        if (transfer.owns) {
            there.unoffered.push_back(&transfer);
            make_offers(there);
        } else {
            there.unmet.push_back(&transfer);
            match(there);
        }
    }

    /// Moves all transfers on until `done()`.
    template <class Done>
    void progress_until(Done&& done) {
        ucx_.worker().progress_until([&] {
            if (done()) return true;
            advance();
            return done();
        });
    }
    void advance() {
        for (std::size_t i = 0; i < peers_.size(); ++i) {
            Peer& peer = peers_[i];
            if (!peer.offered.empty()) see_flags(peer);
            if (!peer.unoffered.empty()) make_offers(peer);
            read_offers(peer, static_cast<int>(i));
            if (!peer.moving.empty()) advance_moves(peer);
        }
        in_streams_.advance();
    }

    void make_offers(Peer& peer) {
        while (!peer.unoffered.empty() && !peer.free_slots.empty()) {
            UcxTransfer& transfer = *peer.unoffered.front();
            peer.unoffered.pop_front();
            transfer.slot = std::exchange(peer.next_slot, peer.free_slots.back());
            peer.free_slots.pop_back();
            transfer.offer = {offset(transfer.data, transfer.bytes),
                              transfer.bytes,
                              transfer.tag,
                              peer.next_slot,
                              transfer.offer.readable,
                              ++peer.offers};
            if (transfer.open)
                UcxOfferBoard::reset(ucx_, board_.count_at(transfer.peer, transfer.slot));
            peer.offered.push_back(&transfer);
            transfer.state = State::moving;
            transfer.attempt([&] { write_offer(transfer); });
        }
    }
    void write_offer(UcxTransfer& transfer) {
        const std::size_t at = board_.offer_at(rank(), transfer.slot);
        constexpr std::size_t number = offsetof(UcxOffer, number);
        std::atomic_thread_fence(std::memory_order_release);
        transfer.moved = ucx_.put(&transfer.offer, number, transfer.peer, at);
        ucx_.fence();
        transfer.told = ucx_.put(&transfer.offer.number, sizeof transfer.offer.number,
                                 transfer.peer, at + number);
    }
    /// Completes the transfers whose data has been moved. Answers to the other side's puts may
    /// still be queued behind a full connection: a flush says that they have left.
    void see_flags(Peer& peer) {
        for (UcxTransfer* const transfer : peer.offered) {
            const std::size_t at = board_.flag_at(transfer->peer, transfer->slot);
            if (transfer->flush == 0 && UcxOfferBoard::read(ucx_, at) != transfer->offer.number)
                continue;
            transfer->attempt([&] {
                if (!transfer->moved.complete() || !transfer->told.complete()) return;
                if (peer.flushes.is_flushed(ucx_, *transfer)) transfer->state = State::complete;
            });
            if (transfer->state == State::complete) peer.free_slots.push_back(transfer->slot);
        }
        drop_complete(peer.offered);
    }

    void read_offers(Peer& peer, int owner) {
        bool any = false;
        for (;;) {
            const std::size_t at = board_.offer_at(owner, peer.next_read);
            if (UcxOfferBoard::read(ucx_, at + offsetof(UcxOffer, number)) != peer.read + 1) break;
            UcxOffer offer;
            std::memcpy(&offer, ucx_.region().data() + at, sizeof offer);
            peer.unmatched.push_back({offer, peer.next_read});
            peer.next_read = offer.next_slot;
            ++peer.read;
            any = true;
        }
        if (any) match(peer);
    }
    /// Begins to move what has both an offer and a transfer: of those with one tag the first meets
    /// the first.
    void match(Peer& peer) {
        for (auto at = peer.unmet.begin(); at != peer.unmet.end() && !peer.unmatched.empty();) {
            const auto offered =
                std::find_if(peer.unmatched.begin(), peer.unmatched.end(),
                             [&](const Offered& each) { return each.offer.tag == (*at)->tag; });
            if (offered == peer.unmatched.end()) {
                ++at;
                continue;
            }
            UcxTransfer& transfer = **at;
            transfer.offer = offered->offer;
            transfer.slot = offered->slot;
            peer.unmatched.erase(offered);
            at = peer.unmet.erase(at);
            peer.moving.push_back(&transfer);
            if (transfer.tag == UcxOffer::stream) {
                transfer.state = State::moving;
            } else {
                transfer.attempt([&] { move_data(transfer); });
            }
        }
        if (!peer.moving.empty()) advance_moves(peer);
    }
    void move_data(UcxTransfer& transfer) {
        const std::uint64_t sent = move_ == UcxMove::put ? transfer.bytes : transfer.offer.bytes;
        const std::uint64_t room = move_ == UcxMove::put ? transfer.offer.bytes : transfer.bytes;
        if (sent > room)
            throw std::runtime_error("ucx: a message of " + std::to_string(sent) +
                                     " bytes is longer than the " + std::to_string(room) +
                                     " that are to be received");
        transfer.state = State::moving;
        start_move(ucx_, move_, transfer, sent);
        if (move_ == UcxMove::put) raise_flag(transfer);
    }
    void raise_flag(UcxTransfer& transfer) {
        transfer.state = State::telling;
        if (transfer.tag == UcxOffer::stream) ucx_.fence();  // the last count comes first
        transfer.told = ucx_.put(&transfer.offer.number, sizeof transfer.offer.number,
                                 transfer.peer, board_.flag_at(rank(), transfer.slot));
    }
    /// Moves on what this rank moves. It is complete when a flush says that the flag has arrived,
    /// which may be queued behind the data of others.
    void advance_moves(Peer& peer) {
        for (UcxTransfer* const transfer : peer.moving) {
            transfer->attempt([&] {
                if (transfer->open || !transfer->moved.complete()) return;
                if (transfer->state == State::moving) raise_flag(*transfer);
                if (transfer->told.complete() && peer.flushes.is_flushed(ucx_, *transfer))
                    transfer->state = State::complete;
            });
        }
        drop_complete(peer.moving);
    }

    UcxMove move_;
    UcxOfferBoard board_;
    Ucx ucx_;
    Arena arena_;
    std::vector<Peer> peers_;                    ///< by rank
    StreamList<UcxStream<UcxMessages>> owned_;   ///< whose memory is this rank's
    StreamList<UcxStream<UcxMessages>> moving_;  ///< whose memory is the peer's
    UcxStreamMessages in_streams_;
    std::vector<std::unique_ptr<UcxTransfer>> closed_;  ///< streams that may not have ended yet
};

}  // namespace lapwing
