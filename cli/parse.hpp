// From what users type to numbers. Every function throws CLI::ValidationError with a reason.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baltoro::cli {

// "1048576", "500MB" (10⁶), "4GiB" (2³⁰), "1.5GiB"; a lone letter is binary, 4G = 4GiB.
std::uint64_t parse_size(const std::string& option, std::string_view text);

// "1000000", "10M", "2.5k": a number with an optional decimal unit k, M, G or T.
std::uint64_t parse_count(const std::string& option, std::string_view text);

// "RxC", for instance "1000x20".
shape parse_shape(const std::string& option, std::string_view text);

// A number of vertices or a vertex, at most max_dimension.
index_t parse_index(const std::string& option, std::string_view text);

// A finite number.
double parse_real(const std::string& option, std::string_view text);

// The parts of a list between commas.
std::vector<std::string> split_list(std::string_view text);

}  // namespace baltoro::cli
