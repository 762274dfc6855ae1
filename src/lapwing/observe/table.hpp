#pragma once

#include <array>
#include <cstdint>

#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

// What is kept of one rank: plain memory of fixed size, which may be a mapped file, so that it
// outlives a program that dies. `python/lapwing/observe/record.py` reads it: both change together.

/// A program or a library that calls MPI.
struct Module {
    std::array<char, 504> path{};
    std::uint64_t base = 0;  ///< address it was loaded at; its symbols are relative to that
};

/// A place in a program that calls MPI.
struct Call {
    std::array<char, 32> routine{};   ///< such as "MPI_Send", or "mpi_send_" of Fortran
    std::array<char, 64> function{};  ///< the exported symbol it is in; empty: none
    std::uint64_t address = 0;        ///< to which the call returns
    std::uint64_t module = 0;         ///< index into `Table::module`
    std::uint64_t count = 0;          ///< calls
    std::uint64_t sent = 0;           ///< bytes
    std::uint64_t received = 0;       ///< bytes
    double time = 0;                  ///< seconds
};

/// Messages of an exchange that go one way, to or from one rank with one tag: sums.
struct Route {
    std::int32_t peer = 0;    ///< in its communicator; below 0: whoever sends
    std::int32_t tag = 0;     ///< below 0: any
    std::uint16_t sends = 0;  ///< 1: to the peer, 0: from it
    std::uint16_t phase = 0;  ///< how often all before it was complete: it may depend on that
    std::uint32_t messages = 0;
    std::uint64_t bytes = 0;
};

/// Sums over all exchanges that began at the same call with about as many bytes.
struct Record {
    static constexpr std::size_t most_members = 12;
    static constexpr std::size_t most_peers = 16;
    static constexpr std::size_t most_routes = 32;

    Operation operation = Operation::messages;
    std::uint32_t ranks = 0;
    std::uint32_t head = 0;               ///< index of the call it begins with
    std::uint32_t size_class = 0;         ///< number of binary digits of its bytes
    std::uint32_t members = 0;            ///< calls that belong to it, at most `most_members`
    std::uint32_t peers = 0;              ///< ranks that it had to do with, at most `most_peers`
    std::uint32_t routes = 0;             ///< at most `most_routes`
    Element element = Element::unknown;   ///< of its first message
    std::int32_t root = Traffic::nobody;  ///< of a collective that has one
    std::uint32_t unused = 0;
    std::uint64_t count = 0;
    std::uint64_t messages = 0;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t size = 0;      ///< sum of `Traffic::size`
    std::uint64_t blocking = 0;  ///< of `count`, those without non-blocking calls
    double initiating = 0;       ///< seconds in calls that return at once
    double waiting = 0;          ///< seconds in all others
    double least = 0;            ///< seconds in the calls of the quickest exchange
    double squares = 0;          ///< of the seconds in the calls of each exchange, summed
    double before = 0;           ///< seconds of computation since the call before
    double packing = 0;          ///< seconds of computation until all was initiated
    double behind = 0;           ///< seconds of computation from then to the last completion
    double after = 0;            ///< seconds of computation until the next call
    double beside = 0;           ///< `before` or `after` of each exchange, the less of them
    std::array<std::uint32_t, most_members> member{};
    std::array<std::int32_t, most_peers> peer{};
    std::array<Route, most_routes> route{};
};

struct Table {
    static constexpr std::uint64_t mark = 0x334f5750414cULL;  // "LAPWO3"
    static constexpr std::size_t most_modules = 32;
    static constexpr std::size_t most_calls = 512;
    static constexpr std::size_t most_records = 1024;

    std::uint64_t magic = 0;
    std::uint64_t rank = 0;
    std::uint64_t ranks = 0;
    std::uint64_t finished = 0;  ///< 1 once the program finalized
    std::uint64_t lost = 0;      ///< calls that found no room
    double begun = 0;            ///< seconds, when observing began
    double now = 0;              ///< and when the last call ended
    double computed = 0;         ///< seconds outside of the calls observed
    std::uint64_t recorded = 0;  ///< bytes of records in the rank's file, if there is one
    std::uint64_t recorded_calls = 0;
    std::uint64_t modules = 0;
    std::uint64_t calls = 0;
    std::uint64_t records = 0;
    std::array<Module, most_modules> module;
    std::array<Call, most_calls> call;
    std::array<Record, most_records> record;
};

}  // namespace lapwing::observe
