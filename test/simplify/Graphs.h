// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small graphs as text, and the check that simplification keeps their results.
#pragma once

#include "Interpreter.h"

#include "test/kernels/Cases.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdio>
#include <string>

namespace aotc::test {

/// printf to a string of at most 999 characters.
std::string text(const char *format, auto... values) {
  char buffer[1000];
  snprintf(buffer, sizeof(buffer), format, values...);
  return buffer;
}

/// "array<i64: 1, 2>"
std::string list(llvm::ArrayRef<int64_t> values);
/// "tensor<1x2xf32>"
std::string tensor(llvm::ArrayRef<int64_t> shape, const std::string &element);
/// An int8 type; borders of the zero point's range are frequent.
std::string quantType(Random &random, bool symmetric = false);
/// nn.constant of the little-endian storage bytes `bytes`.
std::string constant(llvm::ArrayRef<int64_t> shape, const std::string &type,
                     const std::string &storage, llvm::ArrayRef<uint8_t> bytes);
/// nn.constant of random numbers; `type` is quantised to int8 or f32.
std::string constantBytes(llvm::ArrayRef<int64_t> shape, const std::string &type, Random &random);

/// Random bytes for the function's arguments: f32 from -9 to 9, integers of all values.
std::vector<std::vector<char>> randomArguments(mlir::func::FuncOp function, Random &random);

/// Parses and simplifies graphs of one function "main".
class Graphs {
public:
  Graphs();

  /// Fails the running test where the text is wrong.
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &source);
  /// Simplifies `source` and compares; true if no `removed` operation is left.
  bool check(const std::string &source, llvm::StringRef removed, Random &random);

private:
  mlir::MLIRContext context;
};

} // namespace aotc::test
