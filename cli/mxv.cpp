// baltoro mxv: a product of the matrix with a vector or a batch of vectors.
#include <baltoro/npy.hpp>
#include <baltoro/product.hpp>
#include <baltoro/threads.hpp>

#include <memory>
#include <variant>

#include <fmt/format.h>

#include "commands.hpp"
#include "figures.hpp"
#include "input_graph.hpp"
#include "memory.hpp"
#include "output_file.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  std::filesystem::path x;
  std::filesystem::path y;
  bool left = false;
  semiring ring = semiring::plus_times;
  device where = device::automatic;
  cuda_options cuda;
  bool reproducible = false;
};

// What is known when the product is done.
struct outcome {
  working_set needs;
  device where = device::cpu;
  std::uint64_t rows = 0;
  std::uint64_t batch = 0;
  bool is_vector = true;
  double seconds = 0;
};

void check_shape(const arguments& given, const matrix& a, std::uint64_t rows, std::uint64_t batch) {
  const index_t wanted = given.left ? a.rows() : a.cols();
  if (rows != wanted) {
    throw invalid_argument(fmt::format("{}: {} rows, but the matrix has {} {}", given.x.string(),
                                       rows, wanted, given.left ? "rows" : "columns"));
  }
  if (batch == 0)
    throw invalid_argument(given.x.string() + ": no vectors, the second dimension is 0");
  if (batch > max_dimension) {
    throw invalid_argument(
        fmt::format("{}: {} vectors, more than {}", given.x.string(), batch, max_dimension));
  }
}

template <class T>
outcome multiply(const arguments& given, const matrix& a, const npy_array<T>& x) {
  const product_options options = {.side = given.left ? direction::left : direction::right,
                                   .ring = given.ring,
                                   .batch = static_cast<index_t>(x.batch),
                                   .where = given.where,
                                   .cuda = given.cuda,
                                   .reproducible = given.reproducible};
  plan<T> product(a, options);
  outcome result;
  result.needs = product.needs();
  result.where = product.where();
  result.rows = given.left ? a.cols() : a.rows();
  result.batch = x.batch;
  result.is_vector = x.is_vector;
  if (!given.common.json && !given.common.quiet) print(to_text(result.needs) + "\n");
  const std::uint64_t y_size = product.y_size();
  require_memory(given.y.string(),
                 static_cast<double>(sizeof(T) * y_size + result.needs.scratch_bytes),
                 "multiply fewer vectors at once");
  std::vector<T> y(y_size);
  const stopwatch watch;
  product.run(x.values, y);
  result.seconds = watch.seconds();
  write_npy(given.y, std::span<const T>(y), x.is_vector ? 0 : x.batch);
  return result;
}

void run(const arguments& given) {
  require_vector_output("Y", given.y);
  if (given.y == given.input.file)
    throw usage_error("Y would replace the graph " + given.y.string());
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open(given.input, display);
  const npy_numbers numbers = read_npy(given.x);
  std::visit([&](const auto& x) { check_shape(given, opened.matrix, x.rows, x.batch); }, numbers);
  const outcome result = about(given.input.file, [&] {
    return std::visit([&](const auto& x) { return multiply(given, opened.matrix, x); }, numbers);
  });
  const bool single = std::holds_alternative<npy_array<float>>(numbers);

  if (given.common.json) {
    print_json({{"file", given.input.file.string()},
                {"relation", opened.relation},
                {"x", given.x.string()},
                {"y", given.y.string()},
                {"direction", given.left ? "left" : "right"},
                {"semiring", name_of(given.ring)},
                {"device", name_of(result.where)},
                {"reproducible", given.reproducible || result.where == device::cpu ||
                                     given.ring != semiring::plus_times},
                {"dtype", single ? "float32" : "float64"},
                {"rows", result.rows},
                {"batch", result.batch},
                {"working_set", to_json(result.needs)},
                {"seconds", {{"read", opened.seconds}, {"run", result.seconds}}}});
  } else if (!given.common.quiet) {
    const std::string shape =
        grouped(result.rows) + (result.is_vector ? " values" : fmt::format(" x {}", result.batch));
    print(fmt::format("{}: {}, {}, computed in {:.3g} s\n", printable(given.y.string()), shape,
                      single ? "float32" : "float64", result.seconds));
  }
}

}  // namespace

void add_mxv(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("mxv", "Multiply the matrix with a vector or a batch");
  add_input(*command, given->input);
  command->add_option("X", given->x, "The vector (n) or the batch (n x B) to multiply, .npy")
      ->required()
      ->type_name("");
  command->add_option("Y", given->y, "The result to write, .npy; float32 stays float32")
      ->required()
      ->type_name("");
  command->add_flag("--left", given->left, "Compute y = x^T A instead of y = A x");
  add_choice<semiring>(*command, "--semiring", given->ring,
                       {{"plus_times", semiring::plus_times},
                        {"lor_land", semiring::lor_land},
                        {"min_plus", semiring::min_plus}},
                       "How terms are made and added (plus_times)");
  add_device(*command, given->where, given->cuda);
  command->add_flag("--reproducible", given->reproducible,
                    "On a GPU, the same bits on every run; takes 8 bytes more a value of X and Y");
  add_common(*command, given->common);
  command->footer(
      "What the product holds in memory is printed before it runs. The infinity of min_plus is\n"
      "1e9.\n"
      "\nExamples:\n"
      "  baltoro mxv web.k2m x.npy y.npy\n"
      "  baltoro mxv web.k2m x.npy y.npy --left --semiring min_plus");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
