// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers' view of an operator: checks, messages, building.
#include "compiler/import/Importer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir;

namespace aotc {

/// Windows, strides and dilations that kernels may keep in 16 bits.
static constexpr int64_t kLargestStep = 65535;

#define AOTC_OP_FAMILY(Name) void register##Name##Import(ImportRegistry &);
#include "compiler/ops/AllOps.inc"
#undef AOTC_OP_FAMILY

ImportRegistry::ImportRegistry() {
#define AOTC_OP_FAMILY(Name) register##Name##Import(*this);
#include "compiler/ops/AllOps.inc"
#undef AOTC_OP_FAMILY
}

ImportRegistry::Reader ImportRegistry::find(tflite::BuiltinOperator code) const {
  auto found = readers.find(code);
  return found == readers.end() ? nullptr : found->second;
}

std::vector<std::string> ImportRegistry::names() const {
  std::vector<std::string> result;
  for (const auto &[code, reader] : readers)
    result.push_back(tflite::EnumNameBuiltinOperator(code));
  llvm::sort(result);
  return result;
}

std::string describe(const FileTensor &tensor) {
  return "tensor " + std::to_string(tensor.index) + " '" + printable(tensor.name) + "'";
}

bool OperatorReader::report(bool isInvalid, const Twine &text) {
  hasFailed = true;
  std::string line = isInvalid ? "invalid model: operator " : "unsupported: operator ";
  line += std::to_string(index) + " (" + printable(code) + ")";
  if (!outputs.empty() && outputs[0])
    line += " '" + printable(outputs[0]->name) + "'";
  problems.push_back({isInvalid, index, line + ": " + text.str()});
  return false;
}

bool OperatorReader::unsupported(const Twine &reason, const Twine &wayOut) {
  return report(false, reason + "; " + wayOut);
}

bool OperatorReader::invalid(const Twine &reason) { return report(true, reason); }

bool OperatorReader::expectOperands(size_t least, size_t most) {
  if (inputs.size() < least || inputs.size() > most)
    return invalid("has " + Twine(inputs.size()) + " inputs instead of " +
                   (least == most ? Twine(least) : Twine(least) + " to " + Twine(most)));
  if (outputs.size() != 1)
    return invalid("has " + Twine(outputs.size()) + " outputs instead of 1");
  for (size_t i = 0; i < least; ++i)
    if (!inputs[i])
      return invalid("input " + Twine(i) + " is absent");
  return true;
}

bool OperatorReader::expectFloatOrInt8(ArrayRef<size_t> which) {
  std::vector<const FileTensor *> tensors;
  for (size_t i : which)
    tensors.push_back(inputs[i]);
  tensors.push_back(outputs[0]);
  DType first = tensors[0]->dtype;
  bool same = llvm::all_of(tensors, [&](auto *t) { return t->dtype == first; });
  if (!same || (first != DType::f32 && first != DType::s8)) {
    std::string types;
    for (const FileTensor *tensor : tensors)
      types += (tensor == tensors.back() ? " -> " : types.empty() ? "" : ", ") + tensor->typeName;
    return unsupported("types " + types + " are not supported",
                       "convert the model in float32 or with full int8 quantisation");
  }
  return llvm::all_of(tensors, [&](auto *t) { return expectScale(*t); });
}

bool OperatorReader::expectScale(const FileTensor &tensor) {
  if (tensor.dtype == DType::f32 || !tensor.quant.empty())
    return true;
  return invalid(tensor.typeName + " " + describe(tensor) + " has no scale");
}

bool OperatorReader::checkBias(size_t i) {
  if (!hasInput(i))
    return true;
  if (!input(i).type)
    return invalid("bias " + describe(input(i)) + " is empty");
  DType wanted = input(0).dtype == DType::s8 ? DType::s32 : DType::f32;
  if (input(i).dtype == wanted)
    return true;
  return unsupported("bias " + describe(input(i)) + " has type " + input(i).typeName,
                     wanted == DType::s32 ? "int8 layers need an INT32 bias"
                                          : "float layers need a FLOAT32 bias");
}

bool OperatorReader::expectPerTensor(const FileTensor &tensor) {
  if (!tensor.perChannel())
    return true;
  return unsupported(describe(tensor) + " has one scale per channel",
                     "only weights may; quantise activations per tensor");
}

std::optional<std::vector<int64_t>> OperatorReader::constantInts(size_t i, StringRef what) {
  const FileTensor &tensor = *inputs[i];
  if (tensor.dtype != DType::s32 && tensor.dtype != DType::s64) {
    invalid("the " + what + " have type " + tensor.typeName + " instead of INT32");
    return std::nullopt;
  }
  if (!tensor.data) {
    unsupported("the " + what + " (" + describe(tensor) + ") are computed at run time",
                "make them constant when converting");
    return std::nullopt;
  }
  std::vector<int64_t> result;
  const char *p = tensor.data->begin();
  for (; p != tensor.data->end(); p += dtypeSize(tensor.dtype))
    result.push_back(tensor.dtype == DType::s32
                         ? static_cast<int32_t>(llvm::support::endian::read32le(p))
                         : static_cast<int64_t>(llvm::support::endian::read64le(p)));
  return result;
}

void OperatorReader::wrongOptions(tflite::BuiltinOptions kind) {
  invalid("carries options " + Twine(tflite::EnumNameBuiltinOptions(file.builtin_options_type())) +
          " (" + Twine(static_cast<int>(file.builtin_options_type())) + ") instead of " +
          tflite::EnumNameBuiltinOptions(kind));
}

std::optional<nn::ActivationKind> OperatorReader::activation(tflite::ActivationFunctionType type) {
  switch (type) {
  case tflite::ActivationFunctionType::NONE:
    return nn::ActivationKind::none;
  case tflite::ActivationFunctionType::RELU:
    return nn::ActivationKind::relu;
  case tflite::ActivationFunctionType::RELU_N1_TO_1:
    return nn::ActivationKind::relu_n1_to_1;
  case tflite::ActivationFunctionType::RELU6:
    return nn::ActivationKind::relu6;
  case tflite::ActivationFunctionType::TANH:
  case tflite::ActivationFunctionType::SIGN_BIT:
    unsupported(Twine("fused activation ") + tflite::EnumNameActivationFunctionType(type),
                "use RELU, RELU6 or a separate operator");
    return std::nullopt;
  }
  invalid("fused activation " + Twine(static_cast<int>(type)) + " does not exist");
  return std::nullopt;
}

std::optional<bool> OperatorReader::samePadding(tflite::Padding padding) {
  if (padding == tflite::Padding::SAME || padding == tflite::Padding::VALID)
    return padding == tflite::Padding::SAME;
  invalid("padding " + Twine(static_cast<int>(padding)) + " does not exist");
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>> OperatorReader::resolvePadding(bool same, int64_t size,
                                                                          int64_t window,
                                                                          int64_t stride,
                                                                          int64_t dilation) {
  // All are 32-bit numbers of the file: products fit 64 bits.
  if (window < 1 || stride < 1 || dilation < 1) {
    invalid("window " + Twine(window) + ", stride " + Twine(stride) + ", dilation " +
            Twine(dilation) + ": none may be below 1");
    return std::nullopt;
  }
  if (std::max({window, stride, dilation}) > kLargestStep) {
    unsupported("window " + Twine(window) + ", stride " + Twine(stride) + ", dilation " +
                    Twine(dilation),
                "values up to " + Twine(kLargestStep) + " are supported");
    return std::nullopt;
  }
  if (!same)
    return std::make_pair<int64_t, int64_t>(0, 0);
  int64_t span = (window - 1) * dilation + 1;
  int64_t output = (size + stride - 1) / stride;
  int64_t total = std::max<int64_t>(0, (output - 1) * stride + span - size);
  return std::make_pair(total / 2, total - total / 2);
}

Value buildConstant(OpBuilder &builder, Location loc, const FileTensor &tensor,
                    DenseElementsAttr value) {
  auto origin = nn::OriginAttr::get(builder.getContext(), -1, builder.getStringAttr("CONSTANT"),
                                    {tensor.index}, {builder.getStringAttr(tensor.name)});
  return nn::ConstantOp::create(builder, loc, tensor.type, value, origin);
}

Value buildConstant(OpBuilder &builder, Location loc, const FileTensor &tensor) {
  return buildConstant(
      builder, loc, tensor,
      DenseElementsAttr::getFromRawBuffer(nn::storageTensor(tensor.type), *tensor.data));
}

Value OperatorReader::operand(size_t i) {
  if (!hasInput(i))
    return {};
  FileTensor &tensor = *inputs[i];
  if (!tensor.value)
    tensor.value = buildConstant(builder, loc, tensor);
  return tensor.value;
}

void OperatorReader::setConstant(DenseElementsAttr value) {
  outputs[0]->value = buildConstant(builder, loc, *outputs[0], value);
}

nn::OriginAttr OperatorReader::origin() {
  return nn::OriginAttr::get(builder.getContext(), index, builder.getStringAttr(code),
                             {outputs[0]->index}, {builder.getStringAttr(outputs[0]->name)});
}

void OperatorReader::finish(Operation *op) {
  std::string complaint;
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diagnostic) {
      complaint += (complaint.empty() ? "" : "; ") + diagnostic.str();
      return success();
    });
    if (succeeded(verify(op, /*verifyRecursively=*/false))) {
      outputs[0]->value = op->getResult(0);
      return;
    }
  }
  // The operation's own name says no more than the operator's.
  std::string prefix = "'" + op->getName().getStringRef().str() + "' op ";
  op->erase();
  StringRef text = complaint;
  text.consume_front(prefix);
  invalid(text);
}

} // namespace aotc
