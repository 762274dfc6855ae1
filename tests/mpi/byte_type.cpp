// Messages of any number of bytes: what MPI can count, and what it cannot. The memory is not there:
// only types are made and asked.
#include "lapwing/transport/mpi/byte_type.hpp"

#include <mpi.h>

#include <climits>
#include <cstddef>

#include "../support/check.hpp"

namespace {

/// Bytes that a count and a type stand for, and whether they lie side by side.
void check(std::size_t bytes) {
    const lapwing::ByteType data(bytes);
    MPI_Count size = 0;
    MPI_Count begin = 0;
    MPI_Count extent = 0;
    MPI_Type_size_x(data.type(), &size);
    MPI_Type_get_extent_x(data.type(), &begin, &extent);
    CHECK(data.count() * size == static_cast<MPI_Count>(bytes));
    CHECK(begin == 0);
    CHECK(data.count() * extent == static_cast<MPI_Count>(bytes));
    CHECK((data.type() == MPI_BYTE) == (bytes <= INT_MAX));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    constexpr std::size_t chunk = std::size_t{1} << 30;
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{INT_MAX}, std::size_t{INT_MAX} + 1,
          std::size_t{INT_MAX} + 2, 2 * chunk, 3 * chunk - 1, 3 * chunk, 3 * chunk + 12345,
          4 * chunk, 100 * chunk + 7, (std::size_t{1} << 42) + 1})
        check(bytes);
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
