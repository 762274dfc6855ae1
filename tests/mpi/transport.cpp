// The two-sided transport, its owning types, and counts beyond what an int holds.
#include <mpi.h>

#include <climits>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

using lapwing::ByteType;
using lapwing::TwoSided;

namespace {

void byte_types() {
    constexpr std::size_t chunk = std::size_t{1} << 30;
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{INT_MAX}, std::size_t{INT_MAX} + 1, 2 * chunk,
          2 * chunk + 1, 3 * chunk - 1, std::size_t{5'000'000'001}, std::size_t{1} << 40}) {
        const ByteType data(bytes);
        MPI_Count size = 0;
        MPI_Type_size_x(data.type(), &size);
        CHECK(size * data.count() == static_cast<MPI_Count>(bytes));
        MPI_Count low = -1;
        MPI_Count extent = 0;
        MPI_Type_get_extent_x(data.type(), &low, &extent);
        CHECK(low == 0);
        CHECK(extent * data.count() == static_cast<MPI_Count>(bytes));
    }
}

void requests(TwoSided& transport) {
    const int peer = 1 - transport.rank();
    double out = transport.rank() + 0.5;
    double in = -1;
    {
        // Both directions at once; moving a request does not lose it.
        auto incoming = transport.receive(&in, sizeof in, peer, 7);
        auto outgoing = transport.send(&out, sizeof out, peer, 7);
        TwoSided::Request moved(std::move(incoming));
        TwoSided::Request assigned;
        assigned = std::move(moved);
        assigned.wait();
        assigned.wait();  // once more is nothing
        CHECK(assigned.test());
        while (!outgoing.test()) {
        }
    }
    CHECK(in == peer + 0.5);

    in = -1;
    {
        // Requests that nobody waits for wait in their destructors.
        const auto incoming = transport.receive(&in, sizeof in, peer, 8);
        const auto outgoing = transport.send(&out, sizeof out, peer, 8);
    }
    CHECK(in == peer + 0.5);

    // No bytes are a message, too.
    auto incoming = transport.receive(nullptr, 0, peer, 9);
    transport.send(nullptr, 0, peer, 9).wait();
    incoming.wait();

    TwoSided::Request none;
    CHECK(none.test());
    none.wait();
}

/// Tags tell messages apart, whatever order they are received in.
void tags(TwoSided& transport) {
    std::vector<std::vector<std::byte>> messages;
    for (const std::size_t size :
         {std::size_t{8}, std::size_t{1} << 20, std::size_t{100}, std::size_t{1} << 16})
        messages.emplace_back(size, static_cast<std::byte>(size % 251));
    if (transport.rank() == 1) {
        std::vector<TwoSided::Request> sends;
        for (std::size_t i = 0; i < messages.size(); ++i)
            sends.push_back(
                transport.send(messages[i].data(), messages[i].size(), 0, static_cast<int>(i)));
        return;
    }
    std::vector<std::vector<std::byte>> places;
    std::vector<TwoSided::Request> receives;
    for (const auto& message : messages) places.emplace_back(message.size());
    for (std::size_t i = messages.size(); i-- > 0;)
        receives.push_back(
            transport.receive(places[i].data(), places[i].size(), 1, static_cast<int>(i)));
    receives.clear();
    CHECK(places == messages);
}

/// The error of a failed call names the call, the peer and the reason.
void errors(TwoSided& transport) {
#ifndef LAPWING_SMPI  // aborts instead
    const int nobody = transport.size() + 5;
    double value = 0;
    try {
        (void)transport.send(&value, sizeof value, nobody, 0);
        CHECK(false);
    } catch (const lapwing::MpiError& error) {
        const std::string said = error.what();
        CHECK(said.find("MPI_Isend") != std::string::npos);
        CHECK(said.find("rank " + std::to_string(nobody)) != std::string::npos);
    }
#else
    (void)transport;
#endif
}

/// The library's messages do not meet the program's.
void separate(TwoSided& transport) {
    const int peer = 1 - transport.rank();
    int mine = 1;
    int theirs = 0;
    int ours = 2;
    int library = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&theirs, sizeof theirs, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &request);
    auto incoming = transport.receive(&library, sizeof library, peer, 3);
    auto outgoing = transport.send(&ours, sizeof ours, peer, 3);
    MPI_Send(&mine, sizeof mine, MPI_BYTE, peer, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    incoming.wait();
    outgoing.wait();
    CHECK(theirs == 1);
    CHECK(library == 2);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        TwoSided transport;
        byte_types();
        errors(transport);
        if (transport.rank() < 2) {
            requests(transport);
            tags(transport);
            separate(transport);
        }
        lapwing::Communicator one;
        lapwing::Communicator other(std::move(one));
        CHECK(one.get() == MPI_COMM_NULL);
        CHECK(other.size() == transport.size());
        CHECK(other.rank() == transport.rank());
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
