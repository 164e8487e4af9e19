#include "io/unpack.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace baltoro::io {
namespace {

[[noreturn]] void fail(const raw_file& file, const std::string& reason) {
  throw invalid_format(file.name(), fmt::format("byte {}", file.position()), reason);
}

class gzip_unpacker final : public unpacker {
 public:
  explicit gzip_unpacker(raw_file& file) : file_(file) {
    constexpr int gzip_only = 15 + 16;
    if (::inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_unpacker() override { ::inflateEnd(&stream_); }
  gzip_unpacker(const gzip_unpacker&) = delete;
  gzip_unpacker& operator=(const gzip_unpacker&) = delete;

  std::size_t read(std::span<char> to) override {
    std::size_t done = 0;
    while (done < to.size() && !ended_) done += step(to.subspan(done));
    return done;
  }

 private:
  // Unpacks some bytes, or takes the step from one member to the next.
  std::size_t step(std::span<char> to) {
    const auto packed = file_.fill();
    if (!in_member_) {
      start_member(packed);
      return 0;
    }
    if (packed.empty()) fail(file_, "the gzip data is cut off here");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    const std::size_t room = std::min(to.size(), std::size_t{1} << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    file_.consume(packed.size() - stream_.avail_in);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result == Z_STREAM_END) {
      in_member_ = false;
    } else if (result != Z_OK) {
      fail(file_, fmt::format("damaged gzip data ({})",
                              stream_.msg != nullptr ? stream_.msg : "no valid block"));
    }
    return room - stream_.avail_out;
  }

  void start_member(std::span<const char> packed) {
    if (packed.empty()) {
      ended_ = true;
    } else if (padding_ || packed[0] == 0) {
      // Zeros may fill the last block of a tape or an archive.
      padding_ = true;
      std::size_t zeros = 0;
      while (zeros < packed.size() && packed[zeros] == 0) ++zeros;
      const bool clean = zeros == packed.size();
      file_.consume(zeros);
      if (!clean) fail(file_, "something else follows the gzip data");
    } else {
      if (packed[0] != '\x1f') fail(file_, "something else follows the gzip data");
      ::inflateReset(&stream_);
      in_member_ = true;
    }
  }

  raw_file& file_;
  ::z_stream stream_{};
  bool in_member_ = true;
  bool padding_ = false;
  bool ended_ = false;
};

class zstd_unpacker final : public unpacker {
 public:
  explicit zstd_unpacker(raw_file& file) : file_(file), context_(::ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 27);
  }

  std::size_t read(std::span<char> to) override {
    ZSTD_outBuffer unpacked{to.data(), to.size(), 0};
    while (unpacked.pos < unpacked.size) {
      const auto bytes = file_.fill();
      // Between frames the file may end; within one, the context may still hold output.
      if (bytes.empty() && between_frames_) break;
      ZSTD_inBuffer packed{bytes.data(), bytes.size(), 0};
      const std::size_t before = unpacked.pos;
      const std::size_t result = ::ZSTD_decompressStream(context_.get(), &unpacked, &packed);
      file_.consume(packed.pos);
      if (::ZSTD_isError(result) != 0) refuse(result);
      between_frames_ = result == 0;
      if (bytes.empty() && !between_frames_ && unpacked.pos == before) {
        fail(file_, "the zstd data is cut off here");
      }
    }
    return unpacked.pos;
  }

 private:
  struct free_context {
    void operator()(ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
  };

  [[noreturn]] void refuse(std::size_t result) const {
    switch (::ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        fail(file_, "the zstd window is above 128 MiB; compress with --long=27 or less");
      case ZSTD_error_dictionary_wrong:
        fail(file_, "the zstd data needs a dictionary; compress without one");
      case ZSTD_error_prefix_unknown:
        fail(file_, "something else follows the zstd data");
      default:
        fail(file_,
             fmt::format("damaged zstd data from here on ({})", ::ZSTD_getErrorName(result)));
    }
  }

  raw_file& file_;
  std::unique_ptr<ZSTD_DCtx, free_context> context_;
  bool between_frames_ = false;
};

}  // namespace

std::unique_ptr<unpacker> make_unpacker(raw_file& file) {
  const auto first = file.fill(4);
  const auto byte = [&](std::size_t i) {
    return i < first.size() ? static_cast<int>(static_cast<unsigned char>(first[i])) : -1;
  };
  // A file may end within its magic number: two bytes of gzip or three of zstd are no text either.
  if (byte(0) == 0x1f && byte(1) == 0x8b && (byte(2) == 8 || byte(2) == -1)) {
    return std::make_unique<gzip_unpacker>(file);
  }
  const bool frame =
      byte(0) == 0x28 && byte(1) == 0xb5 && byte(2) == 0x2f && (byte(3) == 0xfd || byte(3) == -1);
  const bool skippable =
      (byte(0) & ~0x0f) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18;
  if (frame || skippable) return std::make_unique<zstd_unpacker>(file);
  return nullptr;
}

}  // namespace baltoro::io
