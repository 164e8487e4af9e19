// First steps with the library: a matrix of a few edges, products, PageRank, a search, a file.
#include <baltoro/baltoro.hpp>

#include <cstdio>
#include <vector>

int main() {
  // Five pages; an edge {row, col} is a link from page `row` to page `col`.
  const std::vector<baltoro::edge> links{{0, 1}, {0, 2}, {1, 2}, {2, 0}, {3, 2}, {4, 3}};
  const baltoro::matrix web = baltoro::build(links, {.dims = baltoro::shape{5, 5}});

  // yᵀ = xᵀ A with x all ones: how many links point to each page.
  const std::vector<float> ones(web.rows(), 1.0F);
  std::vector<float> links_to(web.cols());
  baltoro::vxm<float>(web, ones, links_to);

  const baltoro::pagerank_result ranks = baltoro::pagerank(web);

  const std::vector<baltoro::index_t> sources{4};
  const baltoro::bfs_result search = baltoro::bfs(web, sources);

  for (baltoro::index_t page = 0; page < web.rows(); ++page) {
    std::printf("page %u: linked %g times, rank %.4f, %d clicks from page 4\n", page,
                links_to[page], ranks.ranks[page], search.distances[page]);
  }

  // A file that opens in no time, however large it is.
  baltoro::save_k2m(web, "web.k2m");
  const baltoro::graph again = baltoro::load_k2m("web.k2m");
  std::printf("%llu links in web.k2m\n", static_cast<unsigned long long>(again.at().nnz()));
}
