// Catch2's own main, compiled once and apart from every test, because it takes longest.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
