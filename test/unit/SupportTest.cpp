// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output files: what stands at their places already. Text for terminals.
#include "compiler/support/OutputFiles.h"
#include "compiler/support/Text.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aotc;

namespace {

struct Folder {
  Folder() { llvm::sys::fs::createUniqueDirectory("aotc-support", path); }
  ~Folder() { llvm::sys::fs::remove_directories(path); }
  std::string file(const std::string &name) const { return (path + "/" + name).str(); }
  llvm::SmallString<128> path;
};

std::string contents(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "(cannot be read)";
}

std::string write(const std::vector<OutputFile> &files) {
  return llvm::toString(writeOutputFiles(files));
}

} // namespace

TEST_CASE("a link stays a link, its target is written") {
  Folder folder;
  REQUIRE(write({{folder.file("target"), "old"}}) == "");
  REQUIRE(symlink("target", folder.file("link").c_str()) == 0);
  CHECK(write({{folder.file("link"), "new"}}) == "");
  CHECK(llvm::sys::fs::is_symlink_file(folder.file("link")));
  CHECK(contents(folder.file("target")) == "new");
}

TEST_CASE("a device stays a device") {
  struct stat before, after;
  REQUIRE(stat("/dev/null", &before) == 0);
  CHECK(write({{"/dev/null", "text"}}) == "");
  REQUIRE(stat("/dev/null", &after) == 0);
  CHECK(S_ISCHR(after.st_mode));
  CHECK(before.st_ino == after.st_ino);
}

TEST_CASE("a pipe gets the text, after the other files were made") {
  Folder folder;
  std::string pipe = folder.file("pipe"), file = folder.file("file");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  CHECK(write({{pipe, "through"}, {file, "beside"}}) == "");
  char text[8] = {};
  CHECK(read(reader, text, 7) == 7);
  close(reader);
  CHECK(std::string(text) == "through");
  CHECK(contents(file) == "beside");
}

TEST_CASE("a folder in the way leaves everything as it was") {
  Folder folder;
  REQUIRE(write({{folder.file("a"), "old"}}) == "");
  REQUIRE(mkdir(folder.file("b").c_str(), 0700) == 0);
  CHECK(write({{folder.file("a"), "new"}, {folder.file("b"), "new"}}) != "");
  CHECK(contents(folder.file("a")) == "old");
}

TEST_CASE("text for terminals") {
  CHECK(printable("conv\x1b[31m\n\x7f") == "conv?[31m??");
  CHECK(printable("größe") == "größe");
  CHECK(printable(std::string(201, 'a')) == std::string(200, 'a') + "...");
  CHECK(shapeText({1, 8, 3}) == "[1,8,3]");
  CHECK(shapeText({}) == "[]");
}

TEST_CASE("times have three digits at least, of nanoseconds all") {
  CHECK(durationText(0) == "0 ns");
  CHECK(durationText(999) == "999 ns");
  CHECK(durationText(1234) == "1.23 us");
  CHECK(durationText(45'678) == "45.7 us");
  CHECK(durationText(345'678) == "346 us");
  CHECK(durationText(2'500'000) == "2.50 ms");
  CHECK(durationText(12'000'000'000) == "12.0 s");
  CHECK(durationText(4'321'000'000'000) == "4321 s");
}
