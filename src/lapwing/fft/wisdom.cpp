#include "lapwing/fft/wisdom.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "lapwing/fft/lines/fftw.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/profile/stable_hash.hpp"

namespace lapwing::fft {
namespace {

constexpr const char* title = "lapwing-fft-wisdom-1";

template <class Real>
std::string wisdom() {
    const std::unique_ptr<char, decltype(&std::free)> text(Fftw<Real>::exported(), &std::free);
    if (text == nullptr) throw std::runtime_error("fft: FFTW cannot say what it has learnt");
    return text.get();
}

}  // namespace

// A line with the title, a hash of what follows it and the length of the first of two texts: FFTW
// itself would take one half of a file that is broken in the other.
void save_wisdom(const std::string& path) {
    const std::string twice = wisdom<double>();
    const std::string both = twice + wisdom<float>();
    std::ostringstream file;
    file << title << ' ' << stable_hash(both) << ' ' << twice.size() << '\n' << both;
    write_file(path, file.str());
}

void load_wisdom(const std::string& path) {
    const std::string content = read_file(path);
    const std::size_t end = std::min(content.find('\n'), content.size());
    std::istringstream line(content.substr(0, end));
    std::string found;
    std::uint64_t hash = 0;
    std::size_t length = 0;
    line >> found >> hash >> length;
    const std::string both = end == content.size() ? "" : content.substr(end + 1);
    if (!line || found != title || hash != stable_hash(both) || length > both.size())
        throw std::runtime_error(path + ": no wisdom, or a broken file: save it again");
    if (Fftw<double>::import(both.substr(0, length).c_str()) == 0 ||
        Fftw<float>::import(both.substr(length).c_str()) == 0)
        throw std::runtime_error(path + ": the wisdom of another FFTW: save it again");
}

}  // namespace lapwing::fft
