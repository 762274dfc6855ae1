#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/rma/transfers.hpp"
#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing {

/// What moves data whose memory lies at a rank's: the owner has offered it, once.
class OfferedStream {
  public:
    /// What the owner says of its memory.
    struct Terms {
        std::uint64_t offset = 0;  ///< in its window
        std::uint64_t bytes = 0;
        std::uint64_t announced = 0;  ///< whether each message is announced
    };
    /// What streams are made of.
    struct Means {
        TwoSided& messages;
        Transfers& transfers;
        bool ends_told;  ///< whether the mover tells the owner that it has moved everything
    };
    // Tags of these messages.
    static constexpr int offer_tag = 32767;
    static constexpr int end_tag = 32766;

    /// The owner's side.
    OfferedStream(Means means, std::span<const std::byte> data, int peer, const Terms& terms)
        : means_(means), memory_(data), peer_(peer), owns_(true), terms_(terms) {
        offer_ = means.messages.send(&terms_, sizeof terms_, peer, offer_tag);
        if (means.ends_told)
            awaited_.emplace(means.transfers, peer,
                             means.messages.receive(nullptr, 0, peer, end_tag));
    }
    /// The mover's side. `data`: its own.
    OfferedStream(Means means, std::span<const std::byte> data, int peer)
        : means_(means), memory_(data), peer_(peer), owns_(false) {
        awaited_.emplace(means.transfers, peer,
                         means.messages.receive(&terms_, sizeof terms_, peer, offer_tag));
    }
    OfferedStream(const OfferedStream&) = delete;
    OfferedStream& operator=(const OfferedStream&) = delete;
    /// Ends it, unless an exception ends its scope: then the peer may never come. An error in that
    /// cannot be told to anybody.
    ~OfferedStream() {
        if (std::uncaught_exceptions() > exceptions_) return;
        try {
            end();
            offer_.wait();
            if (awaited_) means_.transfers.wait(*awaited_);
            end_.wait();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    /// Says that all of its messages are complete. The destructor does so, too, and waits for the
    /// answer of the peer. With several streams, end all before you wait for one.
    void end() {
        if (owns_ || !means_.ends_told || std::exchange(ended_, true)) return;
        end_ = means_.messages.send(nullptr, 0, peer_, end_tag);
    }

    /// Keeps a notice, which nobody need wait for, to the end.
    void keep(MpiRequest notice) { notices_.push_back(std::move(notice)); }

    [[nodiscard]] StreamMemory& memory() { return memory_; }
    /// Returns when messages can be moved: the mover waits for the offer.
    void await_offer() {
        if (!owns_ && !awaited_->complete()) means_.transfers.wait(*awaited_);
    }
    /// Whether each message is announced. The mover waits for the offer.
    [[nodiscard]] bool announced() {
        await_offer();
        return terms_.announced != 0;
    }
    /// Where in the owner's window a message goes to, or comes from, whose place here is `data`.
    /// Waits for the offer. Throws `std::runtime_error` where the owner has not as much memory.
    [[nodiscard]] std::uint64_t place(const void* data, std::size_t bytes) {
        await_offer();
        return terms_.offset + memory_.offset("rma", data, bytes, terms_.bytes);
    }

  private:
    Means means_;
    StreamMemory memory_;
    int peer_;
    bool owns_;
    Terms terms_;
    MpiRequest offer_;
    MpiRequest end_;
    std::vector<MpiRequest> notices_;
    bool ended_ = false;
    std::optional<Transfers::Message> awaited_;  ///< the offer, or the end
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing
