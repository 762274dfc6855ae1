#include "lapwing/replay/longest_path.hpp"

#include "lapwing/replay/walk.hpp"

namespace lapwing::replay {
namespace {

/// Times as functions of what is varied.
class Lines {
  public:
    using Clock = Line;

    Lines(Varied varied, double more, bool steepest)
        : varied_(varied), more_(more), steepest_(steepest) {}

    static void compute(Line& line, double nanoseconds) { line.value += nanoseconds; }
    void overhead(Line& line, double nanoseconds, const PathMessage& message) const {
        const bool counts = varied_.parameter == Parameter::overhead && varies(message);
        add(line, nanoseconds, counts ? 1 : 0);
    }
    void fly(Line& line, double nanoseconds, const PathMessage& message) const {
        add(line, nanoseconds, varies(message) ? times_in_flight(message) : 0);
    }
    [[nodiscard]] Line later(const Line& a, const Line& b) const {
        if (a.value != b.value) return a.value > b.value ? a : b;
        return (a.slope > b.slope) == steepest_ ? a : b;
    }

  private:
    [[nodiscard]] bool varies(const PathMessage& message) const {
        return !varied_.site || *varied_.site == message.site;
    }
    [[nodiscard]] double times_in_flight(const PathMessage& message) const {
        if (varied_.parameter == Parameter::latency) return message.latencies();
        return varied_.parameter == Parameter::gap ? message.gaps() : 0;
    }
    /// Adds `nanoseconds` in which what is varied counts `times` times.
    void add(Line& line, double nanoseconds, double times) const {
        line.value += nanoseconds + times * more_;
        line.slope += times;
    }

    Varied varied_;
    double more_;
    bool steepest_;
};

}  // namespace

Line longest_path(simulate::CallSource& source, const PathCosts& costs, Varied varied, double more,
                  bool steepest) {
    Lines lines(varied, more, steepest);
    return Walk<Lines>(source, costs, lines).run();
}

}  // namespace lapwing::replay
