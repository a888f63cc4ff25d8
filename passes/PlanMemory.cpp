// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the IR and the planner: lifetimes and recorded overlaps become a
// Problem, the Plan becomes offsets and directions.
#include "passes/Passes.h"
#include "passes/analysis/PlanProblem.h"
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"
#include "passes/planner/SavedPlan.h"
#include "passes/planner/Validator.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
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

/// "operator 3 (CONV_2D) 'conv/Relu'", as the user knows what runs at a step of
/// BufferLiveness.
std::string describeStep(const BufferLiveness &liveness, int64_t step) {
  auto instructions = liveness.instructions();
  if (instructions.empty())
    return "the caller";
  step = std::clamp<int64_t>(step, 1, instructions.size());
  Operation *op = instructions[step - 1];
  auto origin = op->getAttrOfType<nn::OriginAttr>("origin");
  if (!origin)
    return llvm::formatv("instruction {0} ('{1}')", step - 1, op->getName().getStringRef());
  std::string text = llvm::formatv("operator {0} ({1})", origin.getIndex(), origin.getCode());
  // Converters join the names of all operators they fused.
  if (!origin.getNames().empty())
    text += " '" + StringRef(origin.getNames().front()).split(';').first.str() + "'";
  return text;
}

/// A size of region `r` with which the buffers fit, all other regions as they
/// are; nothing if no plan was found. First as little more as `missing`.
std::optional<int64_t> capacityThatFits(planner::Problem problem, const RegionOwners &owners,
                                        size_t r, int64_t missing,
                                        const planner::PlannerOptions &options) {
  // What fits elsewhere goes elsewhere.
  for (const planner::Region &other : problem.regions)
    problem.regions[r].cost = std::max(problem.regions[r].cost, other.cost + 1);
  *problem.regions[r].capacity += missing;
  planner::Plan plan = solveWithCallers(problem, owners, options);
  if (!plan.feasible) {
    problem.regions[r].capacity.reset();
    plan = solveWithCallers(problem, owners, options);
  }
  if (!plan.feasible)
    return std::nullopt;
  return plan.heights[r];
}

/// The size of one region in place of all that are not the caller's.
int64_t sizeOfSingleRegion(planner::Problem problem, const RegionOwners &owners,
                           const planner::PlannerOptions &options) {
  std::vector<planner::Region> regions(1);
  RegionOwners ownersThen = {IoMode::arena};
  std::vector<int> number(owners.size(), 0);
  for (size_t r = 0; r < owners.size(); ++r)
    if (isCallers(owners[r])) {
      number[r] = static_cast<int>(regions.size());
      regions.push_back(problem.regions[r]);
      ownersThen.push_back(owners[r]);
    }
  problem.regions = regions;
  for (planner::Buffer &buffer : problem.buffers) {
    buffer.regions.clear();
    if (buffer.fixedRegion && number[*buffer.fixedRegion])
      buffer.fixedRegion = number[*buffer.fixedRegion];
    else
      buffer.fixedRegion.reset();
  }
  allowRegions(problem, ownersThen);
  return ownBytes(solveWithCallers(problem, ownersThen, options), ownersThen);
}

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

    auto regions = regionsOf(function);
    if (failed(regions))
      return signalPassFailure();
    auto planned = planProblem(*liveness, *regions, getArgument());
    if (failed(planned))
      return signalPassFailure();
    auto &[problem, instructionOf, owners] = *planned;
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
        givenPlan.empty() ? solveWithCallers(problem, owners, options) : readGivenPlan(problem);
    if (failed(found))
      return signalPassFailure();
    planner::Plan &plan = *found;
    if (!plan.feasible) {
      explain(*liveness, problem, plan, owners, options);
      return signalPassFailure();
    }
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
                             ? ownBytes(plan, owners)
                             : ownBytes(solveWithCallers(bare, owners, options), owners);
    if (function->hasAttr(kRegionsAttr)) {
      SmallVector<Attribute> used;
      for (auto [region, height] : llvm::zip_equal(*regions, plan.heights))
        used.push_back(RegionAttr::get(&getContext(), region.getName(), region.getCapacity(),
                                       region.getCost(), region.getAlign(), region.getBase(),
                                       region.getSection(), height));
      function->setAttr(kRegionsAttr, builder.getArrayAttr(used));
    }
    function->setAttr(kArenaBytesAttr, builder.getI64IntegerAttr(ownBytes(plan, owners)));
    function->setAttr(kArenaWithoutScratchAttr, builder.getI64IntegerAttr(bareHeight));
    function->setAttr(
        kPlanBoundAttr,
        builder.getI64IntegerAttr(plan.bound - (plan.totalHeight() - ownBytes(plan, owners))));
    function->setAttr(kPlanOptimalAttr, builder.getBoolAttr(plan.optimal));
  }

private:
  /// Which layer lacks how many bytes where, and what would help.
  void explain(const BufferLiveness &liveness, const planner::Problem &problem,
               const planner::Plan &plan, const RegionOwners &owners,
               const planner::PlannerOptions &options) {
    func::FuncOp function = getOperation();
    InFlightDiagnostic error = function.emitError() << "the memory does not hold the model: ";
    for (auto [i, shortage] : llvm::enumerate(plan.shortages)) {
      const planner::Region &region = problem.regions[shortage.region];
      error << (i ? "; " : "") << describeStep(liveness, shortage.step) << " lacks "
            << shortage.missing << " bytes in region '" << region.name << "', which has "
            << *region.capacity;
    }
    int64_t there = 0, missing = 0, io = 0;
    for (const planner::Shortage &shortage : plan.shortages)
      missing += shortage.missing;
    bool limited = true;
    for (const planner::Region &region : problem.regions) {
      limited &= region.capacity.has_value();
      there += region.capacity.value_or(0);
    }
    if (limited && plan.bound > there)
      error.attachNote() << "no plan can fit: " << plan.bound << " bytes are needed at once, all "
                         << "regions together have " << there;
    for (size_t r = 0; r < problem.regions.size(); ++r)
      if (problem.regions[r].capacity && !isCallers(owners[r]))
        if (auto bytes = capacityThatFits(problem, owners, r, missing, options))
          error.attachNote() << "it would fit if region '" << problem.regions[r].name << "' had "
                             << *bytes << " bytes";
    if (llvm::count_if(owners, [](IoMode owner) { return !isCallers(owner); }) > 1)
      error.attachNote() << "a single region would have to have "
                         << sizeOfSingleRegion(problem, owners, options) << " bytes";
    for (const planner::Buffer &buffer : problem.buffers)
      if (!buffer.fixedRegion &&
          (buffer.role == planner::Role::input || buffer.role == planner::Role::output))
        io += buffer.size;
    if (io)
      error.attachNote() << io << " bytes are inputs and outputs; --input-mode caller and "
                         << "--output-mode caller leave them to the application";
    if (share != ShareMode::overlap)
      error.attachNote() << "--share=overlap may need less";
  }

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
