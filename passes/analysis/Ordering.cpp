// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/Ordering.h"
#include "passes/analysis/Overlaps.h"

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

  /// What one instruction's rules spare.
  void addSavings(InstrOpInterface op, planner::OrderProblem::Node &node) {
    SmallVector<OverlapAttr> rules(op.getOverlapRules());
    for (Value out : op.getOuts())
      for (Value in : op.getIns()) {
        auto input = dyn_cast_or_null<AllocOp>(resolveBuffer(in).root);
        auto output = dyn_cast_or_null<AllocOp>(resolveBuffer(out).root);
        if (!input || !output || isCallers(ioModeOf(input)) || isCallers(ioModeOf(output)) ||
            !rulesCover(op, rules, input, output))
          continue;
        int64_t bytes = bytesSaved(op, rules, input, output);
        if (bytes > 0)
          node.savings.push_back({numbers.lookup(input), numbers.lookup(output), bytes});
      }
  }

  int64_t bytesSaved(InstrOpInterface op, ArrayRef<OverlapAttr> rules, AllocOp input,
                     AllocOp output) {
    int64_t inBytes = input.getBytes(), outBytes = output.getBytes(), bytes = 0;
    for (const planner::MayOverlap &may : overlapsOf(op, rules, input, output))
      bytes = std::max(bytes, planner::mostShared(may, inBytes, outBytes));
    bool inPlace = bytes == inBytes && bytes == outBytes;
    return mode == ShareMode::overlap || inPlace ? bytes : 0;
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
