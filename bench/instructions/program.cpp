// Runs one loop many times over a transport that does nothing, for an instruction counter:
//   program pipeline|pipeline-by-hand|stream|stream-by-hand MESSAGES
// The loops by hand are what a user would write for fixed tiles: a ring of requests and buffers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"

namespace {

constexpr std::uint64_t tile = 8;  // steps a message, each of one number
constexpr int window = 4;

/// Initiates and completes by calls that the compiler cannot look into, as MPI's are.
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

    [[gnu::noinline]] static void* initiate(const void* data, std::size_t bytes, int peer,
                                            int tag) {
        asm volatile("" : : "r"(data), "r"(bytes), "r"(peer), "r"(tag) : "memory");
        return const_cast<void*>(data);
    }
    [[gnu::noinline]] static void complete(void** handle) {
        asm volatile("" : : "r"(handle) : "memory");
        *handle = nullptr;
    }
};

/// A step of computation, out of line.
[[gnu::noinline]] double compute(std::uint64_t step) {
    double value = static_cast<double>(step);
    asm volatile("" : "+x"(value));
    return value;
}

[[gnu::noinline]] void consume(const double* data, std::size_t count) {
    asm volatile("" : : "r"(data), "r"(count) : "memory");
}

/// Room for one message, that the caller knows the size of.
struct Tile {
    double values[tile];
    std::size_t used = 0;
    void clear() { used = 0; }
};

lapwing::Plan plan_for(std::uint64_t messages) {
    lapwing::Plan plan;
    plan.messages = lapwing::Messages::uniform(messages * tile * sizeof(double),
                                               tile * sizeof(double), sizeof(double));
    plan.window = window;
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
    void* requests[window] = {};
    std::uint64_t step = 0;
    for (std::uint64_t message = 0; message < messages; ++message) {
        const std::size_t slot = message % window;
        if (requests[slot] != nullptr) Stub::complete(&requests[slot]);
        Tile& buffer = buffers[slot];
        buffer.used = 0;
        for (const std::uint64_t stop = step + tile; step < stop; ++step)
            buffer.values[buffer.used++] = compute(step);
        requests[slot] = Stub::initiate(buffer.values, buffer.used * sizeof(double), 1,
                                        static_cast<int>(message & 0x7fff));
    }
    for (auto& request : requests)
        if (request != nullptr) Stub::complete(&request);
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
    void* requests[window] = {};
    const auto initiate = [&](std::uint64_t message) {
        requests[message % window] =
            Stub::initiate(data.data() + message * tile, tile * sizeof(double), 1,
                           static_cast<int>(message & 0x7fff));
    };
    for (std::uint64_t message = 0; message < std::min<std::uint64_t>(window, messages); ++message)
        initiate(message);
    for (std::uint64_t message = 0; message < messages; ++message) {
        Stub::complete(&requests[message % window]);
        if (message + window < messages) initiate(message + window);
        consume(data.data() + message * tile, tile);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const std::string_view loop = argv[1];
    const auto messages = static_cast<std::uint64_t>(std::strtoull(argv[2], nullptr, 10));
    if (loop == "pipeline")
        pipeline(messages);
    else if (loop == "pipeline-by-hand")
        pipeline_by_hand(messages);
    else if (loop == "stream")
        stream(messages);
    else if (loop == "stream-by-hand")
        stream_by_hand(messages);
    else
        return 2;
    return 0;
}
