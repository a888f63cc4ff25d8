// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Graphs.h"

#include "compiler/driver/Pipeline.h"

#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>

namespace aotc::test {

std::string list(llvm::ArrayRef<int64_t> values) {
  if (values.empty())
    return "array<i64>";
  std::string result = "array<i64: ";
  for (auto [i, value] : llvm::enumerate(values))
    result += (i ? ", " : "") + std::to_string(value);
  return result + ">";
}

std::string tensor(llvm::ArrayRef<int64_t> shape, const std::string &element) {
  std::string result = "tensor<";
  for (int64_t dim : shape)
    result += std::to_string(dim) + "x";
  return result + element + ">";
}

std::string quantType(Random &random, bool symmetric) {
  int64_t zeroPoint = random.of<int64_t>({-128, 127, 0, random.in(-128, 127)});
  return text("!quant.uniform<i8:f32, %.17e:%d>", double(float(random.real(0.005, 0.5))),
              int(symmetric ? 0 : zeroPoint));
}

std::string constant(llvm::ArrayRef<int64_t> shape, const std::string &type,
                     const std::string &storage, llvm::ArrayRef<uint8_t> bytes) {
  std::string hex = "\"0x";
  for (uint8_t byte : bytes)
    hex += text("%02X", byte);
  return "nn.constant dense<" + hex + "\"> : " + tensor(shape, storage) + " -> " +
         tensor(shape, type);
}

std::string constantBytes(llvm::ArrayRef<int64_t> shape, const std::string &type, Random &random) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  bool isFloat = type == "f32";
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < count; ++i) {
    float real = float(random.real(-4, 4));
    uint32_t word = isFloat ? llvm::bit_cast<uint32_t>(real) : uint32_t(random.in(-128, 127));
    for (int byte = 0; byte < (isFloat ? 4 : 1); ++byte)
      bytes.push_back(uint8_t(word >> (8 * byte)));
  }
  return constant(shape, type, isFloat ? "f32" : "i8", bytes);
}

std::vector<std::vector<char>> randomArguments(mlir::func::FuncOp function, Random &random) {
  std::vector<std::vector<char>> arguments;
  for (mlir::Type type : function.getArgumentTypes()) {
    auto tensor = llvm::cast<mlir::RankedTensorType>(type);
    auto &bytes = arguments.emplace_back();
    for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
      float real = float(random.real(-9, 9));
      if (tensor.getElementType().isF32())
        bytes.insert(bytes.end(), reinterpret_cast<char *>(&real),
                     reinterpret_cast<char *>(&real + 1));
      else
        for (int64_t byte = 0; byte < dtypeSize(nn::toDType(tensor.getElementType())); ++byte)
          bytes.push_back(char(random.in(-128, 127)));
    }
  }
  return arguments;
}

/// Counts the operations of a kind that are left.
static int64_t countOps(mlir::func::FuncOp function, llvm::StringRef name) {
  int64_t count = 0;
  function.walk([&](mlir::Operation *op) { count += op->getName().getStringRef() == name; });
  return count;
}

Graphs::Graphs() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, mlir::quant::QuantDialect, nn::NNDialect>();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.disableMultithreading();
}

mlir::OwningOpRef<mlir::ModuleOp> Graphs::parse(const std::string &source) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  REQUIRE(module);
  return module;
}

bool Graphs::check(const std::string &source, llvm::StringRef removed, Random &random) {
  INFO(source);
  auto module = parse(source);
  auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
  auto arguments = randomArguments(function, random);
  auto expected = interpret(function, arguments);
  REQUIRE(mlir::succeeded(runPhase(*module, *findPhase("simplify"), {}, *findTarget("host"))));
  REQUIRE(interpret(function, arguments) == expected);
  return countOps(function, removed) == 0;
}

} // namespace aotc::test
