#include "lapwing/profile/interconnect.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

using Catch::Matchers::Contains;
using lapwing::Dragonfly;
using lapwing::FatTree;
using lapwing::Interconnect;
using lapwing::nodes_of;
using lapwing::SingleSwitch;
using lapwing::Torus;

TEST_CASE("each shape of interconnect is read", "[profile][interconnect]") {
    CHECK(std::holds_alternative<SingleSwitch>(Interconnect::from_text("flat").shape));
    const auto tree = std::get<FatTree>(Interconnect::from_text("fat-tree:16,8").shape);
    CHECK(tree.below == 16);
    CHECK(tree.uplinks == 8);
    CHECK_FALSE(tree.complete);
    const auto torus = std::get<Torus>(Interconnect::from_text("torus:4x3x2").shape);
    CHECK(torus.dimensions == std::vector<std::uint32_t>{4, 3, 2});
    CHECK(torus.wraps);
    CHECK_FALSE(std::get<Torus>(Interconnect::from_text("mesh:7").shape).wraps);
    const auto fly = std::get<Dragonfly>(
        Interconnect::from_text("dragonfly:9x4x2,global=2,local=3,detour=0.25").shape);
    CHECK(fly.groups == 9);
    CHECK(fly.leaves == 4);
    CHECK(fly.spines == 0);
    CHECK(fly.below == 2);
    CHECK(fly.global == 2);
    CHECK(fly.local == 3);
    CHECK(fly.detour == 0.25);
    const auto plus = std::get<Dragonfly>(Interconnect::from_text("dragonfly+:5x8x4x16").shape);
    CHECK(plus.leaves == 8);
    CHECK(plus.spines == 4);
    CHECK(plus.below == 16);
}

TEST_CASE("options of an interconnect follow its shape", "[profile][interconnect]") {
    const auto made = Interconnect::from_text("torus:4x4x4,hop=100ns,interfaces=6,rate=0.5");
    CHECK(made.hop == Approx(100e-9));
    CHECK(made.interfaces == 6);
    CHECK(made.rate == 0.5);
    CHECK(Interconnect::from_text("flat,interfaces=2").interfaces == 2);
    CHECK(Interconnect::from_text("fat-tree:8,4,64,hop=0.2us").hop == Approx(200e-9));
    CHECK(Interconnect::from_text("flat,hop=0").hop == 0);
}

TEST_CASE("an interconnect says how many nodes it has, if it does", "[profile][interconnect]") {
    const auto nodes = [](const char* text) { return nodes_of(Interconnect::from_text(text)); };
    CHECK(nodes("flat") == 0);
    CHECK(nodes("fat-tree:16,8") == 0);
    CHECK(nodes("fat-tree:16,8,100") == 100);
    CHECK(nodes("torus:4x3x2") == 24);
    CHECK(nodes("dragonfly:9x4x2") == 72);
    CHECK(nodes("dragonfly+:5x8x4x16") == 640);
}

TEST_CASE("what is no interconnect is refused in one line", "[profile][interconnect]") {
    for (const char* text : {"",
                             "ring",
                             "flat:",
                             "flat:2",
                             "fat-tree",
                             "fat-tree:",
                             "fat-tree:8",
                             "fat-tree:8,0",
                             "fat-tree:8,4,",
                             "fat-tree:8,4,2,1",
                             "fat-tree:-8,4",
                             "fat-tree:8 4",
                             "torus",
                             "torus:",
                             "torus:4x",
                             "torus:x4",
                             "torus:4x4,4",
                             "torus:0x4",
                             "torus:4.5",
                             "torus:1x1x1x1x1x1x1x1x1",
                             "torus:99999999",
                             "torus,4x4",
                             "mesh:4x-4",
                             "dragonfly:4x4",
                             "dragonfly:4x4x4x4",
                             "dragonfly+:4x4x4",
                             "dragonfly:",
                             "torus:rate=1,4x4",
                             "torus:4x4,",
                             "flat,"})
        CHECK_THROWS_WITH(Interconnect::from_text(text), Contains("is no topology"));
    for (const char* text :
         {"torus:4x4,rate=", "torus:4x4,rate=0", "torus:4x4,rate=nan", "torus:4x4,rate=-1",
          "torus:4x4,hop=5", "torus:4x4,hop=5m", "torus:4x4,hop=2s", "torus:4x4,hop=-1ns",
          "torus:4x4,interfaces=0", "torus:4x4,interfaces=1.5", "torus:4x4,speed=1",
          "flat,=", "dragonfly:4x4x4,detour=1.1", "dragonfly:4x4x4,global=0"})
        CHECK_THROWS_WITH(Interconnect::from_text(text), Contains("is none of interfaces="));
    CHECK_THROWS_WITH(Interconnect::from_text("torus:4x4,global=2"),
                      Contains("global= belongs to a dragonfly"));
    CHECK_THROWS_WITH(Interconnect::from_text("flat,hop=1ns,hop=1ns"), Contains("twice"));
    CHECK_THROWS_WITH(Interconnect::from_text("torus:4096x4096x4096"), Contains("at most"));
    CHECK_THROWS_WITH(Interconnect::from_text("dragonfly:1048576x1x1"), Contains("links"));
    CHECK_THROWS_WITH(Interconnect::from_text("dragonfly:2x4x4,detour=0.5"),
                      Contains("third group"));
}
