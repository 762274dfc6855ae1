// Every operation of every transport moves the right bytes, and every transport with messages keeps
// what the concept promises, whoever added it.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/calibrate/all_operations.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/transport/all_transports.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/partitioned/available.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/transport.hpp"

namespace {

/// The content of transfer `index` of rank `rank`: random bytes, from a place of its own on.
const std::byte* content(int rank, std::uint64_t index) {
    static const auto drawn = [] {
        std::vector<std::byte> bytes(6 << 20);
        lapwing::test::Random random(1);
        for (auto& byte : bytes) byte = static_cast<std::byte>(random.integer(0, 255));
        return bytes;
    }();
    return drawn.data() + static_cast<std::uint64_t>(rank) * 101 + index * 7;
}

void fill(std::byte* data, std::size_t bytes, int rank, std::uint64_t index) {
    std::copy_n(content(rank, index), bytes, data);
}

/// Compares by one call: byte by byte would take longer than all the rest.
bool same(const std::byte* some, const std::byte* others, std::size_t bytes) {
    return bytes == 0 || std::memcmp(some, others, bytes) == 0;
}

bool filled(const std::byte* data, std::size_t bytes, int rank, std::uint64_t index) {
    return same(data, content(rank, index), bytes);
}

/// Whether the first is `value`, and each the same as the one before.
bool all_are(int value, const std::byte* data, std::size_t bytes) {
    return bytes == 0 ||
           (*data == static_cast<std::byte>(value) && same(data, data + 1, bytes - 1));
}

/// Runs `count` operations of `bytes` each, and checks all the memory that they move.
template <lapwing::InspectableOperation O>
void check_operation(const lapwing::Communicator& pair, O& operation, std::uint64_t count,
                     std::uint64_t bytes, bool tested) {
    const int rank = pair.rank();
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto out = operation.outgoing(index, bytes);
        fill(out.data(), out.size(), rank, index);
        const auto in = operation.incoming(index, bytes);
        std::fill(in.begin(), in.end(), std::byte{255});
    }
    MPI_Barrier(pair.get());
    operation.prepare(count, bytes);
    MPI_Barrier(pair.get());
    if (rank == 0) {
        std::vector<typename O::Request> requests;
        for (std::uint64_t index = 0; index < count; ++index)
            requests.push_back(operation.start(index, bytes));
        if (tested) requests.back().test();
        for (auto& request : requests) {
            request.wait();
            CHECK(request.test());
        }
        operation.finish();
    } else {
        operation.attend(count, bytes);
    }
    MPI_Barrier(pair.get());
    bool moved = true;
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto in = operation.incoming(index, bytes);
        moved = moved && filled(in.data(), in.size(), 1 - rank, index);
    }
    if (!moved)
        std::fprintf(stderr, "%s of %s: %llu of %llu bytes\n", O::name, O::transport,
                     static_cast<unsigned long long>(count),
                     static_cast<unsigned long long>(bytes));
    CHECK(moved);
    // Bytes move in one direction at least.
    const std::uint64_t out = operation.outgoing(0, bytes).size();
    const std::uint64_t in = operation.incoming(0, bytes).size();
    std::uint64_t sum = out + in;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, pair.get());
    CHECK(sum >= 2 * bytes);
    CHECK(sum <= 4 * bytes);
    MPI_Barrier(pair.get());
}

void check_operations() {
    const lapwing::Communicator pair;
    constexpr std::size_t capacity = 4 << 20;
    std::set<std::string> names;
    lapwing::all_operations(pair.get(), capacity, [&](auto& operation) {
        using O = std::remove_reference_t<decltype(operation)>;
        CHECK(names.insert(std::string(O::transport) + " " + O::name).second);
        for (const bool tested : {false, true}) {
            for (const std::uint64_t bytes : {0, 1, 8, 1001, 65536, 300007})
                for (const std::uint64_t count : {1, 2, 13})
                    check_operation(pair, operation, count, bytes, tested);
            check_operation(pair, operation, 1, capacity, tested);
            check_operation(pair, operation, 1000, 64, tested);
        }
    });
    for (const auto* name :
         {"two-sided isend", "two-sided send", "rma put", "rma get", "rma rput", "rma rget",
          "collective ialltoall", "collective ibcast", "synchronous issend"})
        CHECK(names.count(name) == 1);
    CHECK(names.count("partitioned pready") == (lapwing::has_partitioned() ? 1 : 0));
#ifdef LAPWING_UCX
    for (const auto* name : {"ucx put", "ucx get"}) CHECK(names.count(name) == 1);
#endif
}

/// A transport with messages between two ranks, and what a test of it needs.
template <lapwing::Transport T>
class Ranks {
  public:
    using Request = typename T::Request;

    Ranks(T& transport, const lapwing::Communicator& pair)
        : transport_(transport), pair_(pair), rank_(pair.rank()), peer_(1 - rank_) {}

    void check() {
        requests();
        sizes();
        many();
        memory_is_its_owners();
        long_outstanding();
        if constexpr (!lapwing::InOrder<T>) {
            tags();
            equal_tags();
        }
        streams();
        schedules();
        pipelines();
    }

  private:
    void meet() { MPI_Barrier(pair_.get()); }
    auto memory(std::size_t bytes, int value = 255) {
        auto part = lapwing::memory_for(transport_, bytes);
        std::fill_n(part.data(), bytes, static_cast<std::byte>(value));
        return part;
    }
    static void spin(Request& request) {
        while (!request.test()) {
        }
    }

    /// A request can be moved, awaited twice, tested, and left to its destructor.
    void requests() {
        auto out = memory(1000);
        auto in = memory(1000);
        fill(out.data(), 1000, rank_, 0);
        {
            auto incoming = transport_.receive(in.data(), 1000, peer_, 1);
            auto outgoing = transport_.send(out.data(), 1000, peer_, 1);
            Request moved(std::move(incoming));
            Request assigned;
            assigned = std::move(moved);
            assigned.wait();
            assigned.wait();
            CHECK(assigned.test());
            spin(outgoing);
            CHECK(outgoing.test());
        }
        CHECK(filled(in.data(), 1000, peer_, 0));
        fill(out.data(), 1000, rank_, 1);
        {
            const auto incoming = transport_.receive(in.data(), 1000, peer_, 2);
            const auto outgoing = transport_.send(out.data(), 1000, peer_, 2);
        }
        CHECK(filled(in.data(), 1000, peer_, 1));
        {
            // One that is overwritten is complete too, sooner or later.
            Request request = transport_.receive(in.data(), 500, peer_, 3);
            auto outgoing = transport_.send(out.data(), 500, peer_, 3);
            request = Request();
        }
        Request none;
        CHECK(none.test());
        none.wait();
        meet();
    }

    /// Both ways at once, whatever is initiated and awaited first.
    void sizes() {
        for (const std::size_t bytes : {0, 1, 3, 8, 1001, 65536, 300007, 5'000'003}) {
            auto out = memory(bytes);
            auto in = memory(bytes);
            for (unsigned order = 0; order < 8; ++order) {
                fill(out.data(), bytes, rank_, order);
                const bool send_first = ((order & 1U) != 0) == (rank_ == 0);
                const bool await_send_first = ((order & 2U) != 0) == (rank_ == 0);
                Request outgoing;
                Request incoming;
                if (send_first) outgoing = transport_.send(out.data(), bytes, peer_, 4);
                incoming = transport_.receive(in.data(), bytes, peer_, 4);
                if (!send_first) outgoing = transport_.send(out.data(), bytes, peer_, 4);
                const auto await = [&](Request& request) {
                    if ((order & 4U) != 0) spin(request);
                    request.wait();
                };
                await(await_send_first ? outgoing : incoming);
                await(await_send_first ? incoming : outgoing);
                CHECK(filled(in.data(), bytes, peer_, order));
            }
        }
        // No bytes have no place, either.
        auto incoming = transport_.receive(nullptr, 0, peer_, 5);
        transport_.send(nullptr, 0, peer_, 5).wait();
        incoming.wait();
    }

    /// Many in flight, of all sizes, awaited from the first, from the last, or not at all.
    void many() {
        constexpr std::size_t count = 300;
        constexpr std::size_t largest = 70'000;
        auto out = memory(count * largest);
        auto in = memory(count * largest);
        const auto size = [](std::size_t i) { return i % 7 == 0 ? largest - i : i * 5 % 2000; };
        for (std::size_t i = 0; i < count; ++i) fill(out.data() + i * largest, size(i), rank_, i);
        for (const int order : {0, 1, 2}) {
            std::fill_n(in.data(), count * largest, std::byte{255});
            {
                std::vector<Request> requests;
                for (std::size_t i = 0; i < count; ++i) {
                    const int tag = static_cast<int>(i);
                    const std::size_t place = i * largest;
                    requests.push_back(transport_.receive(in.data() + place, size(i), peer_, tag));
                    requests.push_back(transport_.send(out.data() + place, size(i), peer_, tag));
                }
                if (order == 1) std::reverse(requests.begin(), requests.end());
                if (order < 2)
                    for (auto& request : requests) request.wait();
            }
            bool right = true;
            for (std::size_t i = 0; i < count; ++i) {
                const std::byte* const place = in.data() + i * largest;
                right = right && filled(place, size(i), peer_, i) &&
                        all_are(255, place + size(i), largest - size(i));
            }
            CHECK(right);
        }
    }

    /// An early send does not touch memory that its owner has not given away yet.
    void memory_is_its_owners() {
        for (const std::size_t bytes : {100, 1'000'000}) {
            auto out = memory(bytes);
            auto in = memory(bytes, 1);
            fill(out.data(), bytes, rank_, 6);
            meet();
            if (rank_ == 0) {
                auto outgoing = transport_.send(out.data(), bytes, peer_, 6);
                (void)outgoing.test();
                meet();
                outgoing.wait();
            } else {
                meet();
                lapwing::wait_until(lapwing::now() + 2e-3);
                CHECK(all_are(1, in.data(), bytes));
                transport_.receive(in.data(), bytes, peer_, 6).wait();
                CHECK(filled(in.data(), bytes, peer_, 6));
            }
        }
    }

    /// One message stays under way while more pass than there are tags.
    void long_outstanding() {
        if constexpr (lapwing::InOrder<T>) return;
        constexpr std::size_t together = 500;
        auto out = memory(16);
        auto in = memory(together * 8);
        auto early = memory(16, 1);
        fill(out.data(), 16, rank_, 7);
        const int tag = 32'767;
        Request first;
        if (rank_ == 0) first = transport_.receive(early.data(), 16, peer_, tag);
        for (std::size_t passed = 0; passed <= 32'768; passed += together) {
            std::vector<Request> requests;
            for (std::size_t i = 0; i < together; ++i)
                requests.push_back(rank_ == 0 ? transport_.receive(in.data() + i * 8, 8, peer_, 7)
                                              : transport_.send(out.data(), 8, peer_, 7));
        }
        CHECK(!(rank_ == 0 && first.test()));
        meet();
        if (rank_ == 1) transport_.send(out.data(), 16, peer_, tag).wait();
        first.wait();
        CHECK(rank_ == 1 || filled(early.data(), 16, peer_, 7));
    }

    /// Tags tell messages apart, whatever order they are received and awaited in.
    void tags() {
        const std::vector<std::size_t> sizes = {8, 1 << 20, 100, 1 << 16, 0, 3};
        auto out = memory(1 << 21);
        auto in = memory(1 << 21);
        std::vector<std::size_t> places = {0};
        for (const auto size : sizes) places.push_back(places.back() + size);
        for (std::size_t i = 0; i < sizes.size(); ++i)
            fill(out.data() + places[i], sizes[i], rank_, i);
        std::vector<Request> requests;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            requests.push_back(
                transport_.send(out.data() + places[i], sizes[i], peer_, static_cast<int>(i)));
        for (std::size_t i = sizes.size(); i-- > 0;) {
            // The first of these is awaited alone, while what was sent before it has no receiver.
            transport_.receive(in.data() + places[i], sizes[i], peer_, static_cast<int>(i)).wait();
            CHECK(filled(in.data() + places[i], sizes[i], peer_, i));
        }
        for (auto& request : requests) request.wait();
    }

    /// Messages of one tag meet in their order, however they are awaited.
    void equal_tags() {
        constexpr std::size_t count = 20;
        constexpr std::size_t bytes = 30'000;
        auto out = memory(count * bytes);
        auto in = memory(count * bytes);
        const auto size = [](std::size_t i) { return i % 3 == 0 ? bytes : 10 * i; };
        for (std::size_t i = 0; i < count; ++i) fill(out.data() + i * bytes, size(i), rank_, i);
        std::vector<Request> requests;
        for (std::size_t i = 0; i < count; ++i)
            requests.push_back(transport_.send(out.data() + i * bytes, size(i), peer_, 8));
        for (std::size_t i = 0; i < count; ++i)
            requests.push_back(transport_.receive(in.data() + i * bytes, size(i), peer_, 8));
        std::reverse(requests.begin(), requests.end());
        for (auto& request : requests) request.wait();
        for (std::size_t i = 0; i < count; ++i)
            CHECK(filled(in.data() + i * bytes, size(i), peer_, i));
    }

    void stream(const lapwing::Plan& plan, int leave_after) {
        const std::size_t count = plan.messages.volume() / sizeof(double);
        auto whole = memory(count * sizeof(double));
        const std::span<double> data(reinterpret_cast<double*>(whole.data()), count);
        const auto number = [](std::size_t i) { return 0.37 * static_cast<double>(i) + 1; };
        if (rank_ == 1) {
            for (std::size_t i = 0; i < count; ++i) data[i] = number(i);
            lapwing::feed(transport_, peer_, std::span<const double>(data), plan);
            return;
        }
        {
            const lapwing::Source source{transport_, peer_, data};
            std::uint64_t next = 0;
            int pieces = 0;
            for (const auto piece : lapwing::stream<double>(source, plan)) {
                CHECK(piece.first == next);
                bool right = true;
                for (const double value : piece.data) right = right && value == number(next++);
                CHECK(right);
                if (pieces++ == leave_after) break;
            }
        }
        bool right = true;
        for (std::size_t i = 0; i < count; ++i) right = right && data[i] == number(i);
        CHECK(right);
    }
    void streams() {
        using lapwing::Messages;
        Messages growing(8);
        for (std::uint64_t size = 512; size <= 1 << 20; size *= 2) growing.append(size);
        Messages sawtooth(8);
        for (int tooth = 0; tooth < 4; ++tooth) {
            sawtooth.append(1 << 18);
            sawtooth.append(8, 20);
            sawtooth.append(1 << 16, 2);
        }
        lapwing::Plan plan;
        for (const auto& messages :
             {growing, growing.reversed(), sawtooth, Messages::uniform(1'000'000, 24'000, 8)}) {
            for (const int window : {1, 2, 16}) {
                plan.messages = messages;
                plan.window = window;
                stream(plan, -1);
            }
        }
        if constexpr (!lapwing::InOrder<T>) {
            // More messages than there are tags.
            plan.messages = Messages::uniform(33'000 * sizeof(double), 8, 8);
            plan.window = 200;
            stream(plan, -1);
        }
        plan.messages = Messages::uniform(400'000, 40'000, 8);
        plan.window = 3;
        stream(plan, 1);  // left early
        plan.poll_interval = 1e-6;
        stream(plan, -1);
    }

    void schedule(lapwing::TemplateSchedule which, std::size_t volume, std::uint64_t size,
                  int burst) {
        auto data = memory(volume);
        if (rank_ == 1) {
            fill(data.data(), volume, rank_, 9);
            lapwing::feed(
                transport_, peer_, std::span<const std::byte>(data.data(), volume),
                {lapwing::Messages::uniform(volume, size), lapwing::outstanding(which, burst)});
            return;
        }
        std::uint64_t next = 0;
        bool right = true;
        const lapwing::Source source{transport_, peer_, std::span(data.data(), volume)};
        lapwing::run_schedule(
            which, source, size, burst, [&](std::uint64_t offset, std::uint64_t bytes) {
                right = right && offset == next;
                right = right && same(data.data() + offset, content(peer_, 9) + offset, bytes);
                next += bytes;
            });
        CHECK(right);
        CHECK(next == volume);
    }
    void schedules() {
        using lapwing::TemplateSchedule;
        for (const auto which : {TemplateSchedule::A, TemplateSchedule::B, TemplateSchedule::C,
                                 TemplateSchedule::D, TemplateSchedule::E}) {
            for (const int burst : {1, 8}) {
                schedule(which, 1 << 20, 4096, burst);
                schedule(which, 1 << 20, 1 << 18, burst);
                schedule(which, 100'001, 1000, burst);
            }
        }
    }

    /// The sender's buffers are those of a pipeline, used again and again.
    void pipelines() {
        constexpr std::uint64_t grain = 48;
        for (const std::uint64_t tile : {10, 100, 1500}) {
            for (const int window : {1, 4}) {
                lapwing::Plan plan;
                const std::uint64_t steps = 3'007;
                plan.messages = lapwing::Messages::uniform(steps * grain, tile * grain, grain);
                plan.window = window;
                pipeline(plan, steps, grain);
            }
        }
    }
    void pipeline(const lapwing::Plan& plan, std::uint64_t steps, std::uint64_t grain) {
        auto whole = memory(steps * grain);
        if (rank_ == 0) {
            for (auto at = plan.messages.begin(); !(at == lapwing::Messages::end()); ++at)
                transport_
                    .receive(whole.data() + at.offset(), *at, peer_,
                             lapwing::message_tag(at.index()))
                    .wait();
            CHECK(filled(whole.data(), steps * grain, peer_, 10));
            return;
        }
        std::uint64_t sent = 0;
        std::uint64_t offset = 0;
        lapwing::pipeline(
            plan, steps,
            [&](std::uint64_t step, lapwing::Buffer& buffer) {
                // Byte by byte, as a program's own steps do.
                for (std::uint64_t i = 0; i < grain; ++i)
                    buffer.append(content(rank_, 10) + step * grain + i, 1);
            },
            [&](lapwing::Buffer& buffer) {
                // Some transports send only from memory of their own.
                std::byte* const place = whole.data() + offset;
                if (buffer.size() > 0) std::memcpy(place, buffer.data(), buffer.size());
                offset += buffer.size();
                return transport_.send(place, buffer.size(), peer_, lapwing::message_tag(sent++));
            });
        CHECK(sent == plan.messages.count());
    }

    T& transport_;
    const lapwing::Communicator& pair_;
    int rank_;
    int peer_;
};

void check_transports() {
    const lapwing::Communicator pair;
    std::set<std::string> names;
    lapwing::all_transports(pair.get(), 64 << 20, [&](const char* name, auto& transport) {
        CHECK(names.insert(name).second);
        const int before = lapwing::test::failures();
        Ranks(transport, pair).check();
        MPI_Barrier(pair.get());
        if (lapwing::test::failures() > before) std::fprintf(stderr, "with %s\n", name);
    });
    for (const auto* name : {"two-sided", "put", "get", "collective", "synchronous"})
        CHECK(names.count(name) == 1);
    CHECK(names.count("partitioned") == (lapwing::has_partitioned() ? 1 : 0));
#ifdef LAPWING_UCX
    for (const auto* name : {"ucx-put", "ucx-get"}) CHECK(names.count(name) == 1);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    check_operations();
    check_transports();
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
