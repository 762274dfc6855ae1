#include "problem.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "../common/random.hpp"

namespace lapwing::nas::is {
namespace {

constexpr std::array<Problem, 6> problems{{
    {'S',
     16,
     11,
     9,
     {{{48427, 0, 1}, {17148, 18, 1}, {23627, 346, 1}, {62548, 64917, -1}, {4431, 65463, -1}}}},
    {'W',
     20,
     16,
     10,
     {{{357773, 1247, 1},
       {934767, 11696, 1},
       {875723, 1039987, -1},
       {898999, 1043896, -1},
       {404505, 1048018, -1}}}},
    {'A',
     23,
     19,
     10,
     {{{2112377, 103, 1},
       {662041, 17522, 1},
       {5336171, 123927, 1},
       {3642833, 8288933, -1},
       {4250760, 8388265, -1}}}},
    {'B',
     25,
     21,
     10,
     {{{41869, 33422937, -1},
       {812306, 10244, 1},
       {5102857, 59149, 1},
       {18232239, 33135281, -1},
       {26860214, 99, 1}}}},
    {'C',
     27,
     23,
     10,
     {{{44172927, 61147, 1},
       {72999161, 882988, 1},
       {74326391, 266290, 1},
       {129606274, 133997595, -1},
       {21736814, 133525895, -1}}}},
    {'D',
     31,
     27,
     10,
     {{{1317351170, 1, 1},
       {995930646, 36538729, 1},
       {1157283250, 1978098519, -1},
       {1503301535, 2145192618, -1},
       {1453734525, 2147425337, -1}}}},
}};

}  // namespace

/// Of sums of four numbers, uniform between 0 and 1 (Irwin and Hall 1927).
double Problem::share_below(std::size_t below) const {
    const double sum = 4 * static_cast<double>(below) / static_cast<double>(buckets());
    constexpr std::array<double, 5> terms{1, -4, 6, -4, 1};
    double share = 0;
    for (std::size_t k = 0; k < terms.size(); ++k)
        if (const double rest = sum - static_cast<double>(k); rest > 0)
            share += terms[k] * rest * rest * rest * rest;
    return share / 24;
}

std::size_t Problem::expected_below(std::size_t below, std::size_t of) const {
    return static_cast<std::size_t>(std::llround(share_below(below) * static_cast<double>(of)));
}

Problem find_problem(std::string_view name) {
    for (const Problem& problem : problems)
        if (name == std::string_view(&problem.name, 1)) return problem;
    throw std::invalid_argument("no class \"" + std::string(name) +
                                "\" of IS; there are S, W, A, B, C and D");
}

void generate(const Problem& problem, std::size_t first, std::span<Key> keys) {
    constexpr std::size_t numbers = 4;
    const double quarter = static_cast<double>(problem.values()) / numbers;
    Random random(numbers * first);
    for (Key& key : keys) {
        double sum = random();
        for (std::size_t i = 1; i < numbers; ++i) sum += random();
        key = static_cast<Key>(quarter * sum);
    }
}

}  // namespace lapwing::nas::is
