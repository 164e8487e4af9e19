/// \file
/// \brief A graph as files hold it: one matrix a relation, with the names of relations and
/// vertices.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/types.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baltoro {

/// The names of vertices 0, 1, 2, …; empty where vertices are plain numbers. A handle: copies share
/// the bytes, which may be mapped from a file.
class name_table {
 public:
  /// No names.
  name_table() = default;
  /// A table of its own of the given names.
  explicit name_table(const std::vector<std::string>& names);
  /// Names that \p owner keeps alive: name i is text[offsets[i], offsets[i+1]).
  /// \pre offsets is ascending, starts at 0 and ends at text.size()
  name_table(std::span<const std::uint64_t> offsets, std::string_view text,
             std::shared_ptr<const void> owner);

  /// Number of names.
  index_t size() const { return offsets_.empty() ? 0 : static_cast<index_t>(offsets_.size() - 1); }
  /// Whether there are no names.
  bool empty() const { return size() == 0; }
  /// The name of vertex \p index. \pre index < size()
  std::string_view operator[](index_t index) const {
    // A file that was trusted unchecked can state any offset.
    const std::uint64_t begin = std::min<std::uint64_t>(offsets_[index], text_.size());
    return text_.substr(begin, offsets_[index + 1] - begin);
  }
  /// The vertex of that name, by a scan of all names.
  std::optional<index_t> find(std::string_view name) const;

  /// Where each name starts, and one more number, the end of the last: size() + 1 numbers, or none.
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  /// All names one after the other.
  std::string_view text() const { return text_; }

 private:
  std::span<const std::uint64_t> offsets_;
  std::string_view text_;
  std::shared_ptr<const void> owner_;
};

/// One kind of edge.
struct relation {
  std::string name;           ///< empty where the file does not name it, "*" for the union of all
  baltoro::matrix adjacency;  ///< row = subject, column = object
};

/// A graph. A plain graph has one relation without a name; a labelled graph (triples) has the union
/// "*" of all relations first and then every relation, all of the same shape.
struct graph {
  std::vector<relation> relations;  ///< at least one
  name_table vertices;              ///< empty, or the names of the first rows and columns (all of
                                    ///< them, unless a larger shape was asked for)

  /// The matrix of the relation with that name. An empty name is the only relation or the union "*".
  /// \throws invalid_argument when there is none, naming some that there are; of an empty name also
  /// when there are several relations and no union of them
  const matrix& at(std::string_view name = {}) const;
};

}  // namespace baltoro
