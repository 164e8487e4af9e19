#include "cuda/build/leaf_encoder.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "format/adaptive/choose_kind.hpp"
#include "format/adaptive/partition.hpp"

namespace baltoro::cuda {
namespace {

template <class T>
std::span<const T> values(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace

leaf_encoder::leaf_encoder(workspace& space, staging& transfer, cudaStream_t stream,
                           const build_options& options, const base::array_place& place)
    : space_(space),
      transfer_(transfer),
      stream_(stream),
      options_(options),
      place_(place),
      counts_(place),
      codes_(place),
      patterns_(place) {}

void leaf_encoder::add(std::uint64_t leaves, std::uint64_t cells, bool only_ones) {
  leaves_ += leaves;
  cells_ += cells;
  if (only_ones && leaves <= space_.keys() / 2) {
    resident_ = true;
    // The halves of arrays 1 and 2 that have no leaves are free.
    const std::uint64_t half = space_.keys() / 2;
    check(cudaMemcpyAsync(space_.array(0), space_.array(2), 8 * leaves, cudaMemcpyDeviceToDevice,
                          stream_),
          "cudaMemcpyAsync");
    count_patterns(space_.array(0), space_.array(1) + half, space_.array(2) + half, leaves);
    return;
  }
  const auto keep = [&](base::stored_array<std::uint64_t>& to, unsigned from) {
    transfer_.download(space_.array(from), 8 * leaves, [&](std::span<const std::byte> part) {
      to.append(values<std::uint64_t>(part));
    });
  };
  keep(codes_, 1);
  keep(patterns_, 2);
  count_patterns(space_.array(2), space_.array(0), space_.array(1), leaves);
}

void leaf_encoder::count_patterns(std::uint64_t* patterns, std::uint64_t* other,
                                  std::uint64_t* third, std::uint64_t leaves) {
  const distinct_patterns distinct =
      count_distinct(patterns, other, third, leaves, space_, stream_);
  std::vector<std::uint64_t> of(distinct.count);
  std::vector<std::uint64_t> firsts(distinct.count + 1, leaves);
  transfer_.download(of.data(), distinct.patterns, 8 * distinct.count);
  transfer_.download(firsts.data(), distinct.firsts, 8 * distinct.count);
  auto list = counts_.make_list();
  for (std::uint64_t i = 0; i < distinct.count; ++i) {
    list.push_back({of[i], firsts[i + 1] - firsts[i]});
  }
  list.finish();
  counts_.add(std::move(list));
}

std::uint64_t leaf_encoder::code_at(std::uint64_t leaf) const {
  return resident_ ? read_value(space_.array(1) + leaf, stream_) : codes_[leaf];
}

matrix leaf_encoder::finish(shape dims) {
  codes_.finish();
  patterns_.finish();
  auto arrays = std::make_shared<format::adaptive_arrays>(place_);
  format::container_writer writer(*arrays);
  format::dictionary words = format::choose_dictionary(counts_.finish(), place_);
  if (leaves_ != 0) encode_all(words, writer);
  writer.finish(dims, cells_, leaves_, std::move(words));
  const adaptive_view view = arrays->view;
  const matrix result(view, std::move(arrays), place_.on_disk);
  result.release_pages();
  return result;
}

void leaf_encoder::encode_all(const format::dictionary& words, format::container_writer& writer) {
  // Leaves on the host need 16 bytes each in front of the rest.
  constexpr std::uint64_t bytes_of_a_leaf = 16;
  const std::uint64_t bytes = resident_ ? 8 * space_.keys() : space_.arrays_bytes();
  const std::uint64_t most =
      std::min(leaves_, (bytes - container_space::fixed_bytes) /
                            (container_space::bytes_a_leaf + (resident_ ? 0 : bytes_of_a_leaf)));
  const container_space space(
      resident_ ? static_cast<void*>(space_.array(0))
                : static_cast<std::byte*>(space_.arrays()) + aligned(bytes_of_a_leaf * most),
      most);

  batch some;
  const auto close = [&] {
    if (some.first != some.last) encode(some, words, space, writer);
    some = {.first = some.last, .last = some.last, .squares = {}, .starts = {}};
  };
  const auto take = [&](std::uint64_t first, std::uint64_t last, bool is_container) {
    if (last - some.first > most) close();
    const auto at = static_cast<std::uint32_t>(first - some.first);
    if (is_container) {
      some.starts.push_back(at);
    } else {
      some.squares.push_back({at, static_cast<std::uint32_t>(last - first)});
    }
    some.last = last;
  };
  const auto code = [&](std::uint64_t leaf) { return code_at(leaf); };
  const std::function<void(std::uint64_t, std::uint64_t)> square = [&](std::uint64_t first,
                                                                       std::uint64_t last) {
    if (last - first <= most) {
      take(first, last, false);
      return;
    }
    const auto cut = format::cut_square(code, first, last, options_.container_leaves);
    for (unsigned i = 0; i < cut.count; ++i) {
      const auto& piece = cut.pieces[i];
      if (piece.is_container) {
        take(piece.first, piece.last, true);
      } else {
        square(piece.first, piece.last);
      }
    }
  };
  square(0, leaves_);
  close();
  if (options_.progress) options_.progress({"encoding", leaves_, leaves_, "leaves"});
}

void leaf_encoder::encode(const batch& some, const format::dictionary& words,
                          const container_space& space, format::container_writer& writer) {
  if (options_.progress) options_.progress({"encoding", some.first, leaves_, "leaves"});
  const std::uint64_t count = some.last - some.first;
  leaf_batch leaves{space_.array(1) + some.first, space_.array(2) + some.first, count};
  if (!resident_) {
    auto* const at = static_cast<std::uint64_t*>(space_.arrays());
    transfer_.upload(at, codes_.data() + some.first, 8 * count);
    transfer_.upload(at + count, patterns_.data() + some.first, 8 * count);
    codes_.release(some.first, some.last);
    patterns_.release(some.first, some.last);
    leaves = {at, at + count, count};
  }
  find_numbers(leaves, words.patterns.span(), space, transfer_, stream_);
  const std::uint64_t containers =
      cut_squares(leaves, some.squares, some.starts, options_.container_leaves, space, space_,
                  transfer_, stream_);
  const std::uint64_t payload =
      measure_containers(leaves, containers, words.classes, format::weigh_time(cells_, leaves_),
                         space, space_, stream_);
  if (some.last == leaves_) {
    writer.expect(writer.words() + payload + 1);
  } else {
    const double share = static_cast<double>(leaves_ - some.first) / static_cast<double>(count);
    writer.expect(writer.words() +
                  static_cast<std::uint64_t>(1.05 * share * static_cast<double>(payload)));
  }
  encode_containers(leaves, containers, payload, words.classes, space, stream_);
  std::vector<std::uint64_t> places(containers);
  std::vector<std::uint64_t> begins(containers);
  transfer_.download(places.data(), space.places, 8 * containers);
  transfer_.download(begins.data(), space.begins, 8 * containers);
  const std::uint64_t before = writer.words();
  for (std::uint64_t i = 0; i < containers; ++i) writer.begin(places[i], before + begins[i]);
  transfer_.download(space.large, 4 * payload, [&](std::span<const std::byte> part) {
    writer.append(values<std::uint32_t>(part));
  });
}

}  // namespace baltoro::cuda
