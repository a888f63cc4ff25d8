// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types and what is known of them; the table is DTypes.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace aotc {

/// Element types by their kernel suffix (`f32`, `s8`, …). `none` marks an
/// absent optional operand.
enum class DType : uint8_t {
  none,
#define AOTC_DTYPE(enumerator, ...) enumerator,
#include "compiler/support/DTypes.def"
};

enum class DTypeKind : uint8_t { none, real, signedInteger, unsignedInteger };

struct DTypeInfo {
  DType type = DType::none;
  llvm::StringRef name; ///< "s8": the kernel suffix
  llvm::StringRef text; ///< "int8": for people
  llvm::StringRef c;    ///< "int8_t"
  llvm::StringRef npy;  ///< "|i1"
  DTypeKind kind = DTypeKind::none;
  int bits = 0;                    ///< of the value; bytes are at least 1
  bool isQuantizedStorage = false; ///< may be the storage of a quantised type

  int64_t bytes() const { return (bits + 7) / 8; }
  /// Range of an integer type; 0 and 0 else.
  int64_t min() const;
  int64_t max() const;
};

/// Any type, `none` too.
const DTypeInfo &dtypeInfo(DType type);
/// All types but `none`, in table order.
llvm::ArrayRef<DTypeInfo> allDTypes();

/// Bytes of one element; 0 for `none`.
int64_t dtypeSize(DType type);
/// The kernel suffix, e.g. "s8"; "none" for an absent operand.
llvm::StringRef dtypeName(DType type);

/// The element stored little-endian at `at`. readInteger: integer types, sign
/// extended; readReal: f32 and f16.
int64_t readInteger(DType type, const char *at);
double readReal(DType type, const char *at);
/// It as text; floats with `digits` significant ones (9 tell any two f32 apart).
std::string elementText(DType type, const char *at, int digits = 9);

} // namespace aotc
