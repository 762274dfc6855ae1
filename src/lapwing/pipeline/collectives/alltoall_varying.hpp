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

/// All-to-alls of data whose sizes only the senders know. Each is two non-blocking collectives, of
/// the sizes and then of the data. The request owns the memory of the data that arrives. Any number
/// may be under way at once; all ranks initiate them in the same order.
///
/// The first call after the sizes have arrived initiates the data. It may be the wait for an
/// earlier exchange, the next initiation, or a test, and at the latest the wait for this one. So it
/// takes one latency longer than an exchange whose sizes are known.
///
/// In simulated time tests are not free, so there are none. A call awaits the sizes of all
/// exchanges but the latest one, whose sizes cannot have arrived.
class AlltoallVarying {
    struct Exchange;
    friend class VaryingRequest<AlltoallVarying, Exchange>;

  public:
    class Request;

    /// `element`: the type of what is exchanged; `bytes`: size of one. Collective over `original`.
    /// It outlives its requests.
    AlltoallVarying(MPI_Comm original, MPI_Datatype element, std::size_t bytes)
        : sizes_(original), data_(original), element_(element), bytes_(bytes) {}
    AlltoallVarying(const AlltoallVarying&) = delete;
    AlltoallVarying& operator=(const AlltoallVarying&) = delete;

    /// Initiates an exchange. Rank r gets `parts.counts[r]` elements, from element
    /// `parts.begins[r]` of `from` on; they are in use until the request is complete. Throws
    /// `std::invalid_argument` unless there is one number for each rank.
    Request exchange(const void* from, const Collective::Parts& parts);

    /// Initiates the data of exchanges whose sizes have arrived. Every other call does that, too.
    void progress() {
        while (!unopened_.empty() && unopened_.front()->size_request.test()) open_oldest();
    }

    [[nodiscard]] int size() const { return data_.size(); }

  private:
    /// One exchange. It stays in its place, as MPI reads and writes it until it is complete.
    struct Exchange {
        const void* from = nullptr;
        std::vector<std::size_t> sent;         ///< elements to each rank, then where they begin
        std::vector<std::uint64_t> announced;  ///< elements to each rank, as the sizes travel
        std::vector<std::uint64_t> sizes;      ///< elements from each rank
        std::vector<std::size_t> received;     ///< the same, then where they begin
        std::unique_ptr<std::byte[]> memory;   ///< no vector: it would be filled for nothing
        double left = 0;                       ///< moment when the sizes had been initiated
        bool open = false;                     ///< the data is initiated
        // The last members are destroyed first: they wait until the others are free.
        Collective::Request data_request;
        Collective::Request size_request;
    };

    static Collective::Parts parts_of(const std::vector<std::size_t>& numbers) {
        const std::span all(numbers);
        return {all.first(all.size() / 2), all.last(all.size() / 2)};
    }
    /// Initiates the data of the oldest exchange whose sizes have arrived. Collectives match by
    /// order, so all ranks initiate data in the order of the exchanges.
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
    /// Awaits the sizes of all exchanges but the newest `younger`, and initiates their data.
    void await_sizes(std::size_t younger) {
        while (unopened_.size() > younger) {
            unopened_.front()->size_request.wait();
            open_oldest();
        }
    }
    /// Whether no time has passed since the newest exchange was initiated.
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
            // Each test also initiates the data of later exchanges.
            while (!test(exchange)) std::this_thread::yield();
        }
    }

    Collective sizes_;
    Collective data_;
    MPI_Datatype element_;
    std::size_t bytes_;
    std::deque<Exchange*> unopened_;  ///< exchanges whose data is not initiated, oldest first
};

/// An exchange under way; once it is complete, what has arrived.
class AlltoallVarying::Request final : public VaryingRequest<AlltoallVarying, Exchange> {
  public:
    Request() = default;

    /// What rank `from` sent. After completion, for as long as this request lives.
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
