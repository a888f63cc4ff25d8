// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the IR and the planner: lifetimes and recorded overlaps become a
// Problem, the Plan becomes offsets and directions.
#include "passes/Passes.h"
#include "passes/analysis/Overlaps.h"
#include "passes/analysis/PlanProblem.h"
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"
#include "passes/planner/SavedPlan.h"
#include "passes/planner/Validator.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace aotc {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

planner::Role toPlannerRole(Role role) {
  switch (role) {
  case Role::internal:
    return planner::Role::internal;
  case Role::scratch:
    return planner::Role::scratch;
  case Role::input:
    return planner::Role::input;
  case Role::output:
    return planner::Role::output;
  case Role::state:
    return planner::Role::state;
  }
  llvm_unreachable("unknown role");
}

} // namespace

PlanProblem aotc::planProblem(const BufferLiveness &liveness) {
  PlanProblem result;
  for (const BufferLife &life : liveness.buffers()) {
    AllocOp alloc = life.alloc;
    planner::Buffer buffer;
    buffer.name = alloc.getName().str();
    buffer.size = std::max<int64_t>(alloc.getBytes(), 1);
    buffer.align = alloc.getAlign();
    buffer.life = {life.first, std::max(life.first, life.last)};
    buffer.role = toPlannerRole(alloc.getRole());
    if (auto offset = alloc.getOffset())
      buffer.fixedOffset = *offset;
    result.problem.buffers.push_back(buffer);
  }
  for (InstrOpInterface op : liveness.instructions()) {
    SmallVector<OverlapAttr> rules = recordedShares(op);
    llvm::SetVector<std::pair<int, int>> pairs;
    for (OverlapAttr rule : rules)
      pairs.insert({liveness.indexOf(op.getIns()[rule.getInput()]),
                    liveness.indexOf(op.getOuts()[rule.getOutput()])});
    for (auto [input, output] : pairs)
      for (planner::MayOverlap may : overlapsOf(op, rules, liveness.buffers()[input].alloc,
                                                liveness.buffers()[output].alloc)) {
        may.input = input;
        may.output = output;
        result.problem.mayOverlap.push_back(may);
        result.instructionOf.push_back(op);
      }
  }
  return result;
}

planner::Problem aotc::withoutBuffers(const planner::Problem &problem,
                                      llvm::function_ref<bool(const planner::Buffer &)> drop) {
  planner::Problem result;
  result.regions = problem.regions;
  std::vector<int> number(problem.buffers.size(), -1);
  for (size_t b = 0; b < problem.buffers.size(); ++b)
    if (!drop(problem.buffers[b])) {
      number[b] = static_cast<int>(result.buffers.size());
      result.buffers.push_back(problem.buffers[b]);
    }
  for (planner::MustAlias alias : problem.mustAlias) {
    alias.a = number[alias.a];
    alias.b = number[alias.b];
    if (alias.a >= 0 && alias.b >= 0)
      result.mustAlias.push_back(alias);
  }
  for (planner::MayOverlap may : problem.mayOverlap) {
    may.input = number[may.input];
    may.output = number[may.output];
    if (may.input >= 0 && may.output >= 0)
      result.mayOverlap.push_back(may);
  }
  return result;
}

namespace {

struct PlanMemory : aotc::impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto liveness = BufferLiveness::compute(function, getArgument());
    if (failed(liveness))
      return signalPassFailure();
    for (const BufferLife &life : liveness->buffers())
      if (!life.dealloc) {
        AllocOp alloc = life.alloc;
        alloc.emitError() << getArgument() << ": buffer '" << alloc.getName()
                          << "' has no instr.dealloc; run aotc-tighten-lifetimes first";
        return signalPassFailure();
      }

    auto [problem, instructionOf] = planProblem(*liveness);
    auto report = [&](const std::vector<std::string> &errors) {
      for (const std::string &error : errors)
        function.emitError() << getArgument() << ": " << error;
      return !errors.empty();
    };
    if (report(planner::checkProblem(problem)) || failed(write(dumpProblem, problem)))
      return signalPassFailure();

    planner::TerminalProgress terminal("planning memory");
    planner::PlannerOptions options = planner::PlannerOptions::ofEffort(effort);
    options.progress = [&](const planner::Progress &progress) { terminal.show(progress); };
    FailureOr<planner::Plan> found =
        givenPlan.empty() ? planner::solve(problem, options) : readGivenPlan(problem);
    if (failed(found))
      return signalPassFailure();
    planner::Plan &plan = *found;
    if (report(planner::checkPlan(problem, plan)) || failed(write(savePlan, problem, &plan)))
      return signalPassFailure();

    Builder builder(&getContext());
    for (auto [life, placement] : llvm::zip(liveness->buffers(), plan.placements)) {
      AllocOp alloc = life.alloc;
      alloc.setOffset(placement.offset);
      alloc.setRegion(problem.regions[placement.region].name);
    }
    for (auto [op, way] : llvm::zip(instructionOf, plan.overlaps))
      if (way != planner::Overlap::none)
        op.setDescending(way == planner::Overlap::descending);

    planner::Problem bare = withoutBuffers(problem, [](const planner::Buffer &buffer) {
      return buffer.role == planner::Role::scratch;
    });
    int64_t bareHeight = bare.buffers.size() == problem.buffers.size()
                             ? plan.heights[0]
                             : planner::solve(bare, options).heights[0];
    function->setAttr(kArenaBytesAttr, builder.getI64IntegerAttr(plan.heights[0]));
    function->setAttr(kArenaWithoutScratchAttr, builder.getI64IntegerAttr(bareHeight));
    function->setAttr(kPlanBoundAttr, builder.getI64IntegerAttr(plan.bound));
    function->setAttr(kPlanOptimalAttr, builder.getBoolAttr(plan.optimal));
  }

private:
  /// Writes the problem, and the plan if there is one, as CSV; no path, no file.
  LogicalResult write(StringRef path, const planner::Problem &problem,
                      const planner::Plan *plan = nullptr) {
    if (path.empty())
      return success();
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (!error) {
      out << planner::printCsv(problem, {}, plan);
      out.close();
      error = out.error();
      out.clear_error();
    }
    if (error)
      return getOperation().emitError()
             << getArgument() << ": cannot write '" << path << "': " << error.message();
    return success();
  }

  FailureOr<planner::Plan> readGivenPlan(const planner::Problem &problem) {
    auto fail = [&](const Twine &what) -> LogicalResult {
      return getOperation().emitError()
             << getArgument() << ": plan '" << givenPlan << "' " << what.str();
    };
    auto file = llvm::MemoryBuffer::getFile(givenPlan);
    if (!file)
      return fail("cannot be read: " + file.getError().message());
    std::string error;
    auto plan = planner::readPlan(problem, (*file)->getBuffer(), error);
    if (!plan)
      return fail("is not of this model with these options: " + error + "; save it again");
    return *plan;
  }
};

} // namespace
