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

// The file has a line with the title, a hash of all that follows, and the length of the first of
// the two texts. Without the hash, FFTW would accept one text although the other is damaged.
void save_wisdom(const std::string& path) {
    const std::string in_double = wisdom<double>();
    const std::string both = in_double + wisdom<float>();
    std::ostringstream file;
    file << title << ' ' << stable_hash(both) << ' ' << in_double.size() << '\n' << both;
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
