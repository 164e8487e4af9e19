#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace baltoro {
namespace {

// SplitMix64, so that a seed means the same graph with every standard library.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E37'79B9'7F4A'7C15ULL);
    z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBULL;
    return z ^ (z >> 31U);
  }
  // Uniform below `limit`, which is at most 2^32.
  std::uint64_t below(std::uint64_t limit) { return ((next() >> 32U) * limit) >> 32U; }
  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// A number ≥ 1 with a heavy tail and about the given mean.
std::uint64_t heavy_tailed(random_numbers& random, double mean, std::uint64_t limit) {
  const double value = mean / 2 / std::sqrt(1 - random.unit());
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(value, 1e9)) + 1, 1, limit);
}

}  // namespace

std::vector<edge> generate_web(index_t vertices, double degree, std::uint64_t seed) {
  if (!(degree >= 0) || degree > 1e6) {
    throw invalid_argument(fmt::format("degree {}: it must be between 0 and 1000000", degree));
  }
  constexpr double links_copied = 0.75;  // from a page nearby, where there is one
  constexpr double links_in_host = 0.9;  // of those that are not copied
  constexpr std::uint64_t copy_window = 8;
  random_numbers random(seed);
  std::vector<edge> edges;
  edges.reserve(static_cast<std::size_t>(degree * vertices * 1.1));
  std::vector<std::size_t> row_begin;  // of every page so far
  row_begin.reserve(std::size_t{vertices} + 1);
  std::vector<index_t> links;
  std::uint64_t host_end = 0;
  std::uint64_t host_begin = 0;
  for (index_t page = 0; page < vertices; ++page) {
    if (page >= host_end) {
      host_begin = page;
      host_end = std::min<std::uint64_t>(vertices, page + heavy_tailed(random, 200, 1U << 20U));
    }
    links.clear();
    row_begin.push_back(edges.size());
    const std::uint64_t wanted =
        degree == 0 ? 0
                    : std::min<std::uint64_t>(heavy_tailed(random, degree, vertices),
                                              std::uint64_t{10000}) -
                          (degree < 1 ? 1 : 0);
    if (page > host_begin) {
      const std::uint64_t model = page - 1 - random.below(std::min(copy_window, page - host_begin));
      const std::size_t end = row_begin[model + 1];
      for (std::size_t i = row_begin[model]; i < end && links.size() < wanted; ++i) {
        if (random.unit() < links_copied) links.push_back(edges[i].col);
      }
    }
    while (links.size() < wanted) {
      if (random.unit() < links_in_host) {
        // Near pages are linked most: a distance with a heavy tail, in runs of neighbours.
        const std::uint64_t size = host_end - host_begin;
        const std::uint64_t distance = heavy_tailed(random, 8, size);
        const std::uint64_t run = 1 + random.below(6);
        const std::uint64_t first =
            host_begin +
            (page - host_begin + (random.next() & 1U ? distance : size - distance)) % size;
        for (std::uint64_t k = 0; k < run && first + k < host_end; ++k) {
          links.push_back(static_cast<index_t>(first + k));
        }
      } else {
        // Popular pages elsewhere: small numbers are popular.
        const double u = random.unit();
        links.push_back(static_cast<index_t>(u * u * u * u * vertices));
      }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const index_t target : links) edges.push_back({page, target});
  }
  return edges;
}

std::vector<edge> generate_rmat(unsigned scale, std::uint64_t edges, double a, double b, double c,
                                std::uint64_t seed) {
  if (scale > 31) throw invalid_argument(fmt::format("scale {}: it must be at most 31", scale));
  if (!(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1)) {
    throw invalid_argument(fmt::format(
        "probabilities {}, {}, {}: each must be at least 0 and their sum at most 1", a, b, c));
  }
  random_numbers random(seed);
  std::vector<edge> result(edges);
  for (edge& e : result) {
    for (unsigned level = 0; level < scale; ++level) {
      const double u = random.unit();
      const index_t lower = u >= a + b ? 1 : 0;
      const index_t right = (u >= a && u < a + b) || u >= a + b + c ? 1 : 0;
      e = {2 * e.row + lower, 2 * e.col + right};
    }
  }
  return result;
}

std::vector<edge> generate_uniform(shape dims, std::uint64_t edges, std::uint64_t seed) {
  if (edges > 0 && (dims.rows == 0 || dims.cols == 0)) {
    throw invalid_argument(
        fmt::format("a {}x{} matrix has no cells to draw", dims.rows, dims.cols));
  }
  random_numbers random(seed);
  std::vector<edge> result(edges);
  for (edge& e : result) {
    e.row = static_cast<index_t>(random.below(dims.rows));
    e.col = static_cast<index_t>(random.below(dims.cols));
  }
  return result;
}

}  // namespace baltoro
