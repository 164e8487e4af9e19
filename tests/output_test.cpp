#include "io/output.hpp"

#include <baltoro/error.hpp>

#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_directory.hpp"

namespace {

namespace fs = std::filesystem;

using namespace baltoro;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Output : public testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  test::temporary_directory folder_;
};

TEST_F(Output, AppearsWholeAtCommit) {
  io::output out(folder_ / "file");
  out.write("abc");
  EXPECT_FALSE(fs::exists(folder_ / "file"));
  EXPECT_EQ(files(), 1U);
  out.write("def");
  EXPECT_EQ(out.offset(), 6U);
  out.commit();
  EXPECT_EQ(content(folder_ / "file"), "abcdef");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Output, LeavesTheOldFileAloneUntilCommit) {
  const auto file = folder_.write("file", "old");
  {
    io::output out(file);
    out.write(std::string(3'000'000, 'x'));
  }
  EXPECT_EQ(content(file), "old");
  EXPECT_EQ(files(), 1U);
  io::output out(file);
  out.commit();
  EXPECT_EQ(content(file), "");
}

TEST_F(Output, TakesWritesOfAnySize) {
  io::output out(folder_ / "file");
  std::string expected;
  for (const std::size_t size : {0U, 1U, 1'000'000U, 48'575U, 1U, 3'000'000U, 5U, 1U << 20}) {
    const std::string part(size, static_cast<char>('a' + expected.size() % 26));
    out.write(part);
    expected += part;
  }
  out.commit();
  EXPECT_TRUE(content(folder_ / "file") == expected);
}

TEST_F(Output, Rewrites) {
  constexpr std::size_t size = 1'500'000;
  std::string expected(size, 'x');
  io::output out(folder_ / "file");
  for (std::size_t i = 0; i < size; i += 500'000) out.write(expected.substr(i, 500'000));
  // On disk, in the buffer, and across the border of the two, wherever that is.
  for (const std::size_t at : {0U, 900'000U, 1'499'997U}) {
    out.rewrite(at, "new", 3);
    expected.replace(at, 3, "new");
  }
  const std::string middle(1'000'000, 'y');
  out.rewrite(250'000, middle.data(), middle.size());
  expected.replace(250'000, middle.size(), middle);
  EXPECT_EQ(out.offset(), size);
  EXPECT_THROW(out.rewrite(size - 2, "abc", 3), invalid_argument);
  EXPECT_THROW(out.rewrite(size + 1, "", 0), invalid_argument);
  out.write("end");
  out.commit();
  EXPECT_TRUE(content(folder_ / "file") == expected + "end");
}

TEST_F(Output, Pads) {
  io::output out(folder_ / "file");
  out.pad_to(64);
  EXPECT_EQ(out.offset(), 0U);
  out.write("a");
  out.pad_to(4);
  EXPECT_EQ(out.offset(), 4U);
  out.pad_to(10'000);
  EXPECT_EQ(out.offset(), 10'000U);
  out.commit();
  EXPECT_EQ(content(folder_ / "file"), "a" + std::string(9'999, '\0'));
}

TEST_F(Output, HasTheModeOfTheUmask) {
  const ::mode_t before = ::umask(027);
  io::output out(folder_ / "file");
  ::umask(before);
  out.commit();
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(Output, ReplacesWhatALinkPointsTo) {
  const auto file = folder_.write("file", "old");
  fs::create_symlink("file", folder_ / "link");
  io::output out(folder_ / "link");
  out.write("new");
  out.commit();
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(content(file), "new");
  fs::create_symlink("later", folder_ / "dangling");
  io::output second(folder_ / "dangling");
  second.write("made");
  second.commit();
  EXPECT_EQ(content(folder_ / "later"), "made");
}

TEST_F(Output, TakesNamesAsLongAsTheSystemDoes) {
  const std::string name(255, 'n');
  io::output out(folder_ / name);
  out.commit();
  EXPECT_TRUE(fs::exists(folder_ / name));
  EXPECT_THROW(io::output{folder_ / (name + "n")}, io_error);
}

TEST_F(Output, WritesPipesStraight) {
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content(pipe); });
  io::output out(pipe);
  out.write("abc");
  out.rewrite(1, "B", 1);  // still in the buffer
  out.write(std::string(2'000'000, 'x'));
  EXPECT_THROW(out.rewrite(1, "b", 1), io_error);
  out.commit();
  reader.join();
  EXPECT_TRUE(got == "aBc" + std::string(2'000'000, 'x'));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Output, WritesStandardOutput) {
  for (const char* name : {"-", "/dev/stdout"}) {
    const auto file = folder_.write("caught", "");
    std::fflush(stdout);
    const int saved = ::dup(STDOUT_FILENO);
    const int caught = ::open(file.c_str(), O_WRONLY);
    ::dup2(caught, STDOUT_FILENO);
    {
      io::output out(name);
      out.write("to the terminal");
      out.commit();
    }
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    ::close(caught);
    EXPECT_EQ(content(file), "to the terminal");
  }
}

TEST_F(Output, NamesWhatCannotBeCreated) {
  EXPECT_THAT([&] { io::output{folder_.path()}; },
              ThrowsMessage<io_error>(HasSubstr("Is a directory")));
  EXPECT_THAT([&] { io::output{folder_.path() / ""}; },
              ThrowsMessage<io_error>(HasSubstr("Is a directory")));
  EXPECT_THAT([&] { io::output{folder_ / "absent" / "file"}; },
              ThrowsMessage<io_error>(HasSubstr("file: cannot create: No such file")));
  EXPECT_THROW(io::output{""}, io_error);
  folder_.write("file", "");
  EXPECT_THAT([&] { io::output{folder_ / "file" / "below"}; },
              ThrowsMessage<io_error>(HasSubstr("Not a directory")));
  if (::geteuid() != 0) {  // root may write everything
    ::chmod((folder_ / "file").c_str(), 0400);
    EXPECT_THAT([&] { io::output{folder_ / "file"}; },
                ThrowsMessage<io_error>(HasSubstr("Permission denied")));
    ::chmod(folder_.path().c_str(), 0500);
    EXPECT_THAT([&] { io::output{folder_ / "new"}; },
                ThrowsMessage<io_error>(HasSubstr("Permission denied")));
    ::chmod(folder_.path().c_str(), 0700);
  }
}

TEST_F(Output, ReportsAFullDisk) {
  io::output out("/dev/full");
  out.write("abc");
  EXPECT_THAT([&] { out.commit(); },
              ThrowsMessage<io_error>(HasSubstr("/dev/full: cannot write: No space left")));
}

TEST_F(Output, RemovesTheFileThatDoesNotFit) {
  // A limit on the size of files stands for a full disk.
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 100'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  {
    io::output out(folder_ / "file");
    out.write(std::string(500'000, 'x'));
    EXPECT_THAT([&] { out.commit(); },
                ThrowsMessage<io_error>(HasSubstr("file: cannot write: File too large")));
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(files(), 0U);
}

TEST_F(Output, ReportsARenameThatFails) {
  {
    io::output out(folder_ / "file");
    fs::create_directory(folder_ / "file");
    EXPECT_THROW(out.commit(), io_error);
  }
  EXPECT_EQ(files(), 1U);
}

// Runs `body` in a process of its own, since cleaning up is the last thing a process does.
void in_child(const std::function<void()>& body) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Output, CanBeCleanedUpFromASignalHandler) {
  in_child([&] {
    io::output finished(folder_ / "finished");
    finished.commit();
    io::output first(folder_ / "first");
    io::output second(folder_ / "second");
    std::signal(SIGTERM, [](int) {
      io::remove_unfinished_outputs();
      ::_exit(0);
    });
    std::raise(SIGTERM);
  });
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(fs::exists(folder_ / "finished"));
}

TEST_F(Output, NoLongerKnowsFilesThatEndedOnTheirOwn) {
  in_child([&] {
    for (int i = 0; i < 50; ++i) {  // more than can be known at once, were they not forgotten
      io::output dropped(folder_ / "dropped");
      io::output kept(folder_ / "kept");
      kept.commit();
    }
    io::output last(folder_ / "last");
    io::remove_unfinished_outputs();
    ::_exit(0);
  });
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(fs::exists(folder_ / "kept"));
}

}  // namespace
