#include "io/input.hpp"

#include "io/raw_file.hpp"
#include "io/unpack.hpp"

namespace baltoro::io {

class input::decoder {
 public:
  explicit decoder(const std::filesystem::path& file) : file_(file) {
    unpacker_ = make_unpacker(file_);
  }

  std::size_t read(std::span<char> buffer) {
    return unpacker_ ? unpacker_->read(buffer) : file_.read(buffer);
  }
  const raw_file& file() const { return file_; }

 private:
  raw_file file_;
  std::unique_ptr<unpacker> unpacker_;
};

input::input(const std::filesystem::path& file)
    : name_(file.string()), decoder_(std::make_unique<decoder>(file)) {}

input::~input() = default;

std::size_t input::read(std::span<char> buffer) { return decoder_->read(buffer); }

std::uint64_t input::consumed_bytes() const { return decoder_->file().position(); }

std::uint64_t input::file_bytes() const { return decoder_->file().size(); }

}  // namespace baltoro::io
