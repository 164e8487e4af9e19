/// \file
/// \brief Vectors in NumPy's `.npy` files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <variant>
#include <vector>

namespace baltoro {

/// A vector (n values) or a batch of vectors (n × batch, row-major) with its values.
template <class T>
struct npy_array {
  std::uint64_t rows = 0;   ///< first dimension, n
  std::uint64_t batch = 1;  ///< second dimension, 1 for a vector
  bool is_vector = true;    ///< whether the file has one dimension
  std::vector<T> values;    ///< rows × batch values, row-major
};

/// What a file of numbers becomes: float32 stays float, every other number and Boolean is a double.
using npy_numbers = std::variant<npy_array<float>, npy_array<double>>;

/// Reads an array of one or two dimensions: Booleans, integers of 1 to 8 bytes, float16, float32 or
/// float64, either byte order, C or Fortran order. The sizes it states are checked against the size
/// of the file before anything is allocated; of a pipe, memory grows with what has come.
/// \throws io_error, invalid_format
npy_numbers read_npy(const std::filesystem::path& file);

/// Writes values as an array of shape (n) or, where batch > 0, (n, batch). Whole or not at all.
/// \pre values.size() is a multiple of batch
void write_npy(const std::filesystem::path& file, std::span<const float> values,
               std::uint64_t batch = 0);
/// The same for doubles.
void write_npy(const std::filesystem::path& file, std::span<const double> values,
               std::uint64_t batch = 0);
/// The same for 32-bit integers.
void write_npy(const std::filesystem::path& file, std::span<const std::int32_t> values,
               std::uint64_t batch = 0);
/// The same for 64-bit integers.
void write_npy(const std::filesystem::path& file, std::span<const std::int64_t> values,
               std::uint64_t batch = 0);

}  // namespace baltoro
