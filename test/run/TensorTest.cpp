// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compareTensors and tensor files. The .npy contents are spelled out after
// NumPy's description of the format.
#include <catch2/catch.hpp>

#include "compiler/run/Compare.h"
#include "compiler/run/TensorFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>

using namespace aotc;
using Catch::Matchers::Contains;

namespace {

std::string floats(std::vector<float> values) {
  return std::string(reinterpret_cast<const char *>(values.data()), 4 * values.size());
}

IoTensor tensor(DType type, std::vector<int64_t> shape) {
  IoTensor result;
  result.name = "x";
  result.type = type;
  result.bytes = dtypeSize(type);
  for (int64_t dim : shape)
    result.bytes *= dim;
  result.shape = std::move(shape);
  return result;
}

// Version 1: length in two bytes.
std::string npy(const std::string &dictionary, const std::string &data) {
  std::string result = "\x93NUMPY";
  result += '\1';
  result += '\0';
  result += char(dictionary.size() & 255);
  result += char(dictionary.size() >> 8);
  return result + dictionary + data;
}

std::string npyError(const std::string &content, const IoTensor &like) {
  auto data = parseNpy(content, like, "f.npy");
  REQUIRE(!bool(data));
  return llvm::toString(data.takeError());
}

struct TempFile {
  explicit TempFile(const char *suffix) {
    REQUIRE(!llvm::sys::fs::createTemporaryFile("aotc-tensor", suffix, path));
  }
  ~TempFile() { llvm::sys::fs::remove(path); }
  void write(llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
  }
  llvm::SmallString<128> path;
};

} // namespace

TEST_CASE("integers must be equal, the first difference has an index") {
  Comparison same = compareTensors(DType::s8, {2, 3}, "abcdef", "abcdef");
  CHECK(same.equal());
  CHECK(same.elements == 6);
  // Element 4 of a 2x3 tensor is [1, 1]; 'e' = 101, 'x' = 120, difference 19.
  Comparison one = compareTensors(DType::s8, {2, 3}, "abcdef", "abcdxf");
  CHECK(one.wrong == 1);
  CHECK(one.firstWrong == 4);
  CHECK(one.largestError == 19);
  CHECK(one.message() == "1 of 6 elements differ, the first at [1, 1]: got 101, expected 120");
  // Second of two invocations.
  Comparison two = compareTensors(DType::u8, {1, 2}, "abcd", "abc\xff");
  CHECK(two.firstWrongIndex == "invocation 1 [0, 1]");
  CHECK(two.expected == "255");
  CHECK(compareTensors(DType::s8, {1}, "\xff", "\x7f").got == "-1");
  // s16, little-endian: 0x0201 = 513, 0x0301 = 769.
  Comparison wide = compareTensors(DType::s16, {2}, llvm::StringRef("\0\0\1\2", 4),
                                   llvm::StringRef("\0\0\1\3", 4));
  CHECK(wide.got == "513");
  CHECK(wide.expected == "769");
}

TEST_CASE("a length that differs is wrong") {
  Comparison shorter = compareTensors(DType::s16, {3}, "aabb", "aabbcc");
  CHECK(shorter.wrong == 1);
  CHECK(shorter.firstWrongIndex == "[2]");
  CHECK(shorter.got == "nothing");
  CHECK(compareTensors(DType::s8, {1}, "", "").equal());
}

TEST_CASE("floats: tolerance, NaN, infinity") {
  float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  auto equal = [](float got, float expected, Tolerance tolerance) {
    return compareTensors(DType::f32, {1}, floats({got}), floats({expected}), tolerance).equal();
  };
  // |1.5 - 1| = 0.5 <= 0.25 + 0.25 * 1, and not with a smaller figure.
  CHECK(equal(1.5f, 1, {0.25, 0.25}));
  CHECK(!equal(1.5f, 1, {0.25, 0.125}));
  CHECK(equal(-0.0f, 0.0f, {0, 0}));
  CHECK(equal(nan, nan, {0, 0}));
  CHECK(!equal(nan, 1, {1e9, 1e9}));
  CHECK(!equal(1, nan, {1e9, 1e9}));
  CHECK(equal(inf, inf, {0, 0}));
  CHECK(!equal(inf, -inf, {1e9, 1e9}));
  CHECK(!equal(1e30f, inf, {1e9, 1e9}));
  Comparison wrong = compareTensors(DType::f32, {2}, floats({0, 2.5}), floats({0, 1}));
  CHECK(wrong.got == "2.5");
  CHECK(wrong.largestError == 1.5);
  // Half precision: 0x3c00 = 1, 0x4000 = 2.
  CHECK(compareTensors(DType::f16, {1}, llvm::StringRef("\0\x3c", 2), llvm::StringRef("\0\x40", 2))
            .largestError == 1);
}

TEST_CASE(".npy: what NumPy writes is read") {
  IoTensor x = tensor(DType::s8, {1, 3});
  auto data = parseNpy(
      npy("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 3), }  \n", "abc"), x, "f.npy");
  REQUIRE(bool(data));
  CHECK(*data == "abc");
  // A batch in place of the leading 1, or in front of the shape.
  for (const char *shape : {"(2, 3)", "(2, 1, 3)"}) {
    auto two = parseNpy(
        npy(std::string("{'descr': '<i1', 'fortran_order': False, 'shape': ") + shape + "}",
            "abcdef"),
        x, "f.npy");
    REQUIRE(bool(two));
    CHECK(*two == "abcdef");
  }
  // Version 2: length in four bytes.
  std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (), }";
  std::string content = "\x93NUMPY";
  content += std::string("\2\0", 2) + char(dictionary.size()) + std::string("\0\0\0", 3) +
             dictionary + floats({7});
  auto scalar = parseNpy(content, tensor(DType::f32, {}), "f.npy");
  REQUIRE(bool(scalar));
  CHECK(*scalar == floats({7}));
}

TEST_CASE(".npy: everything else is an error") {
  IoTensor x = tensor(DType::s16, {2});
  auto header = [](const char *descr, const char *order, const char *shape) {
    return std::string("{'descr': ") + descr + ", 'fortran_order': " + order +
           ", 'shape': " + shape + ", }";
  };
  CHECK_THAT(npyError("", x), Contains("not a NumPy file"));
  CHECK_THAT(npyError("PK\3\4 something", x), Contains("not a NumPy file"));
  CHECK_THAT(npyError(npy(header("'<f4'", "False", "(2,)"), "aabb"), x),
             Contains("'<f4'") && Contains("needs '<i2'"));
  CHECK_THAT(npyError(npy(header("'>i2'", "False", "(2,)"), "aabb"), x), Contains("'>i2'"));
  CHECK_THAT(npyError(npy(header("[('a', '<i2')]", "False", "(2,)"), "aabb"), x),
             Contains("cannot be read"));
  CHECK_THAT(npyError(npy(header("'<i2'", "True", "(2,)"), "aabb"), x), Contains("Fortran order"));
  CHECK_THAT(npyError(npy(header("'<i2'", "False", "(3,)"), "aabbcc"), x),
             Contains("shape (3,)") && Contains("has (2,)"));
  CHECK_THAT(npyError(npy(header("'<i2'", "False", "(-2,)"), "aabb"), x),
             Contains("cannot be read"));
  CHECK_THAT(npyError(npy(header("'<i2'", "False", "(2,)"), "aab"), x), Contains("fewer bytes"));
  CHECK_THAT(npyError(npy(header("'<i2'", "False", "(2,)"), "aabbc"), x), Contains("5 bytes"));
  // n = 2^62 invocations: 2^62 * 2 * 2 bytes wraps to 0.
  CHECK_THAT(npyError(npy(header("'<i2'", "False", "(4611686018427387904, 2)"), ""), x),
             Contains("fewer bytes"));
  std::string cut = npy(header("'<i2'", "False", "(2,)"), "");
  for (size_t length = 0; length < cut.size(); ++length)
    npyError(cut.substr(0, length), x);
  cut[6] = 9;
  CHECK_THAT(npyError(cut, x), Contains("version 9"));
}

TEST_CASE("raw files hold one tensor or several") {
  TempFile file("bin");
  IoTensor x = tensor(DType::s16, {1, 2});
  int64_t invocations = 0;
  file.write("aabbccdd");
  auto data = readTensorFile(file.path, x, invocations);
  REQUIRE(bool(data));
  CHECK(invocations == 2);
  CHECK(*data == "aabbccdd");
  for (const char *bad : {"", "aabbc"}) {
    file.write(bad);
    auto wrong = readTensorFile(file.path, x, invocations);
    REQUIRE(!bool(wrong));
    CHECK_THAT(llvm::toString(wrong.takeError()), Contains("not a multiple of the 4 bytes"));
  }
  auto missing = readTensorFile("/nonexistent/f.bin", x, invocations);
  REQUIRE(!bool(missing));
  CHECK_THAT(llvm::toString(missing.takeError()), Contains("cannot read '/nonexistent/f.bin'"));
}

TEST_CASE("written files are read back") {
  for (const char *suffix : {"bin", "npy"}) {
    TempFile file(suffix);
    IoTensor x = tensor(DType::f32, {1, 2});
    for (int64_t n : {1, 3}) {
      std::string data = floats(std::vector<float>(2 * n, 1.5f));
      REQUIRE(!bool(writeTensorFile(file.path, x, data)));
      int64_t invocations = 0;
      auto back = readTensorFile(file.path, x, invocations);
      REQUIRE(bool(back));
      CHECK(*back == data);
      CHECK(invocations == n);
      if (llvm::StringRef(suffix) == "npy") {
        auto buffer = llvm::MemoryBuffer::getFile(file.path);
        REQUIRE(bool(buffer));
        // Data starts at a multiple of 64, as NumPy asks for.
        CHECK(((*buffer)->getBufferSize() - data.size()) % 64 == 0);
      }
    }
  }
}
