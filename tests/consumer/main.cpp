// Uses the installed library from outside: headers, link and results.
#include <baltoro/baltoro.hpp>

#include <array>
#include <cstdio>
#include <vector>

int main() {
  const std::vector<baltoro::edge> edges{{0, 1}, {1, 2}, {2, 0}, {0, 2}};
  const baltoro::matrix a = baltoro::build(edges);
  const std::array<float, 3> x{1, 2, 4};
  std::array<float, 3> y{};
  baltoro::mxv<float>(a, x, y);
  std::printf("baltoro %s: %llu non-zeros, y = %g %g %g\n", baltoro::version(),
              static_cast<unsigned long long>(a.nnz()), y[0], y[1], y[2]);
  return a.nnz() == 4 && y == std::array<float, 3>{6, 4, 1} ? 0 : 1;
}
