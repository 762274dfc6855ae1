#include "lapwing/compute/page_vector.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>

TEST_CASE("a page vector begins where a page does, however long it becomes", "[compute]") {
    lapwing::PageVector<double> numbers;
    for (const std::size_t size : {1U, 511U, 513U, 100'000U}) {
        numbers.resize(size, 2.5);
        CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 4096 == 0);
        CHECK(numbers.back() == 2.5);
        CHECK(numbers.front() == 2.5);
    }
}
