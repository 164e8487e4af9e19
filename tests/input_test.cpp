#include "io/input.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tbb/global_control.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "support/invalid_files.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string gzip(std::string_view bytes) {
  ::z_stream stream{};
  ::deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view bytes, int window_log = 0) {
  ZSTD_CCtx* context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  if (window_log != 0) {
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  }
  std::string packed(::ZSTD_compressBound(bytes.size()) + 64, '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  if (window_log != 0) {  // in two steps, or the window is cut to the size of the data
    ::ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
  }
  ::ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
  packed.resize(out.pos);
  ::ZSTD_freeCCtx(context);
  return packed;
}

std::string skippable(std::string_view content) {
  std::string frame{'\x5a', '\x2a', '\x4d', '\x18'};
  for (int shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>(content.size() >> shift & 0xff);
  }
  return frame.append(content);
}

// Text that compresses a little, longer than every buffer on the way.
std::string long_text() {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < 1'500'000) text += std::to_string(random() % 100'000) + '\n';
  return text;
}

std::string read_all(io::input& in, std::size_t step) {
  std::string all;
  std::vector<char> buffer(step);
  for (;;) {
    const std::size_t got = in.read(buffer);
    all.append(buffer.data(), got);
    if (got < step) return all;
  }
}

std::string read_all(const std::filesystem::path& file, std::size_t step = 1 << 16) {
  io::input in(file);
  return read_all(in, step);
}

class Input : public testing::Test {
 protected:
  std::string unpack(const std::string& bytes, std::size_t step = 1 << 16) {
    return read_all(folder_.write("file", bytes), step);
  }
  test::temporary_directory folder_;
};

TEST_F(Input, ReadsPlainFiles) {
  EXPECT_EQ(unpack(""), "");
  EXPECT_EQ(unpack("a"), "a");
  EXPECT_EQ(unpack("1 2\n", 1), "1 2\n");
  EXPECT_EQ(unpack("\x1f"), "\x1f");
  EXPECT_EQ(unpack("("), "(");  // the first byte of a zstd file is this one
}

TEST_F(Input, UnpacksGzipAndZstd) {
  for (const std::string text : {"", "x", "1 2\n3 4\n"}) {
    EXPECT_EQ(unpack(gzip(text)), text);
    EXPECT_EQ(unpack(zstd(text)), text);
    EXPECT_EQ(unpack(gzip(text), 1), text);
    EXPECT_EQ(unpack(zstd(text), 1), text);
  }
}

TEST_F(Input, ReadsLongFilesInStepsOfAnySize) {
  const std::string text = long_text();
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    const auto file = folder_.write("long", bytes);
    for (const std::size_t step : {4093U, 1U << 20, 9'999'999U}) {
      EXPECT_TRUE(read_all(file, step) == text) << step;
    }
  }
}

TEST_F(Input, UnpacksSeveralMembersAndFrames) {
  EXPECT_EQ(unpack(gzip("a") + gzip("") + gzip("bc")), "abc");
  EXPECT_EQ(unpack(gzip("a") + std::string(1000, '\0')), "a");
  EXPECT_EQ(unpack(zstd("a") + zstd("") + zstd("bc")), "abc");
  EXPECT_EQ(unpack(skippable("note") + zstd("a") + skippable("") + zstd("b") + skippable("x")),
            "ab");
  const std::string text = long_text();
  EXPECT_TRUE(unpack(gzip(text) + gzip(text)) == text + text);
  EXPECT_TRUE(unpack(zstd(text) + zstd(text)) == text + text);
}

TEST_F(Input, RefusesEveryTruncation) {
  const std::string text = "1 2\n3 4\n";
  for (const std::string& whole : {gzip(text), zstd(text)}) {
    for (std::size_t size = 3; size < whole.size(); ++size) {
      EXPECT_THAT([&] { unpack(whole.substr(0, size)); },
                  ThrowsMessage<invalid_format>(AllOf(
                      HasSubstr("file: byte " + std::to_string(size) + ":"), HasSubstr("cut off"))))
          << size;
    }
  }
  EXPECT_THROW(unpack("\x1f\x8b"), invalid_format);
}

TEST_F(Input, RefusesDamageAndGarbage) {
  const std::string text = long_text();
  for (std::string bytes : {gzip(text), zstd(text)}) {
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    EXPECT_THAT([&] { unpack(bytes); }, ThrowsMessage<invalid_format>(HasSubstr("damaged")));
  }
  EXPECT_THAT([&] { unpack(gzip("a") + "junk"); },
              ThrowsMessage<invalid_format>(HasSubstr("something else follows")));
  EXPECT_THAT([&] { unpack(gzip("a") + std::string(3, '\0') + "junk"); },
              ThrowsMessage<invalid_format>(HasSubstr("something else follows")));
  EXPECT_THAT([&] { unpack(zstd("a") + "junk"); },
              ThrowsMessage<invalid_format>(HasSubstr("something else follows")));
}

TEST_F(Input, RefusesDamageFarIntoTheFile) {
  // By then a thread of its own unpacks; what it throws must come out here, again and again.
  const std::string text = long_text();
  for (const std::string& whole : {gzip(text), zstd(text)}) {
    io::input in(folder_.write("file", whole.substr(0, whole.size() - 5)));
    EXPECT_THAT([&] { read_all(in, 100'000); },
                ThrowsMessage<invalid_format>(HasSubstr("cut off")));
    std::vector<char> buffer(10);
    EXPECT_THROW(in.read(buffer), invalid_format);
  }
}

TEST_F(Input, CanBeLeftAnywhere) {
  const std::string text = long_text();
  for (const std::string& bytes : {gzip(text), zstd(text)}) {
    const auto file = folder_.write("file", bytes);
    for (const std::size_t size : {0U, 1U, 1U << 19, 1U << 20}) {
      io::input in(file);
      std::string part(size, '\0');
      EXPECT_EQ(in.read(part), size);
      EXPECT_TRUE(part == text.substr(0, size));
    }
  }
}

TEST_F(Input, IsTheSameWithOneThread) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const std::string text = long_text();
  EXPECT_TRUE(unpack(gzip(text)) == text);
  EXPECT_TRUE(unpack(zstd(text)) == text);
}

TEST_F(Input, RefusesInvalidFiles) {
  const std::vector<test::invalid_file> gzip_files = {
      {"gzip_cut_off.gz", "byte 23: the gzip data is cut off here"},
      {"gzip_wrong_checksum.gz", "byte 28: damaged gzip data (incorrect data check)"},
      {"gzip_with_garbage_after.gz", "byte 32: something else follows the gzip data"},
      {"gzip_bad_block.gz", "byte 11: damaged gzip data (invalid block type)"},
  };
  const std::vector<test::invalid_file> zstd_files = {
      {"zstd_cut_off.zst", "byte 19: the zstd data is cut off here"},
      {"zstd_wrong_checksum.zst", "byte 0: damaged zstd data from here on (Restored data"},
      {"zstd_with_garbage_after.zst", "byte 25: something else follows the zstd data"},
      {"zstd_window_2_GiB.zst", "byte 0: the zstd window is above 128 MiB"},
      {"zstd_skippable_cut_off.zst", "byte 11: the zstd data is cut off here"},
  };
  test::expect_all_listed(gzip_files, ".gz");
  test::expect_all_listed(zstd_files, ".zst");
  test::expect_refusals(gzip_files, [](const auto& file) { read_all(file); });
  test::expect_refusals(zstd_files, [](const auto& file) { read_all(file); });
}

TEST_F(Input, RefusesZstdWindowsAbove128MiB) {
  EXPECT_EQ(unpack(zstd("abc", 27)), "abc");
  EXPECT_THAT([&] { unpack(zstd("abc", 28)); },
              ThrowsMessage<invalid_format>(HasSubstr("128 MiB")));
}

TEST_F(Input, NamesWhatCannotBeOpened) {
  EXPECT_THAT([&] { io::input(folder_ / "absent"); },
              ThrowsMessage<io_error>(HasSubstr("absent: cannot open: No such file")));
  EXPECT_THAT([&] { io::input{folder_.path()}; },
              ThrowsMessage<io_error>(HasSubstr("Is a directory")));
  if (::geteuid() != 0) {  // root may read everything
    const auto file = folder_.write("secret", "1 2\n");
    ::chmod(file.c_str(), 0);
    EXPECT_THAT([&] { io::input{file}; }, ThrowsMessage<io_error>(HasSubstr("Permission denied")));
  }
}

TEST_F(Input, CountsBytesOfTheFile) {
  const std::string text = long_text();
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    io::input in(folder_.write("counted", bytes));
    EXPECT_EQ(in.file_bytes(), bytes.size());
    EXPECT_EQ(in.consumed_bytes(), 0U);
    read_all(in, 1 << 16);
    EXPECT_EQ(in.consumed_bytes(), bytes.size());
  }
}

TEST_F(Input, ReadsPipes) {
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = long_text();
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  io::input in(pipe);
  EXPECT_EQ(in.file_bytes(), 0U);
  EXPECT_TRUE(read_all(in, 1 << 16) == text);
  writer.join();
}

}  // namespace
