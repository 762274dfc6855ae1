#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/arena.hpp"
#include "lapwing/transport/rma/notified_access.hpp"
#include "lapwing/transport/rma/offered_stream.hpp"
#include "lapwing/transport/rma/rma.hpp"
#include "lapwing/transport/rma/transfers.hpp"
#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing {

/// The common part of transports that make messages of one-sided transfers. The rank whose memory
/// is in the window offers it to its peer by a small two-sided message, which has the tag of the
/// message. The peer puts there, or gets from there, once it has a message of that tag, too, and
/// answers when the data has arrived. So nobody touches memory that its owner has not offered.
///
/// The memory of a stream is offered once (`OffersStreams`). The peer then puts there, or gets from
/// there, without more ado. The arrival of each put is told to the owner by the interface where it
/// can do so (`notified_access`), elsewhere by an answer. Gets are not answered: only their end is.
class Notified {
  public:
    using Request = Transfers::Request;
    using Stream = StreamList<OfferedStream>::Open;
    using Memory = Arena::Part;

    /// Allocates `bytes` of memory that can be offered. The transport outlives it. Throws
    /// `std::length_error` where the window has no room.
    [[nodiscard]] Memory memory(std::size_t bytes) {
        return arena_.allocate(bytes, "rma: a window");
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return rma_.rank(); }
    [[nodiscard]] int size() const { return rma_.communicator().size(); }

  protected:
    /// What the offer of a message says: where and how much memory, and the tag of the answer.
    /// Answers have tags of their own, as messages of one tag may be answered in another order.
    struct Terms {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        std::uint64_t answer = 0;
    };

    /// The side that offers.
    class Offer final : public Transfers::Transfer {
      public:
        Offer(Notified& all, Terms terms, int peer, int tag)
            : Transfer(all.transfers_, peer), all_(all), terms_(terms) {
            all.rma_.sync();  // what has been stored is in the window
            answer_ = all.answers_.receive(nullptr, 0, peer, static_cast<int>(terms.answer));
            all.transfers_.start(*this,
                                 all.offers_.send(&terms_, sizeof terms_, peer, tag).release());
        }

      private:
        std::optional<MPI_Request> next() override {
            if (!accepted_) {
                accepted_ = true;
                return answer_.release();
            }
            all_.tags_.give_back(terms_.answer);
            all_.rma_.sync();  // what has been put is in our memory
            return std::nullopt;
        }

        Notified& all_;
        Terms terms_;
        bool accepted_ = false;
        MpiRequest answer_;
    };

    /// The side that moves the data: of a stream at once, otherwise when it has the offer.
    class Move : public Transfers::Transfer {
      public:
        /// `data`: of the message, here; `tag`: its own.
        Move(Notified& all, const void* data, std::size_t bytes, int peer, int tag)
            : Transfer(all.transfers_, peer),
              all_(all),
              stream_(all.moving_.take(peer, data, bytes)) {
            // Nothing can be started here: `next` of the derived class says what comes next.
            if (stream_ == nullptr) {
                offer_ = all.offers_.receive(&terms_, sizeof terms_, peer, tag);
            } else {
                terms_ = {stream_->place(data, bytes), bytes, static_cast<std::uint64_t>(tag)};
            }
        }
        void start() {
            if (stream_ == nullptr) {
                all_.transfers_.start(*this, offer_.release());
            } else {
                all_.transfers_.start(*this);
            }
        }

      protected:
        [[nodiscard]] const Terms& terms() const { return terms_; }
        /// Null outside of a stream.
        [[nodiscard]] OfferedStream* stream() const { return stream_; }
        [[nodiscard]] int tag() const { return static_cast<int>(terms_.answer); }
        /// Tells the other side that the data has arrived.
        [[nodiscard]] MPI_Request answer() {
            if (stream_ != nullptr) return all_.notify(peer(), tag()).release();
            return all_.answers_.send(nullptr, 0, peer(), tag()).release();
        }

      private:
        Notified& all_;
        OfferedStream* stream_;
        Terms terms_;
        MpiRequest offer_;
    };

    /// `ends_told`: whether the owner of a stream's memory has to know when all has been moved.
    Notified(MPI_Comm original, std::size_t bytes, bool ends_told)
        : rma_(original, bytes),
          offers_(original),
          answers_(original),
          in_streams_(original),
          arena_({rma_.data(), rma_.size()}),
          owned_(size()),
          moving_(size()),
          ends_told_(ends_told) {}

    [[nodiscard]] Request offer(const void* data, std::size_t bytes, int peer, int tag) {
        const Terms terms{offset(data, bytes), bytes, tags_.take()};
        return Request(std::make_unique<Offer>(*this, terms, peer, tag));
    }
    /// Starts a move. `M`: a class derived from `Move`.
    template <class M>
    [[nodiscard]] static Request move(std::unique_ptr<M> move) {
        move->start();
        return Request(std::move(move));
    }
    /// Opens a stream whose memory is this rank's, in the window.
    [[nodiscard]] Stream open_as_owner(std::span<const std::byte> data, int peer, bool announced) {
        const OfferedStream::Terms terms{offset(data.data(), data.size()), data.size(),
                                         announced ? 1U : 0U};
        return {owned_, peer, std::make_unique<OfferedStream>(means(), data, peer, terms)};
    }
    /// Opens a stream whose memory is the peer's.
    [[nodiscard]] Stream open_as_mover(std::span<const std::byte> data, int peer) {
        return {moving_, peer, std::make_unique<OfferedStream>(means(), data, peer)};
    }
    /// The stream whose memory is this rank's of which a message is the next; null outside of all.
    [[nodiscard]] OfferedStream* owned_stream_of(int peer, const void* data, std::size_t bytes) {
        return owned_.take(peer, data, bytes);
    }
    /// A request for the notice of a message of a stream: that its data has arrived, or that it can
    /// be read. It may be null.
    [[nodiscard]] MPI_Request notice(int peer, int tag) {
        if (notified_access::exists()) return rma_.notice(peer, tag).release();
        return in_streams_.receive(nullptr, 0, peer, tag).release();
    }
    /// Sends a notice by itself.
    [[nodiscard]] MpiRequest notify(int peer, int tag) {
        if (notified_access::exists()) return rma_.put_notified(nullptr, 0, peer, 0, tag);
        return in_streams_.send(nullptr, 0, peer, tag);
    }
    [[nodiscard]] static std::runtime_error too_long(std::uint64_t sent, std::uint64_t received) {
        return std::runtime_error("rma: a message of " + std::to_string(sent) +
                                  " bytes is longer than the " + std::to_string(received) +
                                  " that are to be received");
    }
    [[nodiscard]] Rma& rma() { return rma_; }
    [[nodiscard]] Transfers& transfers() { return transfers_; }

  private:
    /// The tags of answers, each used by one offer at a time.
    class Tags {
      public:
        [[nodiscard]] std::uint64_t take() {
            if (returned_.empty()) {
                if (fresh_ == count)
                    throw std::length_error("rma: more messages in flight than there are tags");
                return fresh_++;
            }
            const std::uint64_t tag = returned_.back();
            returned_.pop_back();
            return tag;
        }
        void give_back(std::uint64_t tag) { returned_.push_back(tag); }

      private:
        static constexpr std::uint64_t count = OfferedStream::end_tag;  // streams have the others
        std::uint64_t fresh_ = 0;
        std::vector<std::uint64_t> returned_;
    };

    /// Offset of `data` in the window. Throws `std::invalid_argument` where it is not there.
    [[nodiscard]] std::size_t offset(const void* data, std::size_t bytes) const {
        const auto found = offset_in({rma_.data(), rma_.size()}, data, bytes);
        if (!found)
            throw std::invalid_argument("rma: " + std::to_string(bytes) +
                                        " bytes are not in the window: take memory from memory()");
        return *found;
    }

    [[nodiscard]] OfferedStream::Means means() { return {answers_, transfers_, ends_told_}; }

    Rma rma_;
    TwoSided offers_;
    TwoSided answers_;
    TwoSided in_streams_;  ///< notices, with the tags of their messages
    Arena arena_;
    Transfers transfers_;
    Tags tags_;
    StreamList<OfferedStream> owned_;   ///< whose memory is this rank's
    StreamList<OfferedStream> moving_;  ///< whose memory is the peer's
    bool ends_told_;
};

}  // namespace lapwing
