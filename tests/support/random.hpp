#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace lapwing::test {

/// Numbers that look random and are the same on every machine: the standard's distributions are
/// not.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    double log_uniform(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }
    std::uint64_t integer(std::uint64_t low, std::uint64_t high) {
        return low + engine_() % (high - low + 1);
    }
    bool chance(double share) { return uniform(0, 1) < share; }
    template <class Value>
    Value pick(std::initializer_list<Value> values) {
        return *(values.begin() + integer(0, values.size() - 1));
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace lapwing::test
