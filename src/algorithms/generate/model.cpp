#include "algorithms/generate/model.hpp"

#include <utility>

namespace baltoro::generators {

void share(std::uint64_t count, std::vector<std::uint64_t> weights, index_t limit,
           std::span<index_t> rows) {
  while (count > 0) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (rows[i] == limit) weights[i] = 0;
      total += weights[i];
    }
    if (total == 0) {
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = rows[i] == limit ? 0 : 1;
      continue;
    }
    // Each row's share ends where the sum of the weights so far has its share of the count. What exceeds
    // the limit goes another round.
    const std::uint64_t whole = count / total;
    const std::uint64_t rest = count % total;
    std::uint64_t before = 0;
    std::uint64_t given = 0;
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      before += weights[i];
      const std::uint64_t upto = whole * before + rest * before / total;
      const std::uint64_t more = upto - given;
      given = upto;
      const std::uint64_t taken = std::min<std::uint64_t>(more, limit - rows[i]);
      rows[i] += static_cast<index_t>(taken);
      left += more - taken;
    }
    count = left;
  }
}

void complete(std::vector<index_t>& columns, index_t count, index_t near, index_t cols) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  if (columns.size() >= count) {
    columns.resize(count);
    return;
  }
  const std::size_t missing = count - columns.size();
  std::vector<index_t> added;
  const auto walk = [&](index_t from, index_t upto) {
    auto next = std::lower_bound(columns.begin(), columns.end(), from);
    for (index_t col = from; col < upto && added.size() < missing; ++col) {
      if (next != columns.end() && *next == col) {
        ++next;
      } else {
        added.push_back(col);
      }
    }
  };
  walk(near, cols);
  walk(0, near);
  columns.insert(columns.end(), added.begin(), added.end());
  std::sort(columns.begin(), columns.end());
}

}  // namespace baltoro::generators
