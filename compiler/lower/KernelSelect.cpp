// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first kernel that accepts an operator is taken, unless it costs the whole
// model too much; refusals become diagnostics in the user's words.
#include "compiler/lower/KernelSelect.h"

#include "compiler/lower/MemoryEstimate.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::lower;

OperatorDesc lower::describeForKernel(nn::NNOpInterface op) {
  OperatorDesc desc = nn::describeOperator(op);
  for (auto [operand, input] : llvm::zip_equal(op->getOperands(), desc.inputs)) {
    Value root = nn::reshapeRoot(operand);
    if (root == operand)
      continue;
    TensorDesc source = nn::describeTensor(root);
    input.isConstant = source.isConstant;
    input.constant = source.constant;
    input.expanded = source.expanded;
  }
  return desc;
}

/// "operator 3 (CONV_2D) 'name'"; operations that come from no file are
/// counted by `position`.
static std::string operatorLabel(nn::NNOpInterface op, int64_t position) {
  std::string code = op->getName().stripDialect().upper();
  std::string name;
  if (nn::OriginAttr origin = op.getOriginAttr()) {
    position = origin.getIndex();
    code = origin.getCode().str();
    if (!origin.getNames().empty())
      name = " '" + origin.getNames().front().str() + "'";
  }
  return ("operator " + Twine(position) + " (" + code + ")" + name).str();
}

namespace {

/// By how much a model's peak may grow for faster kernels, in bytes. Under an
/// operating system memory comes by pages, and scratch that second-level caches
/// hold costs nothing one could notice.
int64_t growthFor(int64_t least, const TargetSpec &target) {
  const int64_t small = target.family == Family::armM ? 200 : 64 * 1024;
  return std::max(least * 5 / 100, small);
}

/// In one of so many parts, multiply-accumulates are worth code for
/// Optimize::size.
constexpr int64_t kSizeShare = 8;

/// A kernel that could be taken, and what lives while it runs.
struct Candidate {
  size_t offer; ///< its number
  int64_t bytes, scratch;
};

struct Choice {
  nn::NNOpInterface op;
  std::string label;
  std::vector<KernelOffer> offers;
  std::vector<Candidate> candidates; ///< the best; others once they are asked for
  KernelCall call;                   ///< of the best that was not passed over
};

class Selector {
public:
  Selector(func::FuncOp function, const TargetSpec &target, StringRef onlyLevel, Optimize optimize)
      : function(function), target(target), onlyLevel(onlyLevel), optimize(optimize),
        memory(function) {}

  /// The best kernel for each operator alone; reports those without.
  LogicalResult takeBest();
  /// Passes over what the model's peak would grow for too much.
  LogicalResult spareMemory();
  /// Passes over a kernel with less than 1/kSizeShare of all multiply-accumulates.
  LogicalResult spareCode();
  KernelSelection take();

private:
  OperatorDesc describe(nn::NNOpInterface op) const;
  LogicalResult prepare(Choice &choice);
  void askOthers(Choice &choice);

  func::FuncOp function;
  const TargetSpec &target;
  StringRef onlyLevel;
  Optimize optimize;
  MemoryEstimate memory;
  std::vector<Choice> choices;
};

OperatorDesc Selector::describe(nn::NNOpInterface op) const {
  OperatorDesc desc = describeForKernel(op);
  desc.optimize = optimize;
  return desc;
}

/// Prepares the first offer that accepts; it becomes the only candidate.
LogicalResult Selector::prepare(Choice &choice) {
  auto best = llvm::find_if(choice.offers, std::mem_fn(&KernelOffer::accepts));
  llvm::Expected<KernelCall> call = best->row->prepare(describe(choice.op));
  if (!call)
    return choice.op.emitError("unsupported: ")
           << choice.label << ": " << llvm::toString(call.takeError())
           << "; convert the model again with sane quantisation parameters";
  choice.call = std::move(*call);
  choice.candidates = {{size_t(best - choice.offers.begin()), memory.during(choice.op, choice.call),
                        choice.call.scratchBytes}};
  return success();
}

LogicalResult Selector::takeBest() {
  bool failed = false;
  int64_t position = 0;
  for (Operation &operation : function.getBody().front()) {
    auto op = dyn_cast<nn::NNOpInterface>(operation);
    if (!op || op.isReshape())
      continue;
    Choice choice{op, operatorLabel(op, position++), {}, {}, {}};
    OperatorDesc desc = describe(op);
    choice.offers = kernelOffers(desc, target, onlyLevel);
    if (llvm::none_of(choice.offers, std::mem_fn(&KernelOffer::accepts))) {
      failed = true;
      std::string reason = chooseKernel(desc, choice.offers).remark;
      InFlightDiagnostic error = op.emitError("unsupported: ");
      error << choice.label << ": " << (reason.empty() ? "no kernel computes it" : reason);
      if (onlyLevel.empty())
        error << "; convert this part of the model to int8 or float32, or "
                 "compute it in the application";
      else
        error << "; kernels were restricted to level '" << onlyLevel << "', allow all of them";
      continue;
    }
    failed |= mlir::failed(prepare(choice));
    choices.push_back(std::move(choice));
  }
  return failure(failed);
}

/// The other kernels that accept and can be prepared.
void Selector::askOthers(Choice &choice) {
  OperatorDesc desc = describe(choice.op);
  for (size_t i = choice.candidates[0].offer + 1; i < choice.offers.size(); ++i) {
    if (!choice.offers[i].accepts())
      continue;
    llvm::Expected<KernelCall> call = choice.offers[i].row->prepare(desc);
    if (call)
      choice.candidates.push_back({i, memory.during(choice.op, *call), call->scratchBytes});
    else
      llvm::consumeError(call.takeError()); // no choice, then
  }
}

LogicalResult Selector::spareMemory() {
  // The least peak that the kernels allow. Operators that lie below it whatever
  // their kernel are not looked into.
  std::vector<Choice *> highestFirst;
  for (Choice &choice : choices)
    highestFirst.push_back(&choice);
  llvm::sort(highestFirst, [](const Choice *a, const Choice *b) {
    return a->candidates[0].bytes >
           b->candidates[0].bytes; // equal ones: none counts beside another
  });
  int64_t least = 0;
  for (Choice *choice : highestFirst) {
    if (choice->candidates[0].bytes <= least)
      break;
    askOthers(*choice);
    least = std::max(least, llvm::min_element(choice->candidates, [](auto &a, auto &b) {
                              return a.bytes < b.bytes;
                            })->bytes);
  }
  int64_t limit = least + growthFor(least, target);
  if (optimize == Optimize::speed)
    limit = std::max(limit, memory.peakWithoutSharing());
  for (Choice &choice : choices) {
    if (choice.candidates[0].bytes <= limit)
      continue;
    for (const Candidate &candidate : choice.candidates) {
      if (candidate.bytes <= limit)
        break;
      llvm::raw_string_ostream refusal(choice.offers[candidate.offer].refusal);
      refusal << "passed over: ";
      if (candidate.scratch)
        refusal << candidate.scratch << " bytes of scratch at the peak";
      else
        refusal << "input and output are far apart at the peak";
      refusal << " (" << candidate.bytes << " bytes, limit " << limit << ")";
    }
    if (failed(prepare(choice)))
      return failure();
  }
  return success();
}

LogicalResult Selector::spareCode() {
  int64_t all = 0;
  llvm::DenseMap<const KernelRow *, int64_t> macs;
  for (Choice &choice : choices) {
    macs[choice.offers[choice.candidates[0].offer].row] += choice.call.macs;
    all += choice.call.macs;
  }
  for (Choice &choice : choices) {
    KernelOffer &best = choice.offers[choice.candidates[0].offer];
    const int64_t own = macs[best.row];
    // The fast kernels of what does not multiply are short.
    if (!own || own * kSizeShare >= all || best.row->level == "ref")
      continue;
    askOthers(choice);
    if (choice.candidates.size() == 1)
      continue;
    for (const Candidate &candidate : llvm::ArrayRef(choice.candidates).drop_back())
      choice.offers[candidate.offer].refusal = "passed over: its code would do less than 1/" +
                                               std::to_string(kSizeShare) +
                                               " of the multiply-accumulates";
    if (failed(prepare(choice)))
      return failure();
  }
  return success();
}

KernelSelection Selector::take() {
  KernelSelection selection;
  for (Choice &choice : choices)
    selection.insert(
        {choice.op, {std::move(choice.call), chooseKernel(OperatorDesc(), choice.offers).remark}});
  return selection;
}

} // namespace

FailureOr<KernelSelection> lower::selectKernels(func::FuncOp function, const TargetSpec &target,
                                                StringRef onlyLevel, Optimize optimize) {
  Selector selector(function, target, onlyLevel, optimize);
  if (failed(selector.takeBest()))
    return failure();
  if (optimize == Optimize::size && failed(selector.spareCode()))
    return failure();
  if (failed(selector.spareMemory()))
    return failure();
  return selector.take();
}
