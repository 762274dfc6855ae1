#pragma once

#include <mpi.h>
#include <ucp/api/ucp.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/transport/ucx/request.hpp"
#include "lapwing/transport/ucx/ucx_error.hpp"
#include "lapwing/transport/ucx/worker.hpp"

namespace lapwing {

/// One-sided UCX: puts and gets between this rank's memory and a region that every rank has. Each
/// rank registers the region once, and tells all ranks its address and key once. `offset`: bytes
/// from the start of the target's region.
///
/// Where there is no hardware for it, over TCP, data moves only while the target calls UCX, too: if
/// its rank does not, the worker's thread does.
class Ucx {
  public:
    using Request = UcxRequest;

    /// Collective over `original`; `bytes` of region on every rank.
    Ucx(MPI_Comm original, std::size_t bytes) : worker_(original) {
        allocate(bytes);
        exchange_keys();
        open_connections();
        worker_.meet();
    }
    Ucx(const Ucx&) = delete;
    Ucx& operator=(const Ucx&) = delete;
    /// Collective, unless an exception ends its scope: then the region is left to the end of the
    /// program, as the other ranks may never come.
    ~Ucx() {
        if (std::uncaught_exceptions() > exceptions_) {
            worker_.abandon();
            return;
        }
        try {
            worker_.meet();
            release_keys();
            worker_.disconnect();
            const auto calls = worker_.lock();
            ucp_mem_unmap(worker_.context(), memory_);
        } catch (...) {
            worker_.abandon();
        }
    }

    /// Complete when `from` is free again; a flush completes it at the target.
    [[nodiscard]] Request put(const void* from, std::size_t bytes, int peer, std::size_t offset) {
        const Remote& there = target(peer, offset, bytes);
        if (bytes == 0) return {};
        const auto calls = worker_.lock();
        const ucp_request_param_t usual{};
        return {worker_,
                ucp_put_nbx(worker_.endpoint(peer), from, bytes, there.address + offset, there.key,
                            &usual),
                "ucp_put_nbx", peer};
    }
    /// Complete when the data is here.
    [[nodiscard]] Request get(void* into, std::size_t bytes, int peer, std::size_t offset) {
        const Remote& there = target(peer, offset, bytes);
        if (bytes == 0) return {};
        const auto calls = worker_.lock();
        const ucp_request_param_t usual{};
        return {worker_,
                ucp_get_nbx(worker_.endpoint(peer), into, bytes, there.address + offset, there.key,
                            &usual),
                "ucp_get_nbx", peer};
    }
    /// Complete when all puts to `peer` initiated so far are complete there.
    [[nodiscard]] Request flush(int peer) {
        const auto calls = worker_.lock();
        const ucp_request_param_t usual{};
        return {worker_, ucp_ep_flush_nbx(worker_.endpoint(peer), &usual), "ucp_ep_flush_nbx",
                peer};
    }
    /// Puts initiated before it arrive before those after it.
    void fence() {
        const auto calls = worker_.lock();
        check_ucx(ucp_worker_fence(worker_.get()), "ucp_worker_fence");
    }

    [[nodiscard]] UcxWorker& worker() { return worker_; }
    [[nodiscard]] std::span<std::byte> region() const { return region_; }
    [[nodiscard]] const Communicator& communicator() const { return worker_.communicator(); }
    [[nodiscard]] int rank() const { return worker_.communicator().rank(); }
    [[nodiscard]] int size() const { return worker_.communicator().size(); }

  private:
    /// The region of a rank, as this rank sees it.
    struct Remote {
        std::uint64_t address = 0;
        ucp_rkey_h key = nullptr;
    };

    void allocate(std::size_t bytes) {
        const auto calls = worker_.lock();
        // Its own allocation, so that ranks that share memory can share it.
        ucp_mem_map_params_t wanted{};
        wanted.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS;
        wanted.length = bytes > 0 ? bytes : 1;
        wanted.flags = UCP_MEM_MAP_ALLOCATE;
        check_ucx(ucp_mem_map(worker_.context(), &wanted, &memory_), "ucp_mem_map");
        ucp_mem_attr_t found{};
        found.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS;
        check_ucx(ucp_mem_query(memory_, &found), "ucp_mem_query");
        region_ = {static_cast<std::byte*>(found.address), bytes};
        std::memset(found.address, 0, wanted.length);
    }
    void exchange_keys() {
        void* packed = nullptr;
        std::size_t length = 0;
        auto calls = worker_.lock();
        check_ucx(ucp_rkey_pack(worker_.context(), memory_, &packed, &length), "ucp_rkey_pack");
        std::vector<std::byte> own(sizeof(std::uint64_t) + length);
        const auto address = reinterpret_cast<std::uint64_t>(region_.data());
        std::memcpy(own.data(), &address, sizeof address);
        std::memcpy(own.data() + sizeof address, packed, length);
        ucp_rkey_buffer_release(packed);
        calls.unlock();
        int peer = 0;
        for (const auto& each : worker_.all_gather(own)) {
            Remote remote;
            std::memcpy(&remote.address, each.data(), sizeof remote.address);
            calls.lock();
            check_ucx(ucp_ep_rkey_unpack(worker_.endpoint(peer), each.data() + sizeof address,
                                         &remote.key),
                      "ucp_ep_rkey_unpack", peer);
            calls.unlock();
            remotes_.push_back(remote);
            ++peer;
        }
    }
    void release_keys() {
        const auto calls = worker_.lock();
        for (const Remote& remote : remotes_) ucp_rkey_destroy(remote.key);
    }
    /// Reads a byte of each rank. While connections are being made, a rank that waits in MPI would
    /// keep others waiting.
    void open_connections() {
        std::vector<std::byte> bytes(remotes_.size());
        std::vector<UcxRequest> opening;
        for (int peer = 0; peer < size() && !region_.empty(); ++peer)
            opening.push_back(get(&bytes[static_cast<std::size_t>(peer)], 1, peer, 0));
        for (UcxRequest& request : opening) request.wait();
    }
    [[nodiscard]] const Remote& target(int peer, std::size_t offset, std::size_t bytes) const {
        if (peer < 0 || static_cast<std::size_t>(peer) >= remotes_.size())
            throw std::out_of_range("ucx: there is no rank " + std::to_string(peer));
        if (offset > region_.size() || bytes > region_.size() - offset)
            throw std::out_of_range("ucx: " + std::to_string(bytes) + " bytes at " +
                                    std::to_string(offset) + " leave the region of " +
                                    std::to_string(region_.size()));
        return remotes_[static_cast<std::size_t>(peer)];
    }

    UcxWorker worker_;
    ucp_mem_h memory_ = nullptr;
    std::span<std::byte> region_;
    std::vector<Remote> remotes_;  ///< by rank
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing
