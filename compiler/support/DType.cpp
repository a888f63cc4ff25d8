// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/DType.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Endian.h"

#include <bit>
#include <cstdio>

namespace aotc {

static const DTypeInfo table[] = {
    {DType::none, "none", "none", "void", "", DTypeKind::none, 0, false},
#define AOTC_DTYPE(enumerator, name, text, c, npy, kind, bits, tflite, quantized)                  \
  {DType::enumerator, name, text, c, npy, DTypeKind::kind, bits, quantized},
#include "compiler/support/DTypes.def"
};

int64_t DTypeInfo::min() const {
  return kind == DTypeKind::signedInteger ? INT64_MIN >> (64 - bits) : 0;
}

int64_t DTypeInfo::max() const {
  switch (kind) {
  case DTypeKind::signedInteger:
    return INT64_MAX >> (64 - bits);
  case DTypeKind::unsignedInteger:
    return (int64_t(1) << bits) - 1;
  default:
    return 0;
  }
}

const DTypeInfo &dtypeInfo(DType type) { return table[static_cast<size_t>(type)]; }

llvm::ArrayRef<DTypeInfo> allDTypes() { return llvm::ArrayRef<DTypeInfo>(table).drop_front(); }

int64_t dtypeSize(DType type) { return dtypeInfo(type).bytes(); }

llvm::StringRef dtypeName(DType type) { return dtypeInfo(type).name; }

int64_t readInteger(DType type, const char *at) {
  using namespace llvm::support;
  const DTypeInfo &info = dtypeInfo(type);
  uint64_t value = 0;
  for (int64_t i = info.bytes(); i-- > 0;)
    value = value << 8 | static_cast<uint8_t>(at[i]);
  if (info.kind != DTypeKind::signedInteger)
    return static_cast<int64_t>(value);
  int unused = 64 - info.bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

double readReal(DType type, const char *at) {
  using namespace llvm::support;
  if (type == DType::f32)
    return std::bit_cast<float>(endian::read32le(at));
  llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, endian::read16le(at)));
  return half.convertToFloat();
}

std::string elementText(DType type, const char *at, int digits) {
  if (dtypeInfo(type).kind != DTypeKind::real)
    return std::to_string(readInteger(type, at));
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, readReal(type, at));
  return text;
}

} // namespace aotc
