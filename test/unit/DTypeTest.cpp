// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of element types: ranges and reading, against two's complement and
// IEEE 754.
#include "compiler/support/DType.h"

#include <catch2/catch.hpp>

#include <set>

using namespace aotc;

TEST_CASE("ranges of integer types") {
  auto range = [](DType type) {
    return std::make_pair(dtypeInfo(type).min(), dtypeInfo(type).max());
  };
  using Range = std::pair<int64_t, int64_t>;
  CHECK(range(DType::s8) == Range(-128, 127));
  CHECK(range(DType::u8) == Range(0, 255));
  CHECK(range(DType::s16) == Range(-32768, 32767));
  CHECK(range(DType::s32) == Range(INT32_MIN, INT32_MAX));
  CHECK(range(DType::s64) == Range(INT64_MIN, INT64_MAX));
  CHECK(range(DType::boolean) == Range(0, 1));
  CHECK(range(DType::f32) == Range(0, 0));
}

TEST_CASE("rows stand at their enumerator and have names of their own") {
  std::set<std::string> names, texts;
  for (const DTypeInfo &info : allDTypes()) {
    CHECK(&dtypeInfo(info.type) == &info);
    // NumPy's descr ends with the bytes.
    CHECK(info.npy.drop_front(2).str() == std::to_string(info.bytes()));
    names.insert(info.name.str());
    texts.insert(info.text.str());
  }
  CHECK(names.size() == allDTypes().size());
  CHECK(texts.size() == allDTypes().size());
  CHECK(dtypeSize(DType::none) == 0);
  CHECK(dtypeSize(DType::boolean) == 1);
}

TEST_CASE("elements are read little-endian, with their sign") {
  const char bytes[] = "\xfe\xff\xff\xff\xff\xff\xff\x7f";
  CHECK(readInteger(DType::s8, bytes) == -2);
  CHECK(readInteger(DType::u8, bytes) == 254);
  CHECK(readInteger(DType::s16, bytes) == -2);
  CHECK(readInteger(DType::s32, bytes) == -2);
  CHECK(readInteger(DType::s64, bytes) == INT64_MAX - 1);
  // Half: 0 01111 0000000001 = 1 + 2^-10; 1 00000 0000000001 = -2^-24.
  CHECK(readReal(DType::f16, "\x01\x3c") == 1 + 0x1p-10);
  CHECK(readReal(DType::f16, "\x01\x80") == -0x1p-24);
  // Single: 0x40490fdb, the float nearest to pi, is 3.14159274 in nine digits.
  CHECK(elementText(DType::f32, "\xdb\x0f\x49\x40") == "3.14159274");
  CHECK(elementText(DType::f32, "\xdb\x0f\x49\x40", 6) == "3.14159");
  CHECK(elementText(DType::s16, "\x00\x80") == "-32768");
}
