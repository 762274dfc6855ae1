#include "lapwing/predict/local_work_table.hpp"

#include <bit>
#include <cmath>

namespace lapwing {

LocalWork LocalWorkTable::at(const Algorithm& algorithm, std::uint64_t ranks, std::uint64_t size) {
    if (size == 0) return local_work(algorithm.operation, algorithm.name, ranks, size);
    Row& row = rows_[&algorithm];
    if (row.ranks != ranks) row = {.ranks = ranks};
    const auto known = [&](unsigned power) -> const LocalWork& {
        auto& work = row.works[power];
        if (!work)
            work =
                local_work(algorithm.operation, algorithm.name, ranks, std::uint64_t{1} << power);
        return *work;
    };
    const auto power = static_cast<unsigned>(std::bit_width(size)) - 1;
    const std::uint64_t below = std::uint64_t{1} << power;
    LocalWork work = known(power);
    if (size == below) return work;
    const LocalWork& above = known(power + 1);
    const double share = static_cast<double>(size - below) / static_cast<double>(below);
    for (const auto member : {&LocalWork::combined, &LocalWork::copied, &LocalWork::packed,
                              &LocalWork::exchanges, &LocalWork::exchanged, &LocalWork::buffered})
        work.*member = std::lerp(work.*member, above.*member, share);
    return work;
}

}  // namespace lapwing
