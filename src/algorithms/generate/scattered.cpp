#include "algorithms/generate/scattered.hpp"

#include <algorithm>

#include "algorithms/generate/random.hpp"

namespace baltoro::generators {
namespace {

// Cells by their number. `Draw` turns the random numbers of a cell into it.
template <class Draw>
class cell_model final : public generator::model {
 public:
  static constexpr std::uint64_t edges_a_part = 65'536;

  cell_model(shape of_dims, std::uint64_t of_edges, std::uint64_t seed, const Draw& draw)
      : model(of_dims, of_edges), seed_(seed), draw_(draw) {}

  std::uint64_t parts() const override {
    return edges / edges_a_part + (edges % edges_a_part != 0);
  }

  void make(std::uint64_t part, std::vector<edge>& into) const override {
    const std::uint64_t first = part * edges_a_part;
    const std::uint64_t last = std::min(first + edges_a_part, edges);
    for (std::uint64_t i = first; i < last; ++i) {
      random_sequence random(seed_, i, of_cells);
      into.push_back(draw_(random));
    }
  }

 private:
  std::uint64_t seed_;
  Draw draw_;
};

struct rmat_draw {
  unsigned scale;
  std::uint32_t a;
  std::uint32_t upper;  // a or b
  std::uint32_t all_but_lower_right;

  BALTORO_HOST_DEVICE constexpr edge operator()(random_sequence& random) const {
    edge e;
    for (unsigned level = 0; level < scale; ++level) {
      const std::uint32_t u = random.next();
      const index_t lower = u >= upper ? 1 : 0;
      const index_t right = (u >= a && u < upper) || u >= all_but_lower_right ? 1 : 0;
      e = {2 * e.row + lower, 2 * e.col + right};
    }
    return e;
  }
};

struct uniform_draw {
  shape dims;

  BALTORO_HOST_DEVICE constexpr edge operator()(random_sequence& random) const {
    const index_t row = random.below(dims.rows);
    return {row, random.below(dims.cols)};
  }
};

}  // namespace

std::shared_ptr<const generator::model> rmat_cells(unsigned scale, std::uint64_t edges,
                                                   const quadrants& of, std::uint64_t seed) {
  const index_t side = index_t{1} << scale;
  const rmat_draw draw{scale, probability(of.a), probability(of.a + of.b),
                       probability(of.a + of.b + of.c)};
  return std::make_shared<const cell_model<rmat_draw>>(shape{side, side}, edges, seed, draw);
}

std::shared_ptr<const generator::model> uniform_cells(shape dims, std::uint64_t edges,
                                                      std::uint64_t seed) {
  return std::make_shared<const cell_model<uniform_draw>>(dims, edges, seed, uniform_draw{dims});
}

}  // namespace baltoro::generators
