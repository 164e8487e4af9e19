#include "measure/energy.hpp"

#include <baltoro/error.hpp>

#include <chrono>
#include <optional>

namespace baltoro::bench {

energy_use measure_energy(place& where, product& what, std::uint64_t products_per_look,
                          const std::function<double()>& read_mj, double least_seconds,
                          double patience_seconds) {
  struct look {
    double seconds;
    double mj;
    std::uint64_t products;
  };
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t products = 0;
  double before = read_mj();
  std::optional<look> first;
  for (;;) {
    where.run_ms(what, products_per_look);
    products += products_per_look;
    const double mj = read_mj();
    const double now =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (mj != before) {
      if (!first) {
        first = look{now, mj, products};
      } else if (now - first->seconds >= least_seconds) {
        energy_use use;
        use.products = products - first->products;
        use.seconds = now - first->seconds;
        use.watts = (mj - first->mj) / 1000 / use.seconds;
        use.mj_per_product = (mj - first->mj) / static_cast<double>(use.products);
        return use;
      }
      before = mj;
    }
    if (now > patience_seconds) {
      throw cuda_error("the energy counter of the GPU does not move while products run");
    }
  }
}

}  // namespace baltoro::bench
