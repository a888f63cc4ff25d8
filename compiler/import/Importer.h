// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator family's reader (compiler/ops/<family>/<Name>Import.cpp)
// sees of the model file, and the registry that finds it. A reader asks for
// what it needs, reports what it cannot take, and builds one `nn` operation;
// the rules of that operation are checked by its verifier, whose complaint
// becomes an error about the file. Readers never assert on what a file says.
#pragma once

#include "compiler/import/schema/aotc_tflite_generated.h"
#include "compiler/ir/NNDialect.h"
#include "compiler/support/Text.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotc {

/// One line for the user. `text` is complete, prefix included.
struct ImportProblem {
  bool invalid = false; ///< the file breaks the format (else: not supported)
  int64_t op = -1;      ///< operator number, -1: the model as a whole
  std::string text;
};

/// One tensor of the file. Strings and data point into the file.
struct FileTensor {
  int64_t index = 0;
  llvm::StringRef name;      ///< the user's, any bytes
  std::string typeName;      ///< "INT8"
  DType dtype = DType::none; ///< none: no kernel knows the type
  std::vector<int64_t> shape;
  Quantization quant; ///< as the file has it, only for s8, u8, s16
  bool isVariable = false;
  /// Of a constant. Empty (with `type` null) for a list without elements.
  std::optional<llvm::ArrayRef<char>> data;
  int64_t producer = -1; ///< operator number, -1: none
  /// Null if the tensor cannot be used, for the reason `problem`.
  mlir::RankedTensorType type;
  std::string problem;
  bool problemIsInvalid = false, problemReported = false;
  mlir::Value value; ///< once defined

  bool perChannel() const { return quant.perChannel(); }
};

/// A tensor's number and name for messages: tensor 3 'conv/Relu'.
std::string describe(const FileTensor &tensor);

/// One operator of the file, being read. Every check that fails has reported
/// the problem; the reader then just returns.
class OperatorReader {
public:
  OperatorReader(mlir::OpBuilder &builder, mlir::Location loc, const tflite::Operator &file,
                 int64_t index, llvm::StringRef code, std::vector<FileTensor *> inputs,
                 std::vector<FileTensor *> outputs, std::vector<ImportProblem> &problems)
      : builder(builder), loc(loc), file(file), index(index), code(code), inputs(std::move(inputs)),
        outputs(std::move(outputs)), problems(problems) {}

  // --- Problems: both return false.
  /// A reason and what the user can do about it.
  bool unsupported(const llvm::Twine &reason, const llvm::Twine &wayOut);
  bool invalid(const llvm::Twine &reason);

  // --- Operands
  /// Between `least` and `most` inputs, those below `least` present, and one
  /// output. To be called first.
  bool expectOperands(size_t least, size_t most);
  bool hasInput(size_t i) const { return i < inputs.size() && inputs[i]; }
  size_t numInputs() const { return inputs.size(); }
  const FileTensor &input(size_t i) const { return *inputs[i]; }
  const FileTensor &output() const { return *outputs[0]; }
  /// The inputs `which` and the output are all FLOAT32 or all quantised INT8.
  bool expectFloatOrInt8(llvm::ArrayRef<size_t> which);
  /// Float, or with at least one scale.
  bool expectScale(const FileTensor &tensor);
  /// Input `i`, if present, is FLOAT32, or INT32 where input 0 is INT8.
  bool checkBias(size_t i);
  /// Not per channel: that is for weights.
  bool expectPerTensor(const FileTensor &tensor);
  /// The elements of a constant INT32 or INT64 input (axes, shapes).
  std::optional<std::vector<int64_t>> constantInts(size_t i, llvm::StringRef what);

  // --- Options
  /// The operator's option table; null if there is none, so that the caller's
  /// defaults hold. Reports a table of another operator: check failed().
  template <typename Table> const Table *options(tflite::BuiltinOptions kind) {
    if (file.builtin_options_type() == tflite::BuiltinOptions::NONE)
      return nullptr;
    if (file.builtin_options_type() != kind) {
      wrongOptions(kind);
      return nullptr;
    }
    return static_cast<const Table *>(file.builtin_options());
  }
  /// A fused activation that kernels know.
  std::optional<nn::ActivationKind> activation(tflite::ActivationFunctionType type);
  /// True for SAME, false for VALID.
  std::optional<bool> samePadding(tflite::Padding padding);

  /// Elements before and after one dimension of `size`; checks that window,
  /// stride and dilation are positive.
  std::optional<std::pair<int64_t, int64_t>> resolvePadding(bool same, int64_t size, int64_t window,
                                                            int64_t stride, int64_t dilation);

  // --- Building
  /// The value of an input; null for an absent one.
  mlir::Value operand(size_t i);
  /// Builds the operation and makes it the output's value; arguments are those
  /// of its builder between the result type and the origin.
  template <typename OpTy, typename... Args> void build(Args &&...args) {
    finish(OpTy::create(builder, loc, outputs[0]->type, std::forward<Args>(args)..., origin()));
  }
  /// The output is a constant: no operation.
  void setConstant(mlir::DenseElementsAttr value);

  bool failed() const { return hasFailed; }

private:
  nn::OriginAttr origin();
  void wrongOptions(tflite::BuiltinOptions kind);
  /// Runs the verifier; erases an operation it refuses.
  void finish(mlir::Operation *op);
  bool report(bool isInvalid, const llvm::Twine &text);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const tflite::Operator &file;
  int64_t index;
  llvm::StringRef code;
  std::vector<FileTensor *> inputs, outputs;
  std::vector<ImportProblem> &problems;
  bool hasFailed = false;
};

/// Readers by operator code.
class ImportRegistry {
public:
  using Reader = void (*)(OperatorReader &);
  /// All families.
  ImportRegistry();
  void add(tflite::BuiltinOperator code, Reader reader) { readers[code] = reader; }
  /// Null if no family reads the operator.
  Reader find(tflite::BuiltinOperator code) const;
  /// Of the operators that some family reads, alphabetically.
  std::vector<std::string> names() const;

private:
  std::map<tflite::BuiltinOperator, Reader> readers;
};

/// The `nn.constant` of a constant tensor, with its own or other elements.
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc, const FileTensor &tensor);
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc, const FileTensor &tensor,
                          mlir::DenseElementsAttr value);

} // namespace aotc
