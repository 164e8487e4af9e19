#include "algorithms/generate/linked_rows.hpp"

#include <algorithm>
#include <span>

namespace baltoro::generators {
namespace {

// The habits in the form that links are drawn by.
struct link_draw {
  link_draw(shape of_dims, const link_habits& habits)
      : dims(of_dims),
        older_only(habits.older_only),
        scattered_hubs(habits.scattered_hubs),
        run(probability(habits.run)),
        near(probability(habits.near)),
        head(probability(habits.near + habits.head)),
        distance(habits.distance_ratio, of_dims.cols),
        popularity(habits.popularity_ratio, of_dims.cols) {}

  shape dims;
  bool older_only;
  bool scattered_hubs;
  std::uint32_t run;
  std::uint32_t near;
  std::uint32_t head;  // near or head
  power_law distance;
  power_law popularity;

  // The column that lies as far as the row does.
  BALTORO_HOST_DEVICE constexpr index_t place_of(index_t row) const {
    if (dims.rows == dims.cols) return row;
    return static_cast<index_t>(std::uint64_t{row} * dims.cols / dims.rows);
  }

  // The columns that a row may link to end here.
  BALTORO_HOST_DEVICE constexpr index_t end_of(index_t place) const {
    return older_only ? place + 1 : dims.cols;
  }

  // Where a run begins. Columns of hosts are [host_begin, host_end), elsewhere all.
  BALTORO_HOST_DEVICE constexpr index_t begin_run(random_sequence& random, index_t place,
                                                  index_t host_begin, index_t host_end) const {
    const std::uint32_t kind = random.next();
    const std::uint32_t size = host_end - host_begin;
    if (kind < near) {
      if (older_only) return place - (distance.draw(random) - 1) % (place + 1);
      const std::uint32_t far = (distance.draw(random) - 1) % size;
      const bool before = (random.next() & 1U) != 0;
      const std::uint64_t at = place - host_begin + std::uint64_t{before ? size - far : far};
      return host_begin + static_cast<index_t>(at % size);
    }
    if (kind < head) return host_begin + (popularity.draw(random) - 1) % size;
    const index_t rank = popularity.draw(random) - 1;
    const index_t limit = end_of(place);
    if (!scattered_hubs) return rank % limit;
    // A prime above every index, so that ranks fall on different columns.
    return static_cast<index_t>(rank * std::uint64_t{4'294'967'291U} % 0x9E37'79B9U % limit);
  }
};

// The rows of a part as groups and hosts.
struct row_plan {
  std::vector<char> continues;  // whether the row belongs to the group of the row before
  std::vector<std::uint64_t> weights;
  std::vector<index_t> host_begin;  // of each row, where there are hosts
  std::vector<index_t> host_end;
};

class linked_rows_model final : public row_model {
 public:
  linked_rows_model(shape of_dims, std::uint64_t of_edges, std::uint64_t seed,
                    const link_habits& habits)
      : row_model(of_dims, of_edges),
        seed_(seed),
        hosts_(habits.hosts),
        least_one_(habits.least_one),
        group_(probability(habits.group)),
        kept_(probability(habits.kept)),
        links_(of_dims, habits),
        degree_(habits.degree_ratio, static_cast<std::uint64_t>(habits.degree_spread)),
        host_size_(0.9, most_rows_a_part) {}

 protected:
  void make_rows(index_t first, index_t last, std::uint64_t count,
                 std::vector<edge>& into) const override {
    const row_plan plan = make_plan(first, last);
    const std::vector<index_t> degrees = degrees_of(plan, count);
    std::vector<index_t> columns;  // of the row before, then of this one
    std::vector<index_t> links;
    for (index_t row = first; row < last; ++row) {
      const std::size_t i = row - first;
      random_sequence random(seed_, row, of_links);
      links.clear();
      if (plan.continues[i] != 0) keep(random, columns, degrees[i], links);
      const index_t host_begin = hosts_ ? plan.host_begin[i] : 0;
      const index_t host_end = hosts_ ? plan.host_end[i] : dims.cols;
      add_links(random, links_.place_of(row), host_begin, host_end, degrees[i], links);
      columns.swap(links);
      for (const index_t col : columns) into.push_back({row, col});
    }
  }

 private:
  row_plan make_plan(index_t first, index_t last) const {
    const std::uint64_t part = first / rows_a_part;
    random_sequence random(seed_, part, of_groups);
    row_plan plan;
    std::uint64_t weight = 0;
    random_sequence of_host(seed_, part, of_hosts);
    index_t host_begin = first;
    index_t host_end = first;
    for (index_t row = first; row < last; ++row) {
      const bool new_host = hosts_ && row == host_end;
      if (new_host) {
        // A host of one page is none.
        host_begin = row;
        host_end = row + std::min(last - row, 16 + host_size_.draw(of_host));
      }
      const bool continues = row != first && !new_host && random.chance(group_);
      if (!continues) weight = degree_.draw(random);
      plan.continues.push_back(continues ? 1 : 0);
      plan.weights.push_back(weight);
      if (!hosts_) continue;
      plan.host_begin.push_back(host_begin);
      plan.host_end.push_back(host_end);
    }
    return plan;
  }

  std::vector<index_t> degrees_of(const row_plan& plan, std::uint64_t count) const {
    const std::uint64_t rows = plan.weights.size();
    const index_t least = least_one_ && count >= rows ? 1 : 0;
    std::vector<index_t> degrees(rows, least);
    share(count - least * rows, plan.weights, dims.cols, degrees);
    return degrees;
  }

  void keep(random_sequence& random, std::span<const index_t> before, index_t degree,
            std::vector<index_t>& links) const {
    for (const index_t col : before) {
      if (links.size() == degree) return;
      if (random.chance(kept_)) links.push_back(col);
    }
  }

  void add_links(random_sequence& random, index_t place, index_t host_begin, index_t host_end,
                 index_t degree, std::vector<index_t>& links) const {
    const index_t end = links_.end_of(place);
    // Duplicates are drawn again, but not for ever.
    for (unsigned round = 0; round < 4 && links.size() < degree; ++round) {
      const auto sorted = static_cast<std::ptrdiff_t>(links.size());
      while (links.size() < degree) {
        index_t col = links_.begin_run(random, place, host_begin, host_end);
        do {
          links.push_back(col++);
        } while (links.size() < degree && col < end && random.chance(links_.run));
      }
      std::sort(links.begin() + sorted, links.end());
      std::inplace_merge(links.begin(), links.begin() + sorted, links.end());
      links.erase(std::unique(links.begin(), links.end()), links.end());
    }
    if (links.size() < degree) complete(links, degree, host_begin, dims.cols);
  }

  std::uint64_t seed_;
  bool hosts_;
  bool least_one_;
  std::uint32_t group_;
  std::uint32_t kept_;
  link_draw links_;
  power_law degree_;
  power_law host_size_;
};

}  // namespace

std::shared_ptr<const generator::model> linked_rows(shape dims, std::uint64_t edges,
                                                    std::uint64_t seed, const link_habits& habits) {
  return std::make_shared<const linked_rows_model>(dims, edges, seed, habits);
}

}  // namespace baltoro::generators
