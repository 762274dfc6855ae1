#include "lapwing/profile/fingerprint.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <tuple>

using lapwing::difference;
using lapwing::fingerprint;
using lapwing::MachineDescription;

namespace {

MachineDescription a_machine() {
    return {{"target", "mpi:2"},
            {"mpi", "Open MPI v4.1.4"},
            {"environment", "OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1"},
            {"ranks", "2"},
            {"hosts", "n1 n2"},
            {"processor", "A processor"},
            {"cores", "8"},
            {"interfaces", "eth0 mtu 9000 1000 Mbit/s"},
            {"date", "2026-01-01T00:00:00Z"},
            {"command", "lapwing calibrate"}};
}

MachineDescription with(MachineDescription machine, const std::string& name,
                        const std::string& value) {
    for (auto& [key, content] : machine)
        if (key == name) {
            content = value;
            return machine;
        }
    machine.emplace_back(name, value);
    return machine;
}

}  // namespace

TEST_CASE("a fingerprint is 16 digits, the same everywhere", "[profile]") {
    CHECK(fingerprint(a_machine()).size() == 16);
    CHECK(fingerprint(a_machine()) == fingerprint(a_machine()));
    CHECK(fingerprint(a_machine()).find_first_not_of("0123456789abcdef") == std::string::npos);
    // The order in which a machine is described says nothing.
    MachineDescription reversed = a_machine();
    std::reverse(reversed.begin(), reversed.end());
    CHECK(fingerprint(reversed) == fingerprint(a_machine()));
}

TEST_CASE("what changes from run to run is no difference", "[profile]") {
    for (const auto& [name, value] : MachineDescription{{"target", "mpi:64"},
                                                        {"target", "mpi"},
                                                        {"ranks", "64"},
                                                        {"hosts", "n7 n8 n9"},
                                                        {"date", "2027-01-01T00:00:00Z"},
                                                        {"command", "lapwing sweep"},
                                                        {"binding", "0; 1"},
                                                        {"notes", "anything"}}) {
        const auto other = with(a_machine(), name, value);
        CHECK(fingerprint(other) == fingerprint(a_machine()));
        CHECK(difference(a_machine(), other).empty());
    }
}

TEST_CASE("what makes measurements invalid changes the fingerprint and is named", "[profile]") {
    std::set<std::string> all = {fingerprint(a_machine())};
    const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
        {"target", "net:1gbit", "on mpi, not on net:1gbit"},
        {"cluster", "0123", ""},
        {"mpi", "MPICH 4.0.2", "with Open MPI v4.1.4, this is MPICH 4.0.2"},
        {"environment", "OMPI_MCA_pml=ob1", "with MPI settings OMPI_MCA_btl=tcp,self, here none"},
        {"environment", "OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ucx",
         "with MPI settings OMPI_MCA_pml=ob1, here OMPI_MCA_pml=ucx"},
        {"processor", "B", "with processor A processor, here B"},
        {"cores", "4", "with cores 8, here 4"},
        {"hosts", "n1", "on several hosts, here on one"},
        {"interfaces", "eth0 mtu 1500 1000 Mbit/s",
         "with interfaces eth0 mtu 9000 1000 Mbit/s, here eth0 mtu 1500 1000 Mbit/s"}};
    for (const auto& [name, value, says] : cases) {
        const auto other = with(a_machine(), name, value);
        CHECK(all.insert(fingerprint(other)).second);
        CHECK(difference(a_machine(), other) == says);
    }
    const auto two = with(with(a_machine(), "cores", "4"), "processor", "B");
    CHECK(difference(a_machine(), two) ==
          "with processor A processor, here B; with cores 8, here 4");
}

TEST_CASE("a simulated cluster is what its description says", "[profile]") {
    const MachineDescription one = {{"target", "sim:ib4x"}, {"cluster", "01"}, {"mpi", "SMPI"}};
    CHECK(fingerprint(with(one, "target", "sim:./copy-of-ib4x.toml:8")) == fingerprint(one));
    CHECK(difference(one, with(with(one, "target", "sim:hdr"), "cluster", "02")) ==
          "on sim:ib4x, not on sim:hdr");
    CHECK(difference(one, with(one, "cluster", "02")) == "on sim:ib4x as it was described then");
}

TEST_CASE("a profile is stale where the fingerprint differs", "[profile]") {
    lapwing::Profile profile;
    profile.machine = a_machine();
    const auto other = with(a_machine(), "mpi", "MPICH 4.0.2");
    CHECK(staleness(profile, other).empty());  // nobody knows
    profile.fingerprint = fingerprint(a_machine());
    CHECK(staleness(profile, a_machine()).empty());
    CHECK(staleness(profile, other) ==
          "the profile was measured with Open MPI v4.1.4, this is MPICH 4.0.2: calibrate again");
    profile.machine.clear();
    CHECK(staleness(profile, other) ==
          "the profile was measured on another machine: calibrate again");
}

TEST_CASE("two profiles are of one machine or not", "[profile]") {
    lapwing::Profile a;
    lapwing::Profile b;
    CHECK(difference(a, b).empty());
    a.machine = a_machine();
    b.machine = with(a_machine(), "cores", "4");
    CHECK(difference(a, b) == "with cores 8, here 4");
    a.fingerprint = b.fingerprint = "one";  // which is what counts where there is one
    CHECK(difference(a, b).empty());
    b.fingerprint = "two";
    CHECK(difference(a, b) == "with cores 8, here 4");
    b.machine = a.machine;
    CHECK(difference(a, b) == "on another machine");
}
