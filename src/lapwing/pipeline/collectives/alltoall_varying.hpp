#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/pipeline/collectives/varying_request.hpp"
#include "lapwing/transport/collective/collective.hpp"

namespace lapwing {

/// All-to-alls of data whose sizes only their senders know, each by two non-blocking collectives:
/// the sizes, and then the data, into memory that belongs to the exchange. Non-blocking, any number
/// under way at once, initiated by all ranks in the same order.
///
/// Data is initiated when its sizes are there and somebody calls: when the exchange before it is
/// awaited, when the next one is initiated or a request is tested, at the latest when it is
/// awaited itself. So it is under way for a latency longer than where sizes are known.
///
/// Where time is simulated a test takes some for each of the others. There nobody looks: a call
/// awaits the sizes of all exchanges but one that was initiated just before it, whose sizes had no
/// time to arrive.
class AlltoallVarying {
    struct Exchange;
    friend class VaryingRequest<AlltoallVarying, Exchange>;

  public:
    class Request;

    /// Exchanges elements of the type `element`, of `bytes` each. Collective over `original`. It
    /// ends after its requests.
    AlltoallVarying(MPI_Comm original, MPI_Datatype element, std::size_t bytes)
        : sizes_(original), data_(original), element_(element), bytes_(bytes) {}
    AlltoallVarying(const AlltoallVarying&) = delete;
    AlltoallVarying& operator=(const AlltoallVarying&) = delete;

    /// The next exchange: of the elements at `from`, `parts.counts[r]` for rank r, which begin
    /// `parts.begins[r]` behind the first. In use until it is complete. Throws
    /// `std::invalid_argument` where that is not one number for each rank.
    Request exchange(const void* from, const Collective::Parts& parts);

    /// Initiates the data of exchanges whose sizes are there. Every call below does.
    void progress() {
        while (!unopened_.empty() && unopened_.front()->size_request.test()) open_oldest();
    }

    [[nodiscard]] int size() const { return data_.size(); }

  private:
    /// One exchange, in a place that MPI may read from and write to until it is complete.
    struct Exchange {
        const void* from = nullptr;
        std::vector<std::size_t> sent;  ///< counts, then where they begin
        std::vector<std::uint64_t> announced;
        std::vector<std::uint64_t> sizes;     ///< elements from each rank
        std::vector<std::size_t> received;    ///< the same, then where they begin
        std::unique_ptr<std::byte[]> memory;  ///< not a vector: nobody reads what it would hold
        double left = 0;                      ///< when the sizes had been initiated, seconds
        bool open = false;
        // Destroyed first: they wait for what is in use.
        Collective::Request data_request;
        Collective::Request size_request;
    };

    static Collective::Parts parts_of(const std::vector<std::size_t>& numbers) {
        const std::span all(numbers);
        return {all.first(all.size() / 2), all.last(all.size() / 2)};
    }
    /// Data meets data in the order in which all ranks initiate it: that of the exchanges.
    void open_oldest() {
        Exchange& oldest = *unopened_.front();
        unopened_.pop_front();
        const std::size_t ranks = oldest.sizes.size();
        oldest.received.assign(oldest.sizes.begin(), oldest.sizes.end());
        std::size_t total = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            oldest.received.push_back(total);
            total += oldest.received[rank];
        }
        oldest.memory.reset(new std::byte[total * bytes_]);
        oldest.data_request =
            data_.alltoallv(oldest.from, parts_of(oldest.sent), oldest.memory.get(),
                            parts_of(oldest.received), element_);
        oldest.open = true;
    }
    /// Initiates the data of all but the newest `younger` exchanges, as their sizes arrive.
    void await_sizes(std::size_t younger) {
        while (unopened_.size() > younger) {
            unopened_.front()->size_request.wait();
            open_oldest();
        }
    }
    /// Whether nothing was done since the newest exchange was initiated.
    [[nodiscard]] bool just_initiated() const {
        return !unopened_.empty() && Collective::now() == unopened_.back()->left;
    }
    bool test(Exchange& exchange) {
        progress();
        return exchange.open && exchange.data_request.test();
    }
    void wait(Exchange& exchange) {
        if constexpr (simulated_time) {
            await_sizes(just_initiated() ? 1 : 0);
            if (!exchange.open) await_sizes(0);
            exchange.data_request.wait();
        } else {
            // Those behind this one go on to their data meanwhile.
            while (!test(exchange)) std::this_thread::yield();
        }
    }

    Collective sizes_;
    Collective data_;
    MPI_Datatype element_;
    std::size_t bytes_;
    std::deque<Exchange*> unopened_;  ///< whose data is not initiated, in their order
};

/// An exchange under way, and, once it is complete, what has arrived.
class AlltoallVarying::Request final : public VaryingRequest<AlltoallVarying, Exchange> {
  public:
    Request() = default;

    /// What rank `from` sent, after completion, for as long as this request lives.
    [[nodiscard]] std::span<const std::byte> arrived(int from) const {
        const auto rank = static_cast<std::size_t>(from);
        const Collective::Parts parts = parts_of(state().received);
        const std::size_t bytes = engine().bytes_;
        return {state().memory.get() + parts.begins[rank] * bytes, parts.counts[rank] * bytes};
    }

  private:
    friend class AlltoallVarying;
    Request(AlltoallVarying& engine, std::unique_ptr<Exchange> exchange)
        : VaryingRequest(engine, std::move(exchange)) {}
};

inline AlltoallVarying::Request AlltoallVarying::exchange(const void* from,
                                                          const Collective::Parts& parts) {
    const auto ranks = static_cast<std::size_t>(size());
    if (parts.counts.size() != ranks || parts.begins.size() != ranks)
        throw std::invalid_argument("all-to-all: needs one number of elements for each rank");
    if constexpr (!simulated_time) {
        progress();
    } else if (!just_initiated()) {
        await_sizes(0);
    }
    auto made = std::make_unique<Exchange>();
    made->from = from;
    made->sent.assign(parts.counts.begin(), parts.counts.end());
    made->sent.insert(made->sent.end(), parts.begins.begin(), parts.begins.end());
    made->announced.assign(parts.counts.begin(), parts.counts.end());
    made->sizes.resize(ranks);
    made->size_request =
        sizes_.alltoall(made->announced.data(), made->sizes.data(), sizeof(std::uint64_t));
    made->left = Collective::now();
    unopened_.push_back(made.get());
    return {*this, std::move(made)};
}

}  // namespace lapwing
