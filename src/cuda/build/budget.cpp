#include "cuda/build/budget.hpp"

#include <baltoro/error.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "cuda/build/workspace.hpp"

namespace baltoro::cuda {
namespace {

constexpr std::uint64_t runs_of(std::uint64_t edges, std::uint64_t keys) {
  return (edges + keys - 1) / keys;
}

// What a build may take where the options say nothing: what is free, but for a little that others may want.
std::uint64_t allowed_bytes(const build_options& options) {
  const std::uint64_t free = free_bytes();
  const std::uint64_t most = free - free / 32;
  return options.device_memory_bytes == 0 ? most : std::min(most, options.device_memory_bytes);
}

bool does(std::uint64_t keys, std::uint64_t edges) {
  return keys >= edges || can_merge(keys, runs_of(edges, keys));
}

}  // namespace

std::uint64_t smallest_budget(std::uint64_t edges) {
  std::uint64_t low = workspace::least_keys;
  std::uint64_t high = std::max(low, edges);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (does(middle, edges)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return workspace::bytes(low);
}

std::uint64_t workspace_keys(const build_options& options, std::uint64_t edges) {
  const std::uint64_t bytes = allowed_bytes(options);
  // Leaves that take half of the workspace stay on the device, and there is one an edge at most.
  const std::uint64_t room = options.kind == layout::adaptive ? 2 * edges : edges;
  const std::uint64_t wanted = std::max(room, workspace::least_keys);
  const std::uint64_t keys =
      workspace::bytes(wanted) <= bytes ? wanted : std::min(wanted, workspace::most_keys(bytes));
  if (keys == 0 || !does(keys, edges)) refuse_budget(options, edges, bytes);
  return keys;
}

void refuse_budget(const build_options& options, std::uint64_t edges, std::uint64_t bytes) {
  const std::uint64_t smallest = smallest_budget(edges);
  throw out_of_memory(
      fmt::format("building a matrix of {} edges on the GPU", edges), smallest, bytes,
      options.device_memory_bytes == 0
          ? "free memory of the GPU, or build on the CPU"
          : fmt::format("the smallest limit of the device's memory that would do is {} bytes",
                        smallest));
}

}  // namespace baltoro::cuda
