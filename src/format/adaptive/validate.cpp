#include "format/adaptive/validate.hpp"

#include <baltoro/level_order.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "format/adaptive/decoder.hpp"
#include "format/adaptive/partition.hpp"

namespace baltoro::format {
namespace {

std::string check_dictionary(const adaptive_view& a) {
  std::vector<std::uint64_t> sorted(a.dictionary, a.dictionary + a.patterns);
  tbb::parallel_sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && sorted.front() == 0) return "the dictionary has an empty pattern";
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return "the dictionary has a pattern twice";
  }
  return {};
}

// Where the payload of a container begins; that of none is its end.
std::uint64_t payload_begin(const adaptive_view& a, std::uint64_t container) {
  if (container == a.containers) return a.payload_words - 1;
  return a.start_bases[container / adaptive_view::containers_per_base] + a.starts[container];
}

// That payloads ascend and lie inside, so that every one may be read as a run of words.
std::string check_table(const adaptive_view& a) {
  if (a.payload[a.payload_words - 1] != 0) return "the padding after the payload is not 0";
  for (std::uint64_t base = 0; base < a.bases(); ++base) {
    if (a.start_bases[base] >= a.payload_words) {
      return fmt::format("base {} of the payloads lies outside", base);
    }
  }
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < a.containers; ++i) {
    const std::uint64_t begin = payload_begin(a, i);
    const bool first = i % adaptive_view::containers_per_base == 0;
    if (i == 0 ? begin != 0 : begin <= end) {
      return fmt::format("the payload of container {} begins at word {}, that before it at {}", i,
                         begin, end);
    }
    if (first && a.starts[i] != 0) {
      return fmt::format("container {} does not begin at its base", i);
    }
    if (i != 0 && a.first_leaf(i) <= a.first_leaf(i - 1)) {
      return fmt::format("container {} does not lie after the one before it", i);
    }
    if (a.level(i) > adaptive_view::max_level) {
      return fmt::format("container {} has level {}, the most is {}", i, a.level(i),
                         adaptive_view::max_level);
    }
    end = begin;
  }
  if (end >= a.payload_words - (a.containers == 0 ? 0 : 1)) {
    return "the last payload lies outside";
  }
  return {};
}

// What the containers add up to.
struct sums {
  std::uint64_t leaves = 0;
  std::uint64_t cells = 0;
};

// One container, whose payload lies inside as a whole.
class container_check {
 public:
  container_check(const adaptive_view& a, sums& total) : a_(a), total_(total) {}

  std::string operator()(std::uint64_t i) {
    const std::uint64_t begin = payload_begin(a_, i);
    std::uint64_t left = payload_begin(a_, i + 1) - begin;
    const std::uint32_t* words = a_.payload + begin;
    const container_header header{*words++};
    --left;
    if (header.leaves() > adaptive_view::max_leaves) {
      return fmt::format("container {} has {} leaves, the most is {}", i, header.leaves(),
                         adaptive_view::max_leaves);
    }
    if (header.kind() >= container_kinds) {
      return fmt::format("container {} is of kind {}, which is not known", i, header.kind());
    }
    const kind_functions& kind = kind_of(header.kind());
    const std::uint32_t positions = kind.words(header.leaves(), header.detail());
    if (positions > left || !kind.valid(words, a_.level(i), header.detail(), header.leaves())) {
      return fmt::format("the positions of container {} are wrong", i);
    }
    left -= positions;
    if (left == 0 || check_contents(a_, words + positions, left, header.leaves()) != left) {
      return fmt::format("the contents of container {} are wrong", i);
    }
    container_.load(a_, i);
    if (std::string problem = check_leaves(i); !problem.empty()) return problem;
    return check_cells(i);
  }

 private:
  std::string check_leaves(std::uint64_t i) const {
    const std::uint64_t first = container_.corner() + container_.offsets().front();
    const std::uint64_t last = container_.corner() + container_.offsets().back();
    if (first != a_.first_leaf(i)) {
      return fmt::format("container {} does not begin where the table says", i);
    }
    if (common_level(first, last) != a_.level(i)) {
      return fmt::format("container {} has level {} instead of {}", i, a_.level(i),
                         common_level(first, last));
    }
    if (i + 1 < a_.containers && last >= a_.first_leaf(i + 1)) {
      return fmt::format("container {} reaches into the next one", i);
    }
    return {};
  }

  std::string check_cells(std::uint64_t i) {
    const auto offsets = container_.offsets();
    const auto patterns = container_.patterns();
    total_.leaves += offsets.size();
    for (std::size_t k = 0; k < offsets.size(); ++k) {
      total_.cells += popcount(patterns[k]);
      const std::uint64_t leaf = container_.corner() + offsets[k];
      const std::uint64_t row = 8ULL * morton::row_of(leaf);
      const std::uint64_t col = 8ULL * morton::col_of(leaf);
      if (row + 8 <= a_.dims.rows && col + 8 <= a_.dims.cols) continue;
      if (outside(patterns[k], row, col)) {
        return fmt::format("container {} has a cell outside the {}x{} matrix", i, a_.dims.rows,
                           a_.dims.cols);
      }
    }
    return {};
  }

  bool outside(std::uint64_t pattern, std::uint64_t row, std::uint64_t col) const {
    for (; pattern != 0; pattern &= pattern - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(pattern));
      if (row + bit / 8 >= a_.dims.rows || col + bit % 8 >= a_.dims.cols) return true;
    }
    return false;
  }

  const adaptive_view& a_;
  sums& total_;
  decoded_container container_;
};

// All containers; of several problems that of the first container.
std::string check_containers(const adaptive_view& a) {
  std::mutex guard;
  sums total;
  std::string problem;
  std::uint64_t problem_at = a.containers;
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, a.containers, 16), [&](const auto& range) {
    sums part;
    container_check check(a, part);
    for (std::uint64_t i = range.begin(); i < range.end(); ++i) {
      std::string found = check(i);
      if (found.empty()) continue;
      const std::lock_guard<std::mutex> lock(guard);
      if (i < problem_at) {
        problem = std::move(found);
        problem_at = i;
      }
      return;
    }
    const std::lock_guard<std::mutex> lock(guard);
    total.leaves += part.leaves;
    total.cells += part.cells;
  });
  if (!problem.empty()) return problem;
  if (total.leaves != a.leaves) {
    return fmt::format("{} leaves are stated, but there are {}", a.leaves, total.leaves);
  }
  if (total.cells != a.nnz) {
    return fmt::format("{} non-zeros are stated, but there are {}", a.nnz, total.cells);
  }
  return {};
}

}  // namespace

std::string check_adaptive_numbers(const adaptive_view& a) {
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    const std::uint32_t width = a.classes.width[c];
    if (width > leaf_classes::max_width && !(c == 3 && a.classes.escapes())) {
      return fmt::format("class {} has ids of {} bits, the most is {}", c, width,
                         leaf_classes::max_width);
    }
  }
  if (a.patterns > leaf_classes::max_patterns)
    return fmt::format("{} patterns are too many", a.patterns);
  if (a.payload_words == 0) return "the payload has no padding";
  const bool empty = a.nnz == 0;
  if (empty != (a.leaves == 0) || empty != (a.containers == 0) ||
      (empty && (a.payload_words != 1 || a.patterns != 0))) {
    return fmt::format("{} leaves in {} containers for {} non-zeros", a.leaves, a.containers,
                       a.nnz);
  }
  // A leaf holds 1 to 64 non-zeros and a container 1 to max_leaves leaves in at least 3 words.
  const auto fits = [](std::uint64_t parts, std::uint64_t whole, std::uint64_t most) {
    return parts <= whole && (whole - 1) / most < parts;
  };
  if (!empty &&
      (!fits(a.leaves, a.nnz, 64) || !fits(a.containers, a.leaves, adaptive_view::max_leaves))) {
    return fmt::format("{} leaves in {} containers cannot hold {} non-zeros", a.leaves,
                       a.containers, a.nnz);
  }
  if (a.containers > a.payload_words / 3) {
    return fmt::format("{} containers do not fit {} words", a.containers, a.payload_words);
  }
  return {};
}

std::string check_adaptive(const adaptive_view& a) {
  if (std::string problem = check_dictionary(a); !problem.empty()) return problem;
  if (std::string problem = check_table(a); !problem.empty()) return problem;
  return check_containers(a);
}

}  // namespace baltoro::format
