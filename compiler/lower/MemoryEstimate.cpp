// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/MemoryEstimate.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::lower;

static int64_t bytesOf(Value value) {
  return nn::storageBytes(cast<ShapedType>(value.getType())).value_or(0);
}

MemoryEstimate::MemoryEstimate(func::FuncOp function) {
  Block &body = function.getBody().front();
  std::vector<std::pair<Value, int64_t>> made; // in order, so that nothing depends on addresses
  for (BlockArgument argument : body.getArguments())
    made.push_back({argument, 0});
  int64_t position = 0;
  for (Operation &op : body.without_terminator())
    if (auto nnOp = dyn_cast<nn::NNOpInterface>(op); nnOp && !nnOp.isReshape()) {
      for (OpResult result : op.getResults())
        made.push_back({result, position});
      positions[&op] = position++;
    }
  for (auto [value, first] : made)
    lives[value] = {first, bytesOf(value)};
  for (auto [op, at] : positions)
    for (Value operand : op->getOperands())
      if (auto life = lives.find(nn::reshapeRoot(operand)); life != lives.end())
        life->second.last = std::max(life->second.last, at);
  for (Value result : body.getTerminator()->getOperands())
    if (auto life = lives.find(nn::reshapeRoot(result)); life != lives.end())
      life->second.last = position; // outlives every operator
  live.resize(position + 1);
  for (auto [value, first] : made)
    for (int64_t at = first; at <= lives[value].last; ++at)
      live[at] += lives[value].bytes;
}

const MemoryEstimate::Life *MemoryEstimate::dying(nn::NNOpInterface op, const KernelCall &call,
                                                  int64_t operand) const {
  Value root = nn::reshapeRoot(op->getOperand(call.operands[operand]));
  auto life = lives.find(root);
  if (life == lives.end() || life->second.last != positions.lookup(op) ||
      llvm::count_if(call.operands, [&](int64_t other) {
        return nn::reshapeRoot(op->getOperand(other)) == root;
      }) > 1)
    return nullptr;
  return &life->second;
}

/// Bytes from the first to the last of an input and an output as near as `rule`
/// lets them lie.
static int64_t spanOf(const OverlapRule &rule, int64_t in, int64_t out) {
  int64_t best = in + out;
  auto apart = [&](int64_t distance) {
    return llvm::alignTo(std::max<int64_t>(distance, 0), rule.multiple);
  };
  if (rule.ascending)
    best = std::min<int64_t>(best, std::max<int64_t>(out, apart(*rule.ascending) + in));
  if (rule.descending)
    best = std::min<int64_t>(best, std::max<int64_t>(in, apart(*rule.descending) + out));
  return best;
}

int64_t MemoryEstimate::during(nn::NNOpInterface op, const KernelCall &call) const {
  int64_t shared = 0, moved = 0, out = 0;
  for (const OverlapRule &rule : call.overlaps)
    if (const Life *in = dying(op, call, rule.input)) {
      const int64_t bytes = bytesOf(op->getResult(rule.output));
      shared = std::max(shared, in->bytes + bytes - spanOf(rule, in->bytes, bytes));
    }
  // What only moves bytes is made where they go.
  for (const Move &move : call.moves)
    if (dying(op, call, move.input))
      moved += move.bytes;
  for (Value result : op->getResults())
    out += bytesOf(result);
  shared = std::max(shared, std::min(moved, out));
  return live[positions.lookup(op)] - shared + call.scratchBytes;
}
