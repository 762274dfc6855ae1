// Runs one loop many times over a transport that does nothing, for an instruction counter:
//   program LOOP|LOOP-by-hand MESSAGES       LOOP: pipeline, consume, stream, multi, feed,
//                                                halo, halo-edges (by edge as it arrives)
// The loops by hand are what a user would write for fixed tiles: a ring of requests and buffers.
// Tile and window are known at run time, not before, as they are to the library.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/halo.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"

namespace {

constexpr std::uint64_t capacity = 8;
volatile std::uint64_t tile_at_run_time = capacity;  // steps a message, each of one number
volatile std::uint64_t window_at_run_time = 4;
const std::uint64_t tile = tile_at_run_time;
const std::uint64_t window = window_at_run_time;

/// A transport whose calls the compiler cannot look into, like MPI's.
class Stub {
  public:
    class Request {
      public:
        Request() = default;
        explicit Request(void* handle) : handle_(handle) {}
        Request(Request&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(handle_, other.handle_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        ~Request() {
            if (handle_ != nullptr) complete(&handle_);
        }
        bool test() {
            complete(&handle_);
            return true;
        }
        void wait() { complete(&handle_); }

      private:
        void* handle_ = nullptr;
    };

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return Request(initiate(from, bytes, peer, tag));
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return Request(initiate(into, bytes, peer, tag));
    }
    [[nodiscard]] static double now() { return 0; }

    [[gnu::noipa]] static void* initiate(const void* data, std::size_t bytes, int peer, int tag) {
        asm volatile("" : : "r"(data), "r"(bytes), "r"(peer), "r"(tag) : "memory");
        return const_cast<void*>(data);
    }
    [[gnu::noipa]] static void complete(void** handle) {
        asm volatile("" : : "r"(handle) : "memory");
        *handle = nullptr;
    }
};

/// A step of computation, not inlined.
[[gnu::noipa]] double compute(std::uint64_t step) {
    double value = static_cast<double>(step);
    asm volatile("" : "+x"(value));
    return value;
}

[[gnu::noipa]] void consume(const double* data, std::size_t count) {
    asm volatile("" : : "r"(data), "r"(count) : "memory");
}

/// A buffer for one message of known size.
struct Tile {
    double values[capacity];
    std::size_t used = 0;
    void clear() { used = 0; }
};

lapwing::Plan plan_for(std::uint64_t messages) {
    lapwing::Plan plan;
    plan.messages = lapwing::Messages::uniform(messages * tile * sizeof(double),
                                               tile * sizeof(double), sizeof(double));
    plan.window = static_cast<int>(window);
    return plan;
}

void pipeline(std::uint64_t messages) {
    Stub transport;
    int tag = 0;
    lapwing::pipeline<Tile>(
        plan_for(messages), messages * tile,
        [](std::uint64_t step, Tile& buffer) { buffer.values[buffer.used++] = compute(step); },
        [&](Tile& buffer) {
            return transport.send(buffer.values, buffer.used * sizeof(double), 1, tag++ & 0x7fff);
        });
}

void pipeline_by_hand(std::uint64_t messages) {
    std::vector<Tile> buffers(window);
    std::vector<void*> requests(window);
    std::uint64_t step = 0;
    std::size_t slot = 0;
    for (std::uint64_t message = 0; message < messages; ++message) {
        if (requests[slot] != nullptr) Stub::complete(&requests[slot]);
        Tile& buffer = buffers[slot];
        buffer.used = 0;
        for (const std::uint64_t stop = step + tile; step < stop; ++step)
            buffer.values[buffer.used++] = compute(step);
        requests[slot] = Stub::initiate(buffer.values, buffer.used * sizeof(double), 1,
                                        static_cast<int>(message & 0x7fff));
        if (++slot == window) slot = 0;
    }
    for (auto& request : requests)
        if (request != nullptr) Stub::complete(&request);
}

void pipeline_consume(std::uint64_t messages) {
    Stub transport;
    int tag = 0;
    lapwing::pipeline<Tile>(
        plan_for(messages), messages * tile,
        [](std::uint64_t step, Tile& buffer) { buffer.values[buffer.used++] = compute(step); },
        [&](Tile& buffer) {
            return transport.send(buffer.values, buffer.used * sizeof(double), 1, tag++ & 0x7fff);
        },
        [](Tile& buffer) { consume(buffer.values, buffer.used); });
}

void pipeline_consume_by_hand(std::uint64_t messages) {
    std::vector<Tile> buffers(window);
    std::vector<void*> requests(window);
    std::uint64_t step = 0;
    std::size_t slot = 0;
    const auto complete = [&] {
        if (requests[slot] == nullptr) return;
        Stub::complete(&requests[slot]);
        consume(buffers[slot].values, buffers[slot].used);
    };
    for (std::uint64_t message = 0; message < messages; ++message) {
        complete();
        Tile& buffer = buffers[slot];
        buffer.used = 0;
        for (const std::uint64_t stop = step + tile; step < stop; ++step)
            buffer.values[buffer.used++] = compute(step);
        requests[slot] = Stub::initiate(buffer.values, buffer.used * sizeof(double), 1,
                                        static_cast<int>(message & 0x7fff));
        if (++slot == window) slot = 0;
    }
    for (std::uint64_t left = 0; left < window; ++left) {
        complete();
        if (++slot == window) slot = 0;
    }
}

void stream(std::uint64_t messages) {
    Stub transport;
    std::vector<double> data(messages * tile);
    const lapwing::Source source{transport, 1, std::span<double>(data)};
    for (const auto piece : lapwing::stream<double>(source, plan_for(messages)))
        consume(piece.data.data(), piece.data.size());
}

void stream_by_hand(std::uint64_t messages) {
    std::vector<double> data(messages * tile);
    std::vector<void*> requests(window);
    std::uint64_t next = 0;
    const auto initiate = [&](void*& request) {
        request = Stub::initiate(data.data() + next * tile, tile * sizeof(double), 1,
                                 static_cast<int>(next & 0x7fff));
        ++next;
    };
    while (next < std::min(window, messages)) initiate(requests[next]);
    std::size_t slot = 0;
    for (std::uint64_t message = 0; message < messages; ++message) {
        Stub::complete(&requests[slot]);
        if (next < messages) initiate(requests[slot]);
        consume(data.data() + message * tile, tile);
        if (++slot == window) slot = 0;
    }
}

/// Receives from two peers, a message of each in turn.
void multi(std::uint64_t messages) {
    Stub transport;
    std::vector<double> data(messages * tile);
    const lapwing::Sources sources{transport, {1, 2}, std::span<double>(data)};
    for (const auto piece : lapwing::multi<double>(sources, plan_for(messages / 2)))
        consume(piece.data.data(), piece.data.size());
}

void multi_by_hand(std::uint64_t messages) {
    std::vector<double> data(messages * tile);
    const std::vector<int> peers = {1, 2};
    const std::uint64_t each = messages / peers.size();
    std::vector<void*> requests(window);
    struct Place {
        std::uint64_t message = 0;
        std::size_t peer = 0;
    };
    Place next;
    Place present;
    const auto advance = [&](Place& place) {
        if (++place.peer < peers.size()) return;
        place.peer = 0;
        ++place.message;
    };
    const auto start = [&](const Place& place) {
        return data.data() + (place.peer * each + place.message) * tile;
    };
    const auto initiate = [&](void*& request) {
        request = Stub::initiate(start(next), tile * sizeof(double), peers[next.peer],
                                 static_cast<int>(next.message & 0x7fff));
        advance(next);
    };
    for (std::uint64_t i = 0; i < std::min(window, messages); ++i) initiate(requests[i]);
    std::size_t slot = 0;
    for (; present.message < each; advance(present)) {
        Stub::complete(&requests[slot]);
        if (next.message < each) initiate(requests[slot]);
        consume(start(present), tile);
        if (++slot == window) slot = 0;
    }
}

void feed(std::uint64_t messages) {
    Stub transport;
    const std::vector<double> data(messages * tile);
    lapwing::feed(transport, 1, std::span<const double>(data), plan_for(messages));
}

void feed_by_hand(std::uint64_t messages) {
    const std::vector<double> data(messages * tile);
    std::vector<void*> requests(window);
    std::size_t slot = 0;
    for (std::uint64_t message = 0; message < messages; ++message) {
        if (requests[slot] != nullptr) Stub::complete(&requests[slot]);
        requests[slot] = Stub::initiate(data.data() + message * tile, tile * sizeof(double), 1,
                                        static_cast<int>(message & 0x7fff));
        if (++slot == window) slot = 0;
    }
    for (auto& request : requests)
        if (request != nullptr) Stub::complete(&request);
}

/// An exchange with four neighbours has eight messages.
constexpr int neighbours = 4;
constexpr std::uint64_t per_exchange = 2 * neighbours;

std::vector<lapwing::Edge<double>> edges_of(std::vector<double>& data) {
    std::vector<lapwing::Edge<double>> edges;
    const std::span<double> all(data);
    for (int side = 0; side < neighbours; ++side) {
        const auto place = static_cast<std::size_t>(2 * side) * tile;
        edges.push_back({.peer = side + 1,
                         .send = all.subspan(place, tile),
                         .receive = all.subspan(place + tile, tile),
                         .send_tag = side,
                         .receive_tag = side ^ 1});
    }
    return edges;
}

/// `border`: what the exchange calls, for all edges at once or for each of them.
template <class Border>
void halo(std::uint64_t messages, Border&& border) {
    Stub transport;
    std::vector<double> data(per_exchange * tile);
    lapwing::Halo edges(transport, edges_of(data));
    for (std::uint64_t step = 0; step < messages / per_exchange; ++step)
        edges.exchange([&] { compute(step); }, border);
}

template <class Border>
void halo_by_hand(std::uint64_t messages, bool each, Border&& border) {
    std::vector<double> data(per_exchange * tile);
    const auto edges = edges_of(data);
    void* receives[neighbours] = {};
    void* sends[neighbours] = {};
    for (std::uint64_t step = 0; step < messages / per_exchange; ++step) {
        for (std::size_t side = 0; side < neighbours; ++side) {
            const auto& e = edges[side];
            receives[side] =
                Stub::initiate(e.receive.data(), e.receive.size_bytes(), e.peer, e.receive_tag);
        }
        for (std::size_t side = 0; side < neighbours; ++side) {
            const auto& e = edges[side];
            sends[side] = Stub::initiate(e.send.data(), e.send.size_bytes(), e.peer, e.send_tag);
        }
        compute(step);
        for (std::size_t side = 0; side < neighbours; ++side) {
            Stub::complete(&receives[side]);
            if (each) border(side);
        }
        for (auto& request : sends) Stub::complete(&request);
        if (!each) border(0);
    }
}

void halo_whole(std::uint64_t messages) {
    halo(messages, [] { consume(nullptr, 0); });
}
void halo_whole_by_hand(std::uint64_t messages) {
    halo_by_hand(messages, false, [](std::size_t) { consume(nullptr, 0); });
}
void halo_edges(std::uint64_t messages) {
    halo(messages, [](std::size_t edge) { consume(nullptr, edge); });
}
void halo_edges_by_hand(std::uint64_t messages) {
    halo_by_hand(messages, true, [](std::size_t edge) { consume(nullptr, edge); });
}

struct Loop {
    std::string_view name;
    void (*ours)(std::uint64_t messages);
    void (*by_hand)(std::uint64_t messages);
};
constexpr Loop loops[] = {{"pipeline", pipeline, pipeline_by_hand},
                          {"consume", pipeline_consume, pipeline_consume_by_hand},
                          {"stream", stream, stream_by_hand},
                          {"multi", multi, multi_by_hand},
                          {"feed", feed, feed_by_hand},
                          {"halo", halo_whole, halo_whole_by_hand},
                          {"halo-edges", halo_edges, halo_edges_by_hand}};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const std::string_view name = argv[1];
    const auto messages = static_cast<std::uint64_t>(std::strtoull(argv[2], nullptr, 10));
    for (const auto& loop : loops) {
        if (name == loop.name) {
            loop.ours(messages);
            return 0;
        }
        if (name == std::string(loop.name) + "-by-hand") {
            loop.by_hand(messages);
            return 0;
        }
    }
    return 2;
}
