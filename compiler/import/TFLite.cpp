// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the bytes of a .tflite file to an `nn` module or to a list of problems.
// The flatbuffers verifier proves that all offsets stay inside the file; here
// everything else is checked: indices, counts, sizes, the order of operators.
// An operator that cannot be read leaves a placeholder, so that all problems
// of a model come out at once.
#include "compiler/import/TFLite.h"

#include "compiler/import/Importer.h"
#include "compiler/import/Inspect.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace mlir;

namespace aotc {
namespace {

// Bounds no honest model meets; they keep bad files from costing memory or time.
constexpr int64_t kLargestBytes = (int64_t(1) << 31) - 1; // a tensor, all tensors
constexpr size_t kLargestRank = 8;
constexpr size_t kLongestName = 1 << 16;
constexpr size_t kMostProblems = 200;
constexpr size_t kMostOperators = 10000; // known networks have below 2,000
constexpr uint32_t kDeepest = 64, kMostTables = 1 << 20;
// Tables and vectors may be shared in a file: this many times its size is what
// they may add up to when every use is counted.
constexpr size_t kMostSharing = 16;

template <typename Vector> size_t sizeOf(const Vector *vector) {
  return vector ? vector->size() : 0;
}

StringRef toRef(const flatbuffers::String *text) {
  return text ? StringRef(text->c_str(), text->size()) : StringRef();
}

DType toDType(tflite::TensorType type) {
  switch (type) {
#define AOTC_DTYPE(enumerator, name, text, c, npy, kind, bits, tflite_name, quantized)             \
  case tflite::TensorType::tflite_name:                                                            \
    return DType::enumerator;
#include "compiler/support/DTypes.def"
  default:
    return DType::none;
  }
}

/// What else the file might be, for the user who took the wrong one.
std::string guessFormat(StringRef bytes) {
  if (bytes.starts_with("\x7f"
                        "ELF"))
    return " (it is an ELF file)";
  if (bytes.starts_with("PK\x03\x04"))
    return " (it is a ZIP archive or a .keras file: convert it first)";
  if (bytes.starts_with("\x89HDF"))
    return " (it is an HDF5 file, perhaps a Keras model: convert it first)";
  if (bytes.starts_with("\x08") && bytes.take_front(64).contains("onnx"))
    return " (it looks like an ONNX file)";
  return "";
}

class TFLiteImporter {
public:
  TFLiteImporter(MLIRContext *context, StringRef bytes, StringRef fileName)
      : context(context), bytes(bytes), fileName(fileName) {}

  /// Finds the main graph; false after a problem with the file as a whole.
  bool open();
  /// The module; null if `problems` is not empty.
  OwningOpRef<ModuleOp> build();
  /// To be called after build().
  InspectedModel inspect() const;

  std::vector<ImportProblem> problems;
  bool missesOperators = false; ///< some of them are operators that are not implemented
  std::vector<std::string> implemented() const { return registry.names(); }

private:
  void modelInvalid(const Twine &text) {
    problems.push_back({true, -1, "invalid model: " + text.str()});
  }
  bool sharesModestly();
  void readTensor(FileTensor &tensor, const tflite::Tensor &file);
  void readQuantization(FileTensor &tensor, const tflite::Tensor &file);
  void readData(FileTensor &tensor, const tflite::Tensor &file);
  /// Completes `type` and counts the tensor's bytes; false and reported (in
  /// the name of `op`, -1: `role`) if it cannot be used.
  bool use(FileTensor &tensor, int64_t op, StringRef who);
  std::string operatorName(int64_t index) const;
  std::string codeName(const tflite::Operator &op, tflite::BuiltinOperator &code) const;
  std::optional<std::vector<FileTensor *>> tensorsOf(const flatbuffers::Vector<int32_t> *indices,
                                                     bool mayBeAbsent, const Twine &who,
                                                     int64_t op);
  void findProducers();
  void readOperator(int64_t index);
  bool inputsAreDefined(int64_t index, ArrayRef<FileTensor *> inputs);
  Location locationOf(int64_t op);

  MLIRContext *context;
  StringRef bytes, fileName;
  std::vector<std::max_align_t> aligned;
  const tflite::Model *model = nullptr;
  const tflite::SubGraph *graph = nullptr;
  std::vector<FileTensor> tensors;
  int64_t usedBytes = 0;
  ImportRegistry registry;
  std::optional<OpBuilder> builder;
};

bool TFLiteImporter::open() {
  if (bytes.size() < 8 || bytes.substr(4, 4) != tflite::ModelIdentifier()) {
    modelInvalid("not a .tflite file: " +
                 (bytes.size() < 8 ? "it has only " + std::to_string(bytes.size()) + " bytes"
                                   : "bytes 4 to 7 are '" + printable(bytes.substr(4, 4)) +
                                         "' instead of '" + tflite::ModelIdentifier() + "'") +
                 guessFormat(bytes));
    return false;
  }
  if (bytes.size() > static_cast<size_t>(kLargestBytes)) {
    modelInvalid("the file is larger than 2 GiB");
    return false;
  }
  // The format's scalars are read in place: they need their alignment.
  if (!llvm::isAddrAligned(llvm::Align(alignof(std::max_align_t)), bytes.data())) {
    aligned.resize(bytes.size() / sizeof(std::max_align_t) + 1);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    bytes = StringRef(reinterpret_cast<const char *>(aligned.data()), bytes.size());
  }
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  flatbuffers::Verifier verifier(data, bytes.size(), kDeepest, kMostTables);
  if (!tflite::VerifyModelBuffer(verifier)) {
    modelInvalid("the file is damaged or cut short (" + Twine(bytes.size()) +
                 " bytes; an offset in it leads out of bounds)");
    return false;
  }
  model = tflite::GetModel(data);
  if (model->version() != 3) {
    modelInvalid("schema version " + Twine(model->version()) + " instead of 3");
    return false;
  }
  if (!sizeOf(model->subgraphs())) {
    modelInvalid("the file holds no graph");
    return false;
  }
  graph = model->subgraphs()->Get(0);
  if (!sharesModestly()) {
    modelInvalid("tensors and operators share their parts so often that they "
                 "are far larger than the file");
    graph = nullptr;
    return false;
  }
  if (size_t count = sizeOf(graph->operators()); count > kMostOperators) {
    problems.push_back({false, -1,
                        "unsupported: the graph has " + std::to_string(count) +
                            " operators, more than " + std::to_string(kMostOperators) +
                            "; split the model and run its parts one after the other"});
    graph = nullptr;
    return false;
  }
  tensors.resize(sizeOf(graph->tensors()));
  for (size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].index = static_cast<int64_t>(i);
    readTensor(tensors[i], *graph->tensors()->Get(i));
  }
  return true;
}

bool TFLiteImporter::sharesModestly() {
  size_t total = 0;
  for (size_t i = 0; i < sizeOf(graph->tensors()); ++i) {
    const tflite::Tensor &tensor = *graph->tensors()->Get(i);
    total += toRef(tensor.name()).size() + sizeOf(tensor.shape());
    if (const auto *quant = tensor.quantization())
      total += sizeOf(quant->scale()) + sizeOf(quant->zero_point());
  }
  for (size_t i = 0; i < sizeOf(graph->operators()); ++i) {
    const tflite::Operator &op = *graph->operators()->Get(i);
    total += sizeOf(op.inputs()) + sizeOf(op.outputs());
  }
  return total / kMostSharing <= bytes.size();
}

void TFLiteImporter::readTensor(FileTensor &tensor, const tflite::Tensor &file) {
  auto fail = [&](bool invalid, const Twine &text) {
    if (!tensor.problem.empty())
      return;
    tensor.problem = text.str();
    tensor.problemIsInvalid = invalid;
  };
  tensor.name = toRef(file.name());
  if (tensor.name.size() > kLongestName) {
    tensor.name = tensor.name.take_front(kLongestName);
    fail(true, "the name is longer than " + Twine(kLongestName) + " bytes");
  }
  tensor.dtype = toDType(file.type());
  tensor.typeName = tflite::EnumNameTensorType(file.type());
  tensor.isVariable = file.is_variable();
  if (tensor.typeName.empty()) {
    tensor.typeName = std::to_string(static_cast<int>(file.type()));
    fail(true, "type " + tensor.typeName + " does not exist");
  } else if (tensor.dtype == DType::none) {
    fail(false, "type " + tensor.typeName + " is not supported");
  }
  if (sizeOf(file.shape()) > kLargestRank) {
    fail(false,
         "has " + Twine(sizeOf(file.shape())) + " dimensions, more than " + Twine(kLargestRank));
    return;
  }
  if (file.shape())
    tensor.shape.assign(file.shape()->begin(), file.shape()->end());
  int64_t size = std::max<int64_t>(dtypeSize(tensor.dtype), 1);
  bool isStatic = true, isSmall = true, isEmpty = llvm::is_contained(tensor.shape, 0);
  for (int64_t dim : tensor.shape) {
    isStatic &= dim > 0;
    if (dim > 0 && isSmall) {
      isSmall = size <= kLargestBytes / dim;
      size *= isSmall ? dim : 1;
    }
  }
  if (!isStatic)
    fail(false, "dynamic or empty shape " + shapeText(tensor.shape) +
                    "; fix all dimensions when converting");
  else if (!isSmall)
    fail(true, "shape " + shapeText(tensor.shape) + " needs more than 2 GiB");
  if (file.sparsity())
    fail(false, "sparse storage is not supported; convert without sparsity");
  if (file.external_buffer())
    fail(false, "the data stand in another file; embed them when converting");
  if (tensor.problem.empty())
    readData(tensor, file);
  // An empty list of dimensions or axes is fine where a list is asked for.
  else if (isEmpty && (tensor.dtype == DType::s32 || tensor.dtype == DType::s64))
    tensor.data = ArrayRef<char>();
  readQuantization(tensor, file);
}

void TFLiteImporter::readData(FileTensor &tensor, const tflite::Tensor &file) {
  auto fail = [&](const Twine &text) {
    tensor.problem = text.str();
    tensor.problemIsInvalid = true;
  };
  size_t count = sizeOf(model->buffers());
  if (file.buffer() >= count) {
    // Buffer 0 stands for "no data", even in a file without buffers.
    if (file.buffer() != 0)
      fail("buffer " + Twine(file.buffer()) + " of " + Twine(count) + " does not exist");
    return;
  }
  const tflite::Buffer &buffer = *model->buffers()->Get(file.buffer());
  ArrayRef<char> data;
  if (buffer.offset() > 1) {
    // Written so that nothing wraps around.
    if (buffer.offset() > bytes.size() || buffer.size() > bytes.size() - buffer.offset())
      return fail("buffer " + Twine(file.buffer()) + " (offset " + Twine(buffer.offset()) + ", " +
                  Twine(buffer.size()) + " bytes) leads out of the file of " + Twine(bytes.size()) +
                  " bytes");
    data = ArrayRef<char>(bytes.data() + buffer.offset(), buffer.size());
  } else if (sizeOf(buffer.data())) {
    data = ArrayRef<char>(reinterpret_cast<const char *>(buffer.data()->data()),
                          buffer.data()->size());
  }
  if (data.empty())
    return;
  int64_t needed = dtypeSize(tensor.dtype);
  for (int64_t dim : tensor.shape)
    needed *= dim;
  if (static_cast<int64_t>(data.size()) != needed)
    return fail("buffer " + Twine(file.buffer()) + " holds " + Twine(data.size()) + " bytes, " +
                tensor.typeName + shapeText(tensor.shape) + " needs " + Twine(needed));
  tensor.data = data;
}

void TFLiteImporter::readQuantization(FileTensor &tensor, const tflite::Tensor &file) {
  // Float tensors may carry ranges, biases the scale that follows from input
  // and weights: neither changes the arithmetic.
  const tflite::QuantizationParameters *quant = file.quantization();
  if (!quant || !dtypeInfo(tensor.dtype).isQuantizedStorage)
    return;
  auto fail = [&](bool invalid, const Twine &text) {
    if (!tensor.problem.empty())
      return;
    tensor.problem = text.str();
    tensor.problemIsInvalid = invalid;
  };
  if (quant->details_type() != tflite::QuantizationDetails::NONE)
    return fail(false, "block-wise or custom quantisation is not supported; "
                       "quantise per tensor or per channel");
  size_t scales = sizeOf(quant->scale()), zeroPoints = sizeOf(quant->zero_point());
  if (scales == 0)
    return;
  if (zeroPoints > 1 && zeroPoints != scales)
    return fail(true, Twine(zeroPoints) + " zero points for " + Twine(scales) + " scales");
  int64_t axis = quant->quantized_dimension();
  if (scales > 1) {
    if (axis < 0 || axis >= static_cast<int64_t>(tensor.shape.size()))
      return fail(true,
                  "quantised along dimension " + Twine(axis) + " of " + shapeText(tensor.shape));
    if (tensor.shape[axis] != static_cast<int64_t>(scales))
      return fail(true, Twine(scales) + " scales along dimension " + Twine(axis) + " of " +
                            shapeText(tensor.shape));
  }
  tensor.quant.scales.assign(quant->scale()->begin(), quant->scale()->end());
  // Files by some writers do not align 64-bit vectors, nor does the verifier
  // of the format ask for it: copy, do not load.
  tensor.quant.zeroPoints.assign(std::max<size_t>(zeroPoints, 1), 0);
  if (zeroPoints)
    std::memcpy(tensor.quant.zeroPoints.data(), quant->zero_point()->Data(),
                zeroPoints * sizeof(int64_t));
  tensor.quant.axis = scales > 1 ? static_cast<int>(axis) : -1;
}

bool TFLiteImporter::use(FileTensor &tensor, int64_t op, StringRef who) {
  if (tensor.type)
    return true;
  if (tensor.problem.empty()) {
    Type element = nn::plainType(context, tensor.dtype);
    if (!tensor.quant.empty()) {
      ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
        tensor.problem = diagnostic.str();
        tensor.problemIsInvalid = true;
        return success();
      });
      element = nn::makeQuantizedType([&] { return emitError(UnknownLoc::get(context)); }, context,
                                      tensor.dtype, tensor.quant);
    }
    int64_t size = dtypeSize(tensor.dtype);
    for (int64_t dim : tensor.shape)
      size *= dim;
    if (tensor.problem.empty() && size > kLargestBytes - usedBytes) {
      tensor.problem = "all tensors together need more than 2 GiB";
      tensor.problemIsInvalid = true;
    }
    if (tensor.problem.empty()) {
      usedBytes += size;
      tensor.type = RankedTensorType::get(tensor.shape, element);
      return true;
    }
  }
  // What is invalid is so once, what is unsupported concerns every operator.
  if (!tensor.problemIsInvalid || !tensor.problemReported)
    problems.push_back({tensor.problemIsInvalid, op,
                        (tensor.problemIsInvalid ? "invalid model: " : "unsupported: ") +
                            who.str() + ": " + describe(tensor) + ": " + tensor.problem});
  tensor.problemReported = true;
  return false;
}

std::string TFLiteImporter::codeName(const tflite::Operator &op,
                                     tflite::BuiltinOperator &code) const {
  const tflite::OperatorCode &entry = *model->operator_codes()->Get(op.opcode_index());
  code = static_cast<tflite::BuiltinOperator>(std::max<int32_t>(
      entry.deprecated_builtin_code(), static_cast<int32_t>(entry.builtin_code())));
  StringRef name = tflite::EnumNameBuiltinOperator(code);
  if (code == tflite::BuiltinOperator::CUSTOM)
    return "CUSTOM \"" + printable(toRef(entry.custom_code())) + "\"";
  return name.empty() ? "code " + std::to_string(static_cast<int32_t>(code)) : name.str();
}

std::string TFLiteImporter::operatorName(int64_t index) const {
  std::string name = "operator " + std::to_string(index);
  const tflite::Operator &op = *graph->operators()->Get(index);
  tflite::BuiltinOperator code;
  if (op.opcode_index() < sizeOf(model->operator_codes()))
    name += " (" + codeName(op, code) + ")";
  if (sizeOf(op.outputs())) {
    uint32_t first = static_cast<uint32_t>(op.outputs()->Get(0));
    if (first < tensors.size())
      name += " '" + printable(tensors[first].name) + "'";
  }
  return name;
}

std::optional<std::vector<FileTensor *>>
TFLiteImporter::tensorsOf(const flatbuffers::Vector<int32_t> *indices, bool mayBeAbsent,
                          const Twine &who, int64_t op) {
  std::vector<FileTensor *> result;
  for (size_t i = 0; i < sizeOf(indices); ++i) {
    int32_t index = indices->Get(i);
    if (index == -1 && mayBeAbsent) {
      result.push_back(nullptr);
    } else if (index < 0 || static_cast<size_t>(index) >= tensors.size()) {
      problems.push_back({true, op,
                          ("invalid model: " + who + ": tensor " + Twine(index) + " of " +
                           Twine(tensors.size()) + " does not exist")
                              .str()});
      return std::nullopt;
    } else {
      result.push_back(&tensors[index]);
    }
  }
  return result;
}

void TFLiteImporter::findProducers() {
  for (size_t i = 0; i < sizeOf(graph->operators()); ++i) {
    const auto *outputs = graph->operators()->Get(i)->outputs();
    for (size_t k = 0; k < sizeOf(outputs); ++k)
      if (uint32_t output = static_cast<uint32_t>(outputs->Get(k));
          output < tensors.size() && tensors[output].producer < 0)
        tensors[output].producer = static_cast<int64_t>(i);
  }
}

bool TFLiteImporter::inputsAreDefined(int64_t index, ArrayRef<FileTensor *> inputs) {
  for (const FileTensor *input : inputs) {
    if (!input || input->data || input->value || input->isVariable || !input->problem.empty())
      continue;
    // The producer came before and failed: said already.
    if (input->producer >= 0 && input->producer < index)
      return false;
    std::string text = "invalid model: " + operatorName(index) + ": reads " + describe(*input);
    if (input->producer < 0)
      text += ", which no operator writes";
    else
      text += ", which operator " + std::to_string(input->producer) +
              " writes only then or later: operators must stand in order of "
              "execution, without cycles";
    problems.push_back({true, index, text});
    return false;
  }
  return true;
}

Location TFLiteImporter::locationOf(int64_t op) {
  Location file = FileLineColLoc::get(context, llvm::sys::path::filename(fileName), 0, 0);
  if (op < 0)
    return file;
  return NameLoc::get(StringAttr::get(context, operatorName(op)), file);
}

void TFLiteImporter::readOperator(int64_t index) {
  const tflite::Operator &op = *graph->operators()->Get(index);
  auto invalid = [&](const Twine &text) {
    problems.push_back(
        {true, index, ("invalid model: " + operatorName(index) + ": " + text).str()});
  };
  if (op.opcode_index() >= sizeOf(model->operator_codes()))
    return invalid("operator code " + Twine(op.opcode_index()) + " of " +
                   Twine(sizeOf(model->operator_codes())) + " does not exist");
  std::string name = operatorName(index);
  auto inputs = tensorsOf(op.inputs(), true, name, index);
  auto outputs = inputs ? tensorsOf(op.outputs(), false, name, index) : std::nullopt;
  if (!outputs)
    return;
  for (const FileTensor *output : *outputs) {
    if (output->value || output->data || output->producer != index)
      return invalid("writes " + describe(*output) + ", which is " +
                     (output->data                ? "a constant"
                      : output->producer == index ? "an input of the model"
                                                  : "written before"));
    if (llvm::count(*outputs, output) > 1)
      return invalid("writes " + describe(*output) + " twice");
  }

  tflite::BuiltinOperator code;
  std::string codeText = codeName(op, code);
  size_t before = problems.size();
  OperatorReader reader(*builder, locationOf(index), op, index, codeText, *inputs, *outputs,
                        problems);
  ImportRegistry::Reader read = registry.find(code);
  bool usable = inputsAreDefined(index, *inputs);
  if (!read) {
    missesOperators = true;
    reader.unsupported(
        "the operator is not implemented",
        code == tflite::BuiltinOperator::CUSTOM
            ? "split the model here and compute it in the application"
            : "express it by operators that are, or split the model here and compute "
              "it in the application");
  } else {
    for (FileTensor *tensor : llvm::concat<FileTensor *>(*inputs, *outputs)) {
      if (tensor && tensor->isVariable) {
        reader.unsupported(describe(*tensor) + " is a variable",
                           "convert the model without state, or pass the state "
                           "as input and output");
        usable = false;
      } else if (tensor && !(tensor->data && tensor->data->empty())) {
        usable &= use(*tensor, index, name);
      }
      if (!usable)
        break;
    }
    if (usable)
      read(reader);
  }
  assert((outputs->empty() || (*outputs)[0]->value || problems.size() > before || !usable) &&
         "a reader that builds nothing must say why");
  (void)before;
  // Stand-ins, so that what depends on the operator is checked too.
  for (FileTensor *output : *outputs)
    if (!output->value && output->problem.empty() && use(*output, index, name))
      output->value = UnrealizedConversionCastOp::create(*builder, locationOf(index), output->type,
                                                         ValueRange{})
                          .getResult(0);
}

OwningOpRef<ModuleOp> TFLiteImporter::build() {
  auto inputs = tensorsOf(graph->inputs(), false, "the graph's inputs", -1);
  auto outputs = tensorsOf(graph->outputs(), false, "the graph's outputs", -1);
  findProducers();

  OwningOpRef<ModuleOp> module(ModuleOp::create(locationOf(-1)));
  builder.emplace(context);
  builder->setInsertionPointToEnd(module->getBody());
  auto function =
      func::FuncOp::create(*builder, locationOf(-1), "main", builder->getFunctionType({}, {}));
  Block *body = function.addEntryBlock();
  builder->setInsertionPointToEnd(body);

  std::vector<FileTensor *> arguments;
  if (inputs)
    for (FileTensor *input : *inputs) {
      if (input->value) {
        modelInvalid("the graph's inputs name " + describe(*input) + " twice");
        continue;
      }
      input->data.reset(); // a default value: the caller's counts
      if (!use(*input, -1, "the graph's inputs"))
        continue;
      input->value = body->addArgument(input->type, locationOf(-1));
      arguments.push_back(input);
    }
  for (size_t i = 0; i < sizeOf(graph->operators()); ++i) {
    if (problems.size() >= kMostProblems) {
      modelInvalid("more than " + Twine(kMostProblems) + " problems: the rest is not shown");
      break;
    }
    readOperator(static_cast<int64_t>(i));
  }

  SmallVector<Value> results;
  if (outputs && outputs->empty())
    modelInvalid("the graph has no outputs");
  if (outputs)
    for (FileTensor *output : *outputs) {
      if (!use(*output, -1, "the graph's outputs"))
        continue;
      if (!output->value && output->data)
        output->value = buildConstant(*builder, locationOf(-1), *output);
      if (output->value)
        results.push_back(output->value);
      else if (output->producer < 0)
        modelInvalid("output " + describe(*output) + " is written by no operator");
    }
  if (!problems.empty())
    return nullptr;

  func::ReturnOp::create(*builder, locationOf(-1), results);
  function.setFunctionType(
      builder->getFunctionType(body->getArgumentTypes(), ValueRange(results).getTypes()));
  auto name = [&](const FileTensor &tensor) {
    return builder->getDictionaryAttr(
        {builder->getNamedAttr(nn::kTensorNameAttr, builder->getStringAttr(tensor.name)),
         builder->getNamedAttr(nn::kTensorIndexAttr, builder->getI64IntegerAttr(tensor.index))});
  };
  for (auto [i, argument] : llvm::enumerate(arguments))
    function.setArgAttrs(i, name(*argument));
  for (auto [i, output] : llvm::enumerate(*outputs))
    function.setResultAttrs(i, name(*output));
  return module;
}

InspectedModel TFLiteImporter::inspect() const {
  InspectedModel result;
  for (const ImportProblem &problem : problems)
    result.problems.push_back(problem.text);
  result.implemented = implemented();
  if (!graph)
    return result;
  result.description = toRef(model->description()).str();
  result.subgraphs = static_cast<int64_t>(sizeOf(model->subgraphs()));
  auto copy = [](const flatbuffers::Vector<int32_t> *indices) {
    return indices ? std::vector<int64_t>(indices->begin(), indices->end())
                   : std::vector<int64_t>();
  };
  result.inputs = copy(graph->inputs());
  result.outputs = copy(graph->outputs());
  std::vector<bool> used(tensors.size());
  auto mark = [&](ArrayRef<int64_t> indices) {
    for (int64_t index : indices)
      if (index >= 0 && static_cast<size_t>(index) < used.size())
        used[index] = true;
  };
  mark(result.inputs);
  mark(result.outputs);
  for (size_t i = 0; i < sizeOf(graph->operators()); ++i) {
    const tflite::Operator &op = *graph->operators()->Get(i);
    InspectedOperator &record = result.operators.emplace_back();
    record.index = static_cast<int64_t>(i);
    record.code = "code index " + std::to_string(op.opcode_index());
    if (tflite::BuiltinOperator code; op.opcode_index() < sizeOf(model->operator_codes())) {
      record.code = codeName(op, code);
      record.version = model->operator_codes()->Get(op.opcode_index())->version();
    }
    record.inputs = copy(op.inputs());
    record.outputs = copy(op.outputs());
    mark(record.inputs);
    mark(record.outputs);
  }
  for (const ImportProblem &problem : problems)
    if (problem.op >= 0)
      result.operators[problem.op].problems.push_back(problem.text);
  for (const FileTensor &tensor : tensors) {
    InspectedTensor &record = result.tensors.emplace_back();
    record.index = tensor.index;
    record.name = tensor.name.str();
    record.type = tensor.typeName;
    record.shape = tensor.shape;
    record.quant = tensor.quant;
    record.constant = tensor.data.has_value();
    record.variable = tensor.isVariable;
    record.used = used[tensor.index];
    if (tensor.type)
      record.bytes = tensor.type.getNumElements() * dtypeSize(tensor.dtype);
  }
  return result;
}

} // namespace

static void loadDialects(MLIRContext &context) {
  context.loadDialect<func::FuncDialect, nn::NNDialect, quant::QuantDialect>();
}

OwningOpRef<ModuleOp> importTFLite(MLIRContext &context, StringRef bytes, StringRef fileName) {
  loadDialects(context);
  TFLiteImporter importer(&context, bytes, fileName);
  OwningOpRef<ModuleOp> module;
  if (importer.open())
    module = importer.build();
  Location loc = FileLineColLoc::get(&context, llvm::sys::path::filename(fileName), 0, 0);
  for (const ImportProblem &problem : importer.problems) {
    InFlightDiagnostic error = emitError(loc) << problem.text;
    if (importer.missesOperators && &problem == &importer.problems.back())
      error.attachNote() << "operators that are implemented: "
                         << llvm::join(importer.implemented(), ", ")
                         << "; `aotc inspect` shows where the model has others";
  }
  if (module && failed(verify(*module)))
    return nullptr;
  return module;
}

InspectedModel inspectTFLite(StringRef bytes) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  TFLiteImporter importer(&context, bytes, "model");
  if (importer.open())
    importer.build();
  return importer.inspect();
}

} // namespace aotc
