#include "lapwing/simulate/program/available_memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>

namespace lapwing::simulate {

std::uint64_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string line;
    while (std::getline(file, line)) {
        constexpr std::string_view name = "MemAvailable:";
        if (line.compare(0, name.size(), name) == 0)
            return std::stoull(line.substr(name.size())) * 1024;
    }
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace lapwing::simulate
