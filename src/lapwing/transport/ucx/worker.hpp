#pragma once

#include <mpi.h>
#include <ucp/api/ucp.h>

#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/ucx/progress_thread.hpp"
#include "lapwing/transport/ucx/ucx_error.hpp"

namespace lapwing {

/// The ranks of a communicator, connected by UCX: a context, a worker, and an endpoint to each
/// rank, this one included. MPI carries nothing but the addresses of the workers. UCX reads its own
/// variables, such as UCX_TLS. A thread calls UCX while the rank does not (`UcxProgressThread`):
/// whoever calls UCX holds `lock()`.
class UcxWorker {
  public:
    /// Collective over `original`.
    explicit UcxWorker(MPI_Comm original)
        : communicator_(original),
          context_(make_context()),
          worker_(make_worker(context_.get())),
          thread_(std::make_unique<UcxProgressThread>(worker_.get())) {
        connect();
    }
    UcxWorker(const UcxWorker&) = delete;
    UcxWorker& operator=(const UcxWorker&) = delete;
    /// Frees the endpoints; `meet` has to come before.
    ~UcxWorker() = default;

    [[nodiscard]] ucp_context_h context() const { return context_.get(); }
    [[nodiscard]] ucp_worker_h get() const { return worker_.get(); }
    [[nodiscard]] ucp_ep_h endpoint(int peer) const {
        return endpoints_[static_cast<std::size_t>(peer)];
    }
    [[nodiscard]] const Communicator& communicator() const { return communicator_; }

    [[nodiscard]] UcxProgressThread::Lock lock() { return thread_->lock(); }
    /// Lets UCX progress. Returns whether something happened.
    bool progress() {
        const auto calls = lock();
        return ucp_worker_progress(worker_.get()) != 0;
    }
    /// Lets UCX progress until `done()`, which is called under the lock.
    template <class Done>
    void progress_until(Done&& done) {
        constexpr int patience = 200;
        for (int idle = 0;;) {
            {
                const auto calls = lock();
                if (done()) return;
                idle = progress() ? 0 : idle + 1;
            }
            if (idle > patience) std::this_thread::yield();  // there may be more ranks than cores
        }
    }
    /// The bytes that each rank gives, of any length, by rank.
    [[nodiscard]] std::vector<std::vector<std::byte>> all_gather(
        const std::vector<std::byte>& own) const {
        const auto ranks = static_cast<std::size_t>(communicator_.size());
        const int length = static_cast<int>(own.size());
        std::vector<int> lengths(ranks);
        check_mpi(
            MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, communicator_.get()),
            "MPI_Allgather");
        std::vector<int> places(ranks);
        int sum = 0;
        for (std::size_t i = 0; i < ranks; ++i) {
            places[i] = sum;
            sum += lengths[i];
        }
        std::vector<std::byte> all(static_cast<std::size_t>(sum));
        check_mpi(MPI_Allgatherv(own.data(), length, MPI_BYTE, all.data(), lengths.data(),
                                 places.data(), MPI_BYTE, communicator_.get()),
                  "MPI_Allgatherv");
        std::vector<std::vector<std::byte>> parts;
        for (std::size_t i = 0; i < ranks; ++i)
            parts.emplace_back(all.begin() + places[i], all.begin() + places[i] + lengths[i]);
        return parts;
    }
    /// Returns when all ranks have called it; meanwhile UCX progresses.
    void meet() {
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Ibarrier(communicator_.get(), &handle), "MPI_Ibarrier");
        progress_until([&] {
            int all = 0;
            check_mpi(MPI_Test(&handle, &all, MPI_STATUS_IGNORE), "MPI_Test");
            return all != 0;
        });
    }
    /// Ends the connections. Collective, after `meet`. Nothing may be under way.
    void disconnect() {
        for (auto* const endpoint : std::exchange(endpoints_, {})) {
            const ucp_request_param_t usual{};
            auto calls = lock();
            void* const closing = ucp_ep_close_nbx(endpoint, &usual);
            calls.unlock();
            if (!UCS_PTR_IS_PTR(closing)) continue;
            progress_until([&] {
                if (ucp_request_check_status(closing) == UCS_INPROGRESS) return false;
                ucp_request_free(closing);
                return true;
            });
        }
        meet();
    }
    /// Keeps all to the end of the program: for a scope that an exception ends, as the other ranks
    /// may never come. Until then the thread answers them.
    void abandon() {
        static std::vector<std::unique_ptr<UcxProgressThread>> abandoned;
        abandoned.push_back(std::move(thread_));
        (void)worker_.release();
        (void)context_.release();
    }

  private:
    struct Cleanup {
        void operator()(ucp_context_h context) const { ucp_cleanup(context); }
    };
    struct Destroy {
        void operator()(ucp_worker_h worker) const { ucp_worker_destroy(worker); }
    };
    using Context = std::unique_ptr<ucp_context, Cleanup>;
    using Worker = std::unique_ptr<ucp_worker, Destroy>;

    static Context make_context() {
        ucp_config_t* config = nullptr;
        check_ucx(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
        ucp_params_t wanted{};
        wanted.field_mask = UCP_PARAM_FIELD_FEATURES;
        wanted.features = UCP_FEATURE_RMA | UCP_FEATURE_WAKEUP;
        ucp_context_h made = nullptr;
        const ucs_status_t status = ucp_init(&wanted, config, &made);
        ucp_config_release(config);
        check_ucx(status, "ucp_init");
        return Context(made);
    }
    static Worker make_worker(ucp_context_h context) {
        ucp_worker_params_t wanted{};
        wanted.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
        wanted.thread_mode = UCS_THREAD_MODE_SERIALIZED;
        ucp_worker_h made = nullptr;
        check_ucx(ucp_worker_create(context, &wanted, &made), "ucp_worker_create");
        return Worker(made);
    }
    void connect() {
        ucp_address_t* own = nullptr;
        std::size_t length = 0;
        auto calls = lock();
        check_ucx(ucp_worker_get_address(worker_.get(), &own, &length), "ucp_worker_get_address");
        const auto* const first = reinterpret_cast<const std::byte*>(own);
        const std::vector<std::byte> address(first, first + length);
        ucp_worker_release_address(worker_.get(), own);
        calls.unlock();
        const auto addresses = all_gather(address);
        int peer = 0;
        for (const auto& each : addresses) {
            ucp_ep_params_t wanted{};
            wanted.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
            wanted.address = reinterpret_cast<const ucp_address_t*>(each.data());
            ucp_ep_h endpoint = nullptr;
            calls.lock();
            check_ucx(ucp_ep_create(worker_.get(), &wanted, &endpoint), "ucp_ep_create", peer++);
            calls.unlock();
            endpoints_.push_back(endpoint);
        }
    }

    Communicator communicator_;
    Context context_;
    Worker worker_;
    std::unique_ptr<UcxProgressThread> thread_;
    std::vector<ucp_ep_h> endpoints_;  ///< by rank
};

}  // namespace lapwing
