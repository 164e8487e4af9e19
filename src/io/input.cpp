#include "io/input.hpp"

#include <optional>
#include <system_error>

#include <tbb/global_control.h>

#include "io/raw_file.hpp"
#include "io/read_ahead.hpp"
#include "io/unpack.hpp"

namespace baltoro::io {

class input::decoder {
 public:
  explicit decoder(const std::filesystem::path& file)
      : file_(file), unpacker_(make_unpacker(file_)) {}

  std::size_t read(std::span<char> buffer) {
    if (!unpacker_) return file_.read(buffer);
    if (ahead_) return ahead_->read(buffer);
    const std::size_t got = unpacker_->read(buffer);
    unpacked_ += got;
    if (got == buffer.size() && unpacked_ >= small_file_bytes && !alone_) start_thread();
    return got;
  }
  const raw_file& file() const { return file_; }

 private:
  // A thread is not worth its start for less, for instance where somebody looks at the first bytes.
  static constexpr std::uint64_t small_file_bytes = std::uint64_t{1} << 19;

  void start_thread() {
    using tbb::global_control;
    alone_ = global_control::active_value(global_control::max_allowed_parallelism) < 2;
    if (alone_) return;
    try {
      ahead_.emplace(*unpacker_);
    } catch (const std::system_error&) {
      alone_ = true;
    }
  }

  raw_file file_;
  std::unique_ptr<unpacker> unpacker_;
  std::uint64_t unpacked_ = 0;
  bool alone_ = false;
  std::optional<read_ahead> ahead_;
};

input::input(const std::filesystem::path& file)
    : name_(file.string()), decoder_(std::make_unique<decoder>(file)) {}

input::~input() = default;

std::size_t input::read(std::span<char> buffer) { return decoder_->read(buffer); }

std::uint64_t input::consumed_bytes() const { return decoder_->file().position(); }

std::uint64_t input::file_bytes() const { return decoder_->file().size(); }

}  // namespace baltoro::io
