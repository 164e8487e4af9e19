#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cuda/capacity.hpp"
#include "cuda/descent.cuh"

namespace baltoro::cuda {
namespace {

struct choice {
  std::string name;
  index_t batch;
  cuda_options options;
};

// Cheaper choices, those that cost least time first.
std::vector<choice> cheaper_choices(index_t batch, const cuda_options& options) {
  std::vector<choice> choices;
  cuda_options tried = options;
  tried.scratch = nullptr;
  std::string name;
  const auto add = [&](const std::string& change) {
    name += (name.empty() ? "" : ", ") + change;
    choices.push_back({name, batch, tried});
  };
  if (tried.configuration != cuda_configuration::tree_only) {
    tried.configuration = cuda_configuration::tree_only;
    add("configuration tree_only");
  }
  if (tried.offsets != child_offsets::directory) {
    tried.offsets = child_offsets::directory;
    add("offsets by the directory");
  }
  constexpr std::uint64_t small_tile = 1U << 16U;
  if (tried.tile_nodes == 0 || tried.tile_nodes > small_tile) {
    tried.tile_nodes = small_tile;
    add("tiles of 65536 nodes");
  }
  for (index_t fewer = batch / 2; fewer >= 1; fewer /= 2) {
    choices.push_back(
        {(name.empty() ? "" : name + ", ") + "batches of " + std::to_string(fewer), fewer, tried});
  }
  return choices;
}

// What a device has and a user allows.
struct limits {
  explicit limits(const cuda_options& options)
      : free(free_bytes()), allowed(options.memory_limit_bytes) {}

  bool fit(std::uint64_t needed, std::uint64_t resident) const {
    const bool within_limit = allowed == 0 || needed <= allowed;
    return within_limit && needed - std::min(needed, resident) <= free;
  }
  [[noreturn]] void refuse(std::uint64_t needed, const std::string& advice) const {
    throw out_of_memory("product on the GPU", needed, allowed == 0 ? free : std::min(allowed, free),
                        advice);
  }

  std::uint64_t free;
  std::uint64_t allowed;  // 0: everything
};

}  // namespace

void require_fit(const matrix& a, const descent& planned, const cuda_options& options,
                 const std::function<std::uint64_t(index_t)>& vector_bytes) {
  const limits has(options);
  const std::uint64_t needed =
      planned.matrix_bytes() + planned.scratch_bytes() + vector_bytes(planned.batch());
  if (has.fit(needed, planned.resident_bytes())) return;

  std::string advice = "no configuration of this matrix and its vectors fits";
  for (const choice& c : cheaper_choices(planned.batch(), options)) {
    const descent other(a, c.batch, c.options);
    const std::uint64_t bytes =
        other.matrix_bytes() + other.scratch_bytes() + vector_bytes(c.batch);
    if (has.fit(bytes, other.resident_bytes())) {
      advice = c.name + " would fit, with " + std::to_string(bytes) + " bytes";
      break;
    }
  }
  has.refuse(needed, advice);
}

void require_fit(index_t batch, std::uint64_t resident, const cuda_options& options,
                 const std::function<std::uint64_t(index_t)>& bytes) {
  const limits has(options);
  if (has.fit(bytes(batch), resident)) return;
  std::string advice = "the matrix and one pair of vectors do not fit";
  for (index_t fewer = batch / 2; fewer >= 1; fewer /= 2) {
    if (!has.fit(bytes(fewer), resident)) continue;
    advice = "batches of " + std::to_string(fewer) + " would fit, with " +
             std::to_string(bytes(fewer)) + " bytes";
    break;
  }
  has.refuse(bytes(batch), advice);
}

}  // namespace baltoro::cuda
