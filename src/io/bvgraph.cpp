// WebGraph BVGraph: NAME.graph and NAME.properties, NAME.offsets where there is one.
//
// Lists are decoded in order, by a pipeline that overlaps decoding with what the sink does. Where
// there are offsets and several threads, the lists are cut into pieces that are decoded in
// parallel: a piece first decodes the lists that its own lists may copy from. Offsets are a hint,
// never believed: a piece counts only when it started at the very bit, and copied from the very
// lists, that the piece before ended with; any other is decoded again, in order. So damaged offsets
// cost time and change nothing.
#include <baltoro/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "io/bit_reader.hpp"
#include "io/bvgraph_decoder.hpp"
#include "io/bvgraph_offsets.hpp"
#include "io/bvgraph_properties.hpp"
#include "io/readers.hpp"
#include "io/whole_file.hpp"

namespace baltoro::io {
namespace {

constexpr std::uint64_t edges_a_batch = std::uint64_t{1} << 16;
// A piece for parallel decoding ends after so many bits or nodes: about 100,000 edges of a web
// graph.
constexpr std::uint64_t bits_a_piece = std::uint64_t{1} << 18;
constexpr std::uint64_t nodes_a_piece = std::uint64_t{1} << 16;
// What a piece may decode; the rest of a very dense one is decoded in order.
constexpr std::uint64_t edges_a_piece = std::uint64_t{1} << 18;

struct file_names {
  std::filesystem::path graph, properties, offsets;

  explicit file_names(const std::filesystem::path& any) {
    std::filesystem::path base = any;
    const auto extension = any.extension();
    if (extension == ".graph" || extension == ".properties" || extension == ".offsets") {
      base.replace_extension();
    }
    graph = properties = offsets = base;
    graph += ".graph";  // not replace_extension(): base names have dots
    properties += ".properties";
    offsets += ".offsets";
  }
};

// Hands edges on, counts them, and reports progress.
class delivery {
 public:
  delivery(edge_sink& sink, const read_options& options, const bvgraph_properties& properties,
           std::string properties_file, std::uint64_t graph_bytes)
      : sink_(sink),
        progress_(options.build.progress),
        properties_(properties),
        properties_file_(std::move(properties_file)),
        graph_bytes_(graph_bytes) {}

  void deliver(std::span<const edge> edges, std::uint64_t position) {
    arcs_ += edges.size();
    if (arcs_ > properties_.arcs) fail("more");
    for (; edges.size() > edges_a_batch; edges = edges.subspan(edges_a_batch)) {
      sink_.add(edges.first(edges_a_batch));
    }
    if (!edges.empty()) sink_.add(edges);
    report(position, false);
  }

  void end(std::uint64_t position) {
    if (arcs_ != properties_.arcs) fail(fmt::format("{}", arcs_));
    report(position, true);
  }

 private:
  [[noreturn]] void fail(const std::string& found) const {
    throw invalid_format(
        properties_file_, properties_.arcs_place,
        fmt::format("arcs is {}, but the .graph file has {}", properties_.arcs, found));
  }

  void report(std::uint64_t position, bool last) {
    if (!progress_) return;
    const auto now = std::chrono::steady_clock::now();
    if (!last && now - reported_ < std::chrono::milliseconds(20)) return;
    reported_ = now;
    progress_({"reading", last ? graph_bytes_ : position / 8, graph_bytes_, "bytes"});
  }

  edge_sink& sink_;
  const progress_callback& progress_;
  const bvgraph_properties& properties_;
  std::string properties_file_;
  std::uint64_t graph_bytes_;
  std::uint64_t arcs_ = 0;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

// The pipelines below order their filters inside oneTBB, where the thread sanitizer sees nothing. A
// turn says it in an atomic: what a filter call did before happens before what the next one does.
class turns {
 public:
  class turn {
   public:
    explicit turn(turns& of) : count_(of.count_) { count_.fetch_add(1); }
    ~turn() { count_.fetch_add(1); }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

   private:
    std::atomic<std::uint64_t>& count_;
  };

 private:
  std::atomic<std::uint64_t> count_{0};
};

template <bit_order Order, class Codes>
class graph_reader {
 public:
  graph_reader(const bvgraph_properties& properties, std::string graph_file,
               std::span<const std::uint8_t> graph, delivery& out)
      : properties_(properties),
        graph_file_(std::move(graph_file)),
        graph_(graph),
        out_(out),
        main_(new_decoder()) {}

  void read_in_order() {
    struct batch {
      std::vector<edge> edges;
      std::uint64_t count = 0;
      std::uint64_t position = 0;
    };
    std::vector<batch> batches(3);
    const turns::turn whole(turns_);  // ends before the batches do, also when something throws
    std::size_t next_batch = 0;
    const auto decode = [&](tbb::flow_control& control) -> batch* {
      const turns::turn turn(turns_);
      if (main_->finished(properties_.nodes)) {
        control.stop();
        return nullptr;
      }
      batch& next = batches[next_batch++ % batches.size()];
      if (next.edges.empty()) next.edges.resize(at_most(edges_a_batch));
      // Progress wants a stop now and then, in a long row of nodes without successors too.
      const std::uint64_t end =
          std::min(main_->next_node() + (std::uint64_t{1} << 20), std::uint64_t{properties_.nodes});
      next.count = main_->fill(next.edges, end);
      next.position = main_->position();
      return &next;
    };
    const auto deliver = [&](batch* next) {
      const turns::turn turn(turns_);
      out_.deliver({next->edges.data(), next->count}, next->position);
    };
    tbb::parallel_pipeline(
        batches.size(),
        tbb::make_filter<void, batch*>(tbb::filter_mode::serial_in_order, decode) &
            tbb::make_filter<batch*, void>(tbb::filter_mode::serial_in_order, deliver));
    const turns::turn last(turns_);
    out_.end(main_->position());
  }

  void read_in_parallel(std::span<const std::uint8_t> offsets, std::size_t threads) {
    bvgraph_offset_walk<Order> walk(properties_, std::uint64_t{8} * graph_.size(), offsets);
    std::vector<part> parts(2 * threads);
    const turns::turn whole(turns_);  // ends before the parts do, also when something throws
    most_kept_by_part_ = std::max(main_->most_kept() / parts.size(), std::uint64_t{1} << 20);
    std::size_t next_part = 0;
    std::atomic<bool> trusted{true};
    const auto cut = [&](tbb::flow_control& control) -> part* {
      const turns::turn turn(turns_);
      part& next = parts[next_part++ % parts.size()];
      if (!walk.next(next.where, bits_a_piece, nodes_a_piece)) {
        control.stop();
        return nullptr;
      }
      return &next;
    };
    const auto decode = [&](part* next) {
      const turns::turn turn(turns_);
      next->decoded = next->where.known && trusted && try_decode(*next);
      return next;
    };
    const auto deliver = [&](part* next) {
      const turns::turn turn(turns_);
      if (next->decoded && !continues(*next)) trusted = false;
      if (next->decoded && trusted) {
        next->decoder->set_most_kept(main_->most_kept());
        std::swap(main_, next->decoder);
        out_.deliver({next->edges.data(), next->count}, main_->position());
      }
      decode_until(next->where.end);
    };
    tbb::parallel_pipeline(
        parts.size(),
        tbb::make_filter<void, part*>(tbb::filter_mode::serial_in_order, cut) &
            tbb::make_filter<part*, part*>(tbb::filter_mode::parallel, decode) &
            tbb::make_filter<part*, void>(tbb::filter_mode::serial_in_order, deliver));
    const turns::turn last(turns_);
    out_.end(main_->position());
  }

 private:
  using decoder_type = bvgraph_decoder<Order, Codes>;

  // A piece with what was decoded of it.
  struct part {
    bvgraph_piece where;
    std::unique_ptr<decoder_type> decoder;
    bool decoded = false;
    // The lists of the windowsize nodes before the first one: what later lists may copy from.
    std::vector<std::uint64_t> opening_sizes;
    std::vector<index_t> opening;
    std::vector<edge> edges;
    std::uint64_t count = 0;
    std::vector<char> needed;
  };

  std::unique_ptr<decoder_type> new_decoder() const {
    return std::make_unique<decoder_type>(properties_, graph_, graph_file_);
  }

  // A buffer's size: no larger than the graph, should the graph be small.
  std::uint64_t at_most(std::uint64_t edges) const {
    return std::clamp<std::uint64_t>(properties_.arcs, 1, edges);
  }

  std::uint64_t window_before(std::uint64_t node) const {
    return std::min<std::uint64_t>(properties_.window_size, node);
  }

  // Decodes a part as far as its edges fit. False when that cannot be done, for whatever reason:
  // the lists in front of it depend on ones too far away, the offsets are wrong, or the graph is.
  bool try_decode(part& p) const {
    if (!p.decoder) p.decoder = new_decoder();
    p.decoder->set_most_kept(most_kept_by_part_);
    if (p.edges.empty()) p.edges.resize(at_most(edges_a_piece));
    try {
      if (!open(p)) return false;
      p.decoder->jump(p.where.first, p.where.position);
      p.count = p.decoder->fill(p.edges, p.where.end);
      return true;
    } catch (const invalid_format&) {
      return false;
    } catch (const bit_stream_error&) {
      return false;
    }
  }

  // Decodes the lists in the window of a part's first node, and those they are copied from.
  bool open(part& p) const {
    const std::uint64_t first = p.where.first;
    const std::vector<std::uint64_t>& offsets = p.where.earlier;
    const std::uint64_t known = offsets.size();
    const std::uint64_t window = window_before(first);
    if (window > known) return false;
    p.needed.assign(known, 0);
    std::fill(p.needed.end() - static_cast<std::ptrdiff_t>(window), p.needed.end(), char{1});
    for (std::uint64_t i = known; i-- > 0;) {
      if (p.needed[i] == 0) continue;
      const std::uint64_t reference = p.decoder->reference_at(first - known + i, offsets[i]);
      if (reference > i) return false;
      p.needed[i - reference] = 1;
    }
    p.opening_sizes.clear();
    p.opening.clear();
    for (std::uint64_t i = 0; i < known; ++i) {
      if (p.needed[i] == 0) continue;
      p.decoder->jump(first - known + i, offsets[i]);
      const auto list = p.decoder->decode_next();
      if (i < known - window) continue;
      p.opening_sizes.push_back(list.size());
      p.opening.insert(p.opening.end(), list.begin(), list.end());
    }
    return true;
  }

  // Whether a part started as what was decoded in order has ended.
  bool continues(const part& p) const {
    const std::uint64_t first = p.where.first;
    if (main_->next_node() != first || main_->position() != p.where.position) return false;
    const index_t* expected = p.opening.data();
    const std::uint64_t window = window_before(first);
    for (std::uint64_t i = 0; i < window; ++i) {
      const auto list = main_->kept(first - window + i);
      if (list.size() != p.opening_sizes[i] || !std::equal(list.begin(), list.end(), expected)) {
        return false;
      }
      expected += list.size();
    }
    return true;
  }

  void decode_until(std::uint64_t end) {
    while (!main_->finished(end)) {
      if (batch_.empty()) batch_.resize(at_most(edges_a_batch));
      const std::uint64_t count = main_->fill(batch_, end);
      out_.deliver({batch_.data(), count}, main_->position());
    }
  }

  const bvgraph_properties& properties_;
  std::string graph_file_;
  std::span<const std::uint8_t> graph_;
  delivery& out_;
  std::unique_ptr<decoder_type> main_;  // has decoded everything that was delivered, and no more
  turns turns_;
  std::vector<edge> batch_;
  std::uint64_t most_kept_by_part_ = 0;
};

std::size_t threads_allowed() {
  using control = tbb::global_control;
  return std::min<std::size_t>(control::active_value(control::max_allowed_parallelism),
                               static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
}

// The offsets are worth reading when threads can share the work, and never worth failing for.
std::unique_ptr<whole_file> open_offsets(const std::filesystem::path& file) {
  std::error_code ignored;
  if (threads_allowed() < 2 || !std::filesystem::is_regular_file(file, ignored)) return nullptr;
  try {
    return std::make_unique<whole_file>(file);
  } catch (const io_error&) {
    return nullptr;
  }
}

template <bit_order Order, class Codes>
void read_graph_file(const file_names& names, const bvgraph_properties& properties,
                     std::span<const std::uint8_t> graph, delivery& out) {
  graph_reader<Order, Codes> reader(properties, names.graph.string(), graph, out);
  if (const auto offsets = open_offsets(names.offsets)) {
    reader.read_in_parallel(offsets->bytes(), threads_allowed());
  } else {
    reader.read_in_order();
  }
}

template <bit_order Order>
void read_graph_file(const file_names& names, const bvgraph_properties& properties,
                     std::span<const std::uint8_t> graph, delivery& out) {
  if (default_bvgraph_codes<Order>::fit(properties.codes)) {
    read_graph_file<Order, default_bvgraph_codes<Order>>(names, properties, graph, out);
  } else {
    read_graph_file<Order, any_bvgraph_codes<Order>>(names, properties, graph, out);
  }
}

}  // namespace

std::optional<shape> read_bvgraph(const std::filesystem::path& file, edge_sink& sink,
                                  const read_options& options) {
  const file_names names(file);
  const bvgraph_properties properties = read_bvgraph_properties(names.properties);
  const whole_file graph(names.graph);
  const auto bytes = graph.bytes();
  if (properties.nodes / 8 > bytes.size()) {
    throw invalid_format(names.graph.string(), "",
                         fmt::format("the lists of {} nodes take a bit each at least, but the file "
                                     "has {} bytes",
                                     properties.nodes, bytes.size()));
  }
  delivery out(sink, options, properties, names.properties.string(), bytes.size());
  if (properties.order == bit_order::msb_first) {
    read_graph_file<bit_order::msb_first>(names, properties, bytes, out);
  } else {
    read_graph_file<bit_order::lsb_first>(names, properties, bytes, out);
  }
  return shape{properties.nodes, properties.nodes};
}

}  // namespace baltoro::io
