#include "observed_call.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>

#include "mpi_weak.hpp"
#include "record_files.hpp"

#ifdef LAPWING_SMPI
extern "C" int sg_actor_self_get_pid();
#endif

namespace lapwing::observe {
namespace {

/// One rank: its table, the observer that writes it, and the calls that are known.
struct Rank {
    Table* table = nullptr;
    Observer* observer = nullptr;
    EventRing* events = nullptr;
    Recorder* recorder = nullptr;
    bool sums = true;  ///< what it does is summed up
    MPI_Comm ranks{};
    bool threads = false;  ///< several threads may call at once
    std::atomic_flag busy;
    int depth = 0;  ///< of calls within calls; simulated ranks only
    struct Known {
        const void* address = nullptr;
        const char* routine = nullptr;
        std::uint32_t call = 0;
    };
    std::array<Known, 2 * Table::most_calls> known{};
};

#ifdef LAPWING_SMPI
// All simulated ranks live in this process, each as an actor.
constexpr int most_actors = 1 << 16;
std::array<Rank*, most_actors> actors{};
Rank* here() { return actors[static_cast<std::size_t>(sg_actor_self_get_pid()) % most_actors]; }
void set_here(Rank* rank) {
    actors[static_cast<std::size_t>(sg_actor_self_get_pid()) % most_actors] = rank;
}
int& depth() { return here()->depth; }
#else
Rank* only = nullptr;
// This model needs no function call to find the variable.
thread_local int depth_here __attribute__((tls_model("initial-exec"))) = 0;
Rank* here() { return only; }
void set_here(Rank* rank) { only = rank; }
int& depth() { return depth_here; }
#endif

template <std::size_t n>
void copy(std::array<char, n>& to, const char* from) {
    const std::string_view text(from ? from : "");
    const std::size_t length = std::min(text.size(), n - 1);
    std::memcpy(to.data(), text.data(), length);
    to[length] = 0;
}

/// Index of the module that an address is in; enters it in the table if it is new.
std::uint64_t module_of(Table& table, const Dl_info& info) {
    const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
    for (std::uint64_t i = 0; i < table.modules; ++i)
        if (table.module[i].base == base) return i;
    if (table.modules == Table::most_modules) return Table::most_modules - 1;
    Module& module = table.module[table.modules];
    module.base = base;
    // The program itself is given by the name it was called by, without a path.
    const bool is_program = info.dli_fname && !std::strchr(info.dli_fname, '/');
    const char* const name = is_program ? "/proc/self/exe" : info.dli_fname;
    char* const whole = name ? realpath(name, nullptr) : nullptr;
    copy(module.path, whole ? whole : name);
    std::free(whole);
    return table.modules++;
}

bool enter_call(Table& table, const void* address, const char* routine) {
    if (table.calls == Table::most_calls) return false;
    Call& call = table.call[table.calls];
    copy(call.routine, routine);
    call.address = reinterpret_cast<std::uint64_t>(address);
    Dl_info info{};
    if (dladdr(address, &info) != 0) {
        copy(call.function, info.dli_sname);
        call.module = module_of(table, info);
    }
    ++table.calls;
    return true;
}

/// Memory for a `Content`: a mapped file where that is possible, which stays when the program dies.
template <class Content>
Content* make_mapped(const char* directory, const char* name, int rank) {
    std::array<char, 4096> path{};
    std::snprintf(path.data(), path.size(), "%s/%s.%d", directory, name, rank);
    void* memory = MAP_FAILED;
    const int file = open(path.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) {
        // All of it is allocated at once: a full disk must not end the program later.
        if (posix_fallocate(file, 0, sizeof(Content)) == 0)
            memory = mmap(nullptr, sizeof(Content), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    if (memory == MAP_FAILED)
        memory = mmap(nullptr, sizeof(Content), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    auto* const made = ::new (memory) Content;
    made->magic = Content::mark;
    return made;
}

/// Bytes of a table that are in use. Its last part is the records.
std::size_t used_bytes(const Table& table) {
    return offsetof(Table, record) + table.records * sizeof(Record);
}

/// Bytes of the events of a rank that are in use.
std::size_t used_bytes(const EventRing& events) {
    const auto kept = std::min<std::uint64_t>(events.recorded, EventRing::most);
    return offsetof(EventRing, event) + kept * sizeof(RecordedEvent);
}

/// Collects a `Content` of each rank at the first, which writes them to the file `name`.
template <class Content>
void write_all(const char* directory, const char* name, const Content& own, const Rank& rank) {
    constexpr int tag = 0;
    if (rank.table->rank != 0) {
        auto bytes = static_cast<int>(used_bytes(own));
        PMPI_Send(&own, bytes, MPI_BYTE, 0, tag, rank.ranks);
        return;
    }
    std::array<char, 4096> part{};
    std::array<char, 4096> whole{};
    std::snprintf(part.data(), part.size(), "%s/%s.part", directory, name);
    std::snprintf(whole.data(), whole.size(), "%s/%s", directory, name);
    std::FILE* const file = std::fopen(part.data(), "wb");
    bool written = file && std::fwrite(&own, used_bytes(own), 1, file) == 1;
    void* const buffer = std::malloc(sizeof(Content));
    for (std::uint64_t r = 1; buffer && r < rank.table->ranks; ++r) {
        PMPI_Recv(buffer, static_cast<int>(sizeof(Content)), MPI_BYTE, static_cast<int>(r), tag,
                  rank.ranks, MPI_STATUS_IGNORE);
        const auto& other = *static_cast<const Content*>(buffer);
        written = written && std::fwrite(&other, used_bytes(other), 1, file) == 1;
    }
    std::free(buffer);
    if (file) written = std::fclose(file) == 0 && written;
    if (written) std::rename(part.data(), whole.data());
}

/// Memory for the events of a rank, and when all ranks began.
EventRing* make_events(const char* directory, const Rank& rank) {
    const int number = static_cast<int>(rank.table->rank);
    auto* const events = make_mapped<EventRing>(directory, "events", number);
    if (!events) std::abort();
    events->rank = rank.table->rank;
    gethostname(events->host.data(), events->host.size() - 1);
    PMPI_Barrier(MPI_COMM_WORLD);
    events->origin = now();
    return events;
}

}  // namespace

double now() {
#ifdef LAPWING_SMPI
    return PMPI_Wtime();
#else
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#endif
}

bool records_calls() { return here() && here()->recorder; }
bool records_events() { return here() && here()->events; }

ObservedCall::ObservedCall(const char* routine, const void* address)
    : routine_(routine), address_(address), on_(here() && depth()++ == 0) {
    if (on_) start_ = now();
}

ObservedCall::~ObservedCall() {
    if (here()) --depth();
}

void ObservedCall::lock() {
    Rank& rank = *here();
    if (rank.threads)
        while (rank.busy.test_and_set(std::memory_order_acquire)) continue;
}

void ObservedCall::unlock() {
    Rank& rank = *here();
    if (rank.threads) rank.busy.clear(std::memory_order_release);
}

/// Who is told of the call, and the index of its call site: the last one where there is no room.
Listeners ObservedCall::find_listeners(std::uint32_t& call) {
    const Rank& rank = *here();
    if (!rank.observer) return {};
    const bool known = find_call(call);
    if (!known) call = Table::most_calls - 1;
    return {known && rank.sums ? rank.observer : nullptr, rank.recorder};
}

bool ObservedCall::find_call(std::uint32_t& call) {
    Rank& rank = *here();
    const auto mixed = (reinterpret_cast<std::uint64_t>(address_) * 0x9e3779b97f4a7c15ULL) >> 48U;
    for (std::size_t i = mixed % rank.known.size();; i = (i + 1) % rank.known.size()) {
        Rank::Known& known = rank.known[i];
        if (known.address == address_ && known.routine == routine_) {
            call = known.call;
            return true;
        }
        if (known.address) continue;
        const auto index = static_cast<std::uint32_t>(rank.table->calls);
        if (!enter_call(*rank.table, address_, routine_)) {
            if (rank.sums) ++rank.table->lost;
            return false;
        }
        known = {address_, routine_, index};
        call = index;
        return true;
    }
}

void begin_observing(int threads) {
    const char* const directory = std::getenv("LAPWING_OBSERVE");
    if (!directory || !*directory || here()) return;
    int number = 0;
    int size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &number);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    Table* const table = make_mapped<Table>(directory, "rank", number);
    // All ranks take part in the end, so none may give up. In practice there is memory.
    if (!table) std::abort();
    table->rank = static_cast<std::uint64_t>(number);
    table->ranks = static_cast<std::uint64_t>(size);
    // Never freed: threads may call MPI until the process ends.
    auto* const rank = new Rank;
    rank->table = table;
    rank->threads = threads == MPI_THREAD_MULTIPLE;
    if (std::getenv("LAPWING_OBSERVE_EVENTS")) rank->events = make_events(directory, *rank);
    if (const char* const most = std::getenv("LAPWING_OBSERVE_RECORD"))
        rank->recorder = new Recorder(open_record(directory, number), now(), *table,
                                      std::strtoull(most, nullptr, 10));
    rank->sums = !rank->recorder || std::getenv("LAPWING_OBSERVE_SUMS");
    rank->observer = new Observer(*table, now(), rank->events);
    if (rank->recorder) rank->recorder->resumed(now());
    set_here(rank);
}

void end_observing() {
    Rank* const rank = here();
    if (!rank || !rank->observer) return;
    ++depth();
    const double end = now();
    rank->observer->finish(end);
    rank->observer = nullptr;
    if (rank->recorder) rank->recorder->finish(end);
    const char* const directory = std::getenv("LAPWING_OBSERVE");
    // Made only now: ranks would leave it one after the other, and the program begin so.
    PMPI_Comm_dup(MPI_COMM_WORLD, &rank->ranks);
    write_all(directory, "all", *rank->table, *rank);
    if (rank->events) write_all(directory, "all-events", *rank->events, *rank);
    if (rank->recorder)
        collect_records(directory, rank->recorder->file(), rank->table->recorded, rank->ranks);
    PMPI_Comm_free(&rank->ranks);
    --depth();
}

}  // namespace lapwing::observe
