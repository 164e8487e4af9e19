#include "algorithms/generate/merkle.hpp"

#include <algorithm>
#include <span>

#include "algorithms/generate/random.hpp"

namespace baltoro::generators {
namespace {

constexpr index_t least_repository = 64;

// A repository's vertices, one kind after the other.
struct repository {
  index_t begin = 0;
  index_t trees = 0;  // the first one; commits are before it
  index_t files = 0;
  index_t end = 0;
};

// All versions of one tree.
struct directory {
  index_t first = 0;  // row of the first version
  index_t versions = 0;
  std::uint64_t weight = 0;
  index_t files = 0;  // of its repository
  index_t end = 0;
};

class merkle_model final : public row_model {
 public:
  merkle_model(index_t vertices, std::uint64_t of_edges, std::uint64_t seed,
               const merkle_habits& habits)
      : row_model(shape{vertices, vertices}, of_edges),
        seed_(seed),
        habits_(habits),
        changes_(probability(habits.changes)),
        jumps_(probability(habits.jumps)),
        shared_(probability(habits.shared)),
        size_(0.9, most_rows_a_part),
        versions_(habits.versions_ratio, static_cast<std::uint64_t>(habits.versions)),
        entries_(habits.entries_ratio, 4096),
        distance_(0.7, vertices) {}

 protected:
  void make_rows(index_t first, index_t last, std::uint64_t count,
                 std::vector<edge>& into) const override {
    random_sequence random(seed_, first / rows_a_part, of_trees);
    std::vector<repository> repositories;
    std::vector<directory> directories;
    std::vector<std::uint64_t> weights(last - first);
    std::uint64_t of_commits = 0;
    for (index_t begin = first; begin < last;) {
      repositories.push_back(next_repository(random, begin, last));
      const repository& r = repositories.back();
      begin = r.end;
      of_commits += 2ULL * (r.trees - r.begin);
      add_directories(random, r, directories);
    }
    for (const directory& d : directories) {
      for (index_t v = 0; v < d.versions; ++v) weights[d.first + v - first] = d.weight;
    }
    // A commit has its parent and its tree.
    const std::uint64_t commits = std::min(of_commits, count);
    std::vector<index_t> degrees(last - first);
    add_commits(repositories, first, commits, degrees);
    share(count - commits, std::move(weights), dims.cols, degrees);

    std::vector<index_t> columns;
    std::size_t next_directory = 0;
    for (const repository& r : repositories) {
      for (index_t row = r.begin; row < r.trees; ++row) {
        // The versions of the root are the first trees.
        columns.clear();
        columns.push_back(r.trees + (row - r.begin) % std::max<index_t>(1, r.files - r.trees));
        if (row != r.begin) columns.push_back(row - 1);
        emit(row, degrees[row - first], columns, r.begin, into);
      }
      for (index_t row = r.trees; row < r.files;) {
        const directory& d = directories[next_directory++];
        add_versions(d, {&degrees[d.first - first], d.versions}, into);
        row = d.first + d.versions;
      }
      for (index_t row = r.files; row < r.end; ++row) {
        columns.clear();
        emit(row, degrees[row - first], columns, r.begin, into);
      }
    }
  }

 private:
  repository next_repository(random_sequence& random, index_t begin, index_t last) const {
    index_t size = std::min(last - begin, least_repository + size_.draw(random));
    if (last - begin - size < least_repository) size = last - begin;
    repository r;
    r.begin = begin;
    r.trees = begin + static_cast<index_t>(habits_.commits * size);
    r.files = std::min(begin + size, r.trees + 1 + static_cast<index_t>(habits_.trees * size));
    r.end = begin + size;
    return r;
  }

  void add_directories(random_sequence& random, const repository& r,
                       std::vector<directory>& directories) const {
    for (index_t row = r.trees; row < r.files;) {
      directory d;
      d.first = row;
      d.versions = std::min(r.files - row, versions_.draw(random));
      d.weight = entries_.draw(random);
      d.files = r.files;
      d.end = r.end;
      directories.push_back(d);
      row += d.versions;
    }
  }

  // The commits' share of a part: two edges each, where there are as many.
  static void add_commits(std::span<const repository> repositories, index_t first,
                          std::uint64_t count, std::vector<index_t>& degrees) {
    for (const repository& r : repositories) {
      for (index_t row = r.begin; row < r.trees; ++row) {
        const std::uint64_t taken = std::min<std::uint64_t>(2, count);
        degrees[row - first] += static_cast<index_t>(taken);
        count -= taken;
      }
    }
  }

  // Where the entries of the first version are: files of the repository, one after the other from a few
  // places on, or of a repository before it. `changes` of each entry need as many files after it.
  std::vector<index_t> entries(const directory& d, std::span<const index_t> changes) const {
    random_sequence random(seed_, d.first, of_changes);
    std::vector<index_t> places;
    std::uint64_t next = 0;
    for (std::size_t s = 0; s < changes.size(); ++s) {
      if (s == 0 || next >= dims.cols || random.chance(jumps_)) {
        const index_t files = d.end - d.files;
        const index_t own = files == 0 ? d.first : d.files + random.below(files);
        next = random.chance(shared_) ? own - std::min(own, distance_.draw(random)) : own;
      }
      places.push_back(static_cast<index_t>(next));
      next += 1 + changes[s];
    }
    return places;
  }

  // A change replaces an entry by its next version, the file after it. Which entries change is drawn for all
  // versions first, so that there is room.
  void add_versions(const directory& d, std::span<const index_t> degrees,
                    std::vector<edge>& into) const {
    const index_t most = *std::max_element(degrees.begin(), degrees.end());
    if (most == 0) return;
    std::vector<index_t> changed;                      // entries, version by version
    std::vector<std::size_t> changed_end(d.versions);  // where those of a version end
    std::vector<index_t> changes(most);
    for (index_t v = 1; v < d.versions; ++v) {
      random_sequence random(seed_, d.first + v, of_changes);
      index_t entry = random.below(most);
      index_t count = 0;
      do {
        changed.push_back(entry);
        ++changes[entry];
        entry = (entry + 1) % most;
      } while (++count < most && random.chance(changes_));
      changed_end[v] = changed.size();
    }
    std::vector<index_t> places = entries(d, changes);
    std::vector<index_t> columns;
    std::size_t next = 0;
    for (index_t v = 0; v < d.versions; ++v) {
      for (; next < changed_end[v]; ++next) ++places[changed[next]];
      columns.assign(places.begin(), places.begin() + degrees[v]);
      emit(d.first + v, degrees[v], columns, d.files, into);
    }
  }

  void emit(index_t row, index_t degree, std::vector<index_t>& columns, index_t near,
            std::vector<edge>& into) const {
    for (index_t& col : columns) col = std::min(col, dims.cols - 1);
    complete(columns, degree, std::min(near, dims.cols - 1), dims.cols);
    for (const index_t col : columns) into.push_back({row, col});
  }

  std::uint64_t seed_;
  merkle_habits habits_;
  std::uint32_t changes_;
  std::uint32_t jumps_;
  std::uint32_t shared_;
  power_law size_;
  power_law versions_;
  power_law entries_;
  power_law distance_;
};

}  // namespace

std::shared_ptr<const generator::model> merkle_rows(index_t vertices, std::uint64_t edges,
                                                    std::uint64_t seed,
                                                    const merkle_habits& habits) {
  return std::make_shared<const merkle_model>(vertices, edges, seed, habits);
}

}  // namespace baltoro::generators
