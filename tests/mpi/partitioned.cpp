// Streams whose messages are partitions, where MPI has them.
#include "lapwing/transport/partitioned/partitioned.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "../support/streams.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/transport/partitioned/transports.hpp"
#include "lapwing/transport/streams.hpp"

#ifdef LAPWING_HAS_PARTITIONED
using lapwing::Messages;
using lapwing::OpenStreams;
using lapwing::Partitioned;
using lapwing::PartitionedMessage;
using lapwing::StreamData;
using lapwing::test::check_throws;
using lapwing::test::stream_byte;

namespace {

/// What `OpenStreams` asks of the messages that a rank receives.
struct Order {
    std::span<std::byte> data;
    int peer;
    Messages cut;
    template <class F>
    void for_each_stream(F&& f) const {
        f(data, peer);
    }
    [[nodiscard]] const Messages& messages() const { return cut; }
};

int next_rank(const Partitioned& transport) { return (transport.rank() + 1) % transport.size(); }
int rank_before(const Partitioned& transport) {
    return (transport.rank() + transport.size() - 1) % transport.size();
}

/// Equal messages, runs of several sizes, a remainder, all of different sizes, one, none.
std::vector<Messages> cuts() {
    return {
        Messages::uniform(64'000, 1000),         Messages::of({8, 8, 8, 1000, 1000, 40'000, 8, 8}),
        Messages::uniform(10'001, 1000),         Messages::of({10, 200, 3000, 40'000, 500'000}),
        Messages::uniform(2'000'000, 2'000'000), Messages()};
}

/// A message that both sides start, whose partitions are made ready from the last to the first; the
/// receiver has other partitions than the sender.
void messages() {
    const lapwing::Communicator all;
    constexpr int count = 12;
    constexpr std::size_t bytes = 500;
    const PartitionedMessage::Ends ends{all.get(), all.rank() == 0 ? 1 : 0, 3};
    std::vector<std::byte> data(count * bytes);
    if (all.rank() == 0) {
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = stream_byte(0, 1, i * 100);
        auto message = PartitionedMessage::sent(data.data(), count, bytes, ends);
        CHECK(!message.test());
        PartitionedMessage moved(std::move(message));
        for (int which = count; which-- > 0;) moved.ready(which);
        moved.wait();
        CHECK(moved.test());
    } else if (all.rank() == 1) {
        auto message = PartitionedMessage::received(data.data(), count / 2, 2 * bytes, ends);
        for (int which = 0; which < count / 2; ++which)
            while (!message.arrived(which)) {
            }
        for (std::size_t i = 0; i < data.size(); ++i) CHECK(data[i] == stream_byte(0, 1, i * 100));
        message.wait();
    }
}

/// Two streams at once from each rank to the next, cut in every way, awaited and tested.
void streams(Partitioned& transport) {
    for (const Messages& cut : cuts()) {
        for (int round = 0; round < 4; ++round) {
            const int window = round * 3;
            const std::size_t bytes = cut.volume();
            std::vector<std::byte> out(2 * bytes);
            std::vector<std::byte> in(2 * bytes);
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = stream_byte(transport.rank(), round, i);
            OpenStreams<Partitioned> open;
            const std::span<std::byte> all(in);
            for (std::size_t begin : {std::size_t{0}, bytes}) {
                open.incoming(transport,
                              Order{all.subspan(begin, bytes), rank_before(transport), cut});
                open.outgoing(transport, std::span(out).subspan(begin, bytes), next_rank(transport),
                              StreamData::complete, cut, window);
            }
            std::vector<Partitioned::Request> requests;
            for (std::size_t begin : {bytes, std::size_t{0}}) {
                for (auto at = cut.begin(); at != Messages::end(); ++at) {
                    requests.push_back(transport.receive(in.data() + begin + at.offset(), *at,
                                                         rank_before(transport), 0));
                    requests.push_back(transport.send(out.data() + begin + at.offset(), *at,
                                                      next_rank(transport), 0));
                }
            }
            for (auto& request : requests) {
                while (round % 2 == 1 && !request.test()) {
                }
                request.wait();
                CHECK(request.test());
            }
            bool right = true;
            for (std::size_t i = 0; i < in.size(); ++i)
                right = right && in[i] == stream_byte(rank_before(transport), round, i);
            CHECK(right);
        }
    }
}

/// Messages of the same memory that belong to no stream, as its cut is not known, and before one.
void outside(Partitioned& transport) {
    std::vector<std::byte> out(100, std::byte{7});
    std::vector<std::byte> in(100);
    {
        OpenStreams<Partitioned> none;
        none.outgoing(transport, out, next_rank(transport), StreamData::complete);
        auto incoming = transport.receive(in.data(), 100, rank_before(transport), 5);
        transport.send(out.data(), 100, next_rank(transport), 5).wait();
        incoming.wait();
    }
    CHECK(in[99] == std::byte{7});
}

/// A message that is not the next one of its stream.
void order(Partitioned& transport) {
    std::vector<std::byte> data(100);
    const Messages cut = Messages::uniform(100, 50);
    const int window = 2;
    OpenStreams<Partitioned> open;
    open.incoming(transport, Order{data, rank_before(transport), cut});
    open.outgoing(transport, data, next_rank(transport), StreamData::complete, cut, window);
    const std::string said = "not the next message of the stream";
    const int next = next_rank(transport);
    check_throws<std::logic_error>([&] { (void)transport.send(data.data(), 20, next, 0); }, said);
    check_throws<std::logic_error>([&] { (void)transport.send(data.data() + 50, 50, next, 0); },
                                   said);
}

}  // namespace
#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
#ifdef LAPWING_HAS_PARTITIONED
    if (lapwing::has_partitioned()) {
        messages();
        Partitioned transport;
        streams(transport);
        outside(transport);
        order(transport);
    }
#endif
    lapwing::partitioned::transports(MPI_COMM_WORLD, 0, [](const char* name, auto& transport) {
        CHECK(name == std::string("partitioned") && transport.size() > 1);
        CHECK(lapwing::has_partitioned());
    });
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
