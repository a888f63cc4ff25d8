// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/Ordering.h"

#include <numeric>

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

class Translation {
public:
  Translation(const Accesses &accesses, ShareMode mode) : accesses(accesses), mode(mode) {}

  planner::OrderProblem run() {
    problem.nodes.resize(accesses.instructions().size());
    for (const auto &[root, list] : accesses)
      if (auto alloc = dyn_cast_or_null<AllocOp>(root))
        addBuffer(alloc, list);
    for (planner::OrderProblem::Node &node : problem.nodes) {
      llvm::sort(node.after);
      node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
    }
    if (mode != ShareMode::none)
      for (auto [index, op] : llvm::enumerate(accesses.instructions()))
        addSavings(op, problem.nodes[index]);
    return std::move(problem);
  }

private:
  void addBuffer(AllocOp alloc, ArrayRef<Access> list) {
    int number = static_cast<int>(problem.buffers.size());
    numbers[alloc] = number;
    // What lies in the caller's memory costs nothing.
    int64_t bytes = isCallers(ioModeOf(alloc)) ? 0 : alloc.getBytes();
    problem.buffers.push_back({bytes, alloc.livesFromStart(), alloc.livesToEnd()});
    for (size_t i = 0; i < list.size(); ++i) {
      std::vector<int> &touched = problem.nodes[list[i].position].buffers;
      if (touched.empty() || touched.back() != number)
        touched.push_back(number);
      for (size_t j = 0; j < i; ++j)
        if (list[j].position != list[i].position && (list[i].writes || list[j].writes) &&
            list[i].range.meets(list[j].range))
          problem.nodes[list[i].position].after.push_back(static_cast<int>(list[j].position));
    }
  }

  /// The rules of one instruction, from between operands to between buffers.
  /// All that it does with the two buffers must be covered by rules.
  void addSavings(InstrOpInterface op, planner::OrderProblem::Node &node) {
    auto count = [](auto operands, Operation *root) {
      return llvm::count_if(operands, [&](Value v) { return resolveBuffer(v).root == root; });
    };
    for (auto [o, out] : llvm::enumerate(op.getOuts()))
      for (Value in : op.getIns()) {
        auto input = dyn_cast_or_null<AllocOp>(resolveBuffer(in).root);
        auto output = dyn_cast_or_null<AllocOp>(resolveBuffer(out).root);
        if (!input || !output || input == output || isCallers(ioModeOf(input)) ||
            isCallers(ioModeOf(output)) || count(op->getOperands(), output) != 1 ||
            count(op->getOperands(), input) != count(op.getIns(), input))
          continue;
        int64_t bytes = bytesSaved(op, o, input, output);
        if (bytes > 0)
          node.savings.push_back({numbers.lookup(input), numbers.lookup(output), bytes});
      }
  }

  int64_t bytesSaved(InstrOpInterface op, int64_t outIndex, AllocOp input, AllocOp output) {
    int64_t inBytes = input.getBytes(), outBytes = output.getBytes(), least = 0;
    std::optional<int64_t> ascending = least, descending = least; // of all uses
    for (auto [index, in] : llvm::enumerate(op.getIns())) {
      if (resolveBuffer(in).root != input.getOperation())
        continue;
      int64_t shift = resolveBuffer(in).offset - resolveBuffer(op.getOuts()[outIndex]).offset;
      std::optional<int64_t> up, down;
      for (OverlapAttr rule : op.getOverlapRules())
        if (rule.getInput() == static_cast<int64_t>(index) && rule.getOutput() == outIndex) {
          up = rule.getAscending();
          down = rule.getDescending();
        }
      if (mode == ShareMode::inPlace && (inBytes != outBytes || shift != 0))
        return 0;
      ascending = ascending && up ? std::optional(std::max(*ascending, *up - shift)) : std::nullopt;
      descending =
          descending && down ? std::optional(std::max(*descending, *down + shift)) : std::nullopt;
    }
    // The output starts that many bytes below the input, or above it.
    int64_t bytes = 0;
    if (ascending && (mode == ShareMode::overlap || *ascending == 0))
      bytes = std::max(bytes, std::min(inBytes, outBytes - *ascending));
    if (descending && (mode == ShareMode::overlap || *descending == 0))
      bytes = std::max(bytes, std::min(outBytes, inBytes - *descending));
    return bytes;
  }

  const Accesses &accesses;
  ShareMode mode;
  planner::OrderProblem problem;
  DenseMap<Operation *, int> numbers;
};

} // namespace

planner::OrderProblem aotc::orderProblem(const Accesses &accesses, ShareMode mode) {
  return Translation(accesses, mode).run();
}

int64_t aotc::peakOf(func::FuncOp function, ShareMode mode) {
  planner::OrderProblem problem = orderProblem(Accesses(function), mode);
  std::vector<int> given(problem.nodes.size());
  std::iota(given.begin(), given.end(), 0);
  return planner::peakOf(problem, given);
}
