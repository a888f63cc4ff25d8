// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// aotc-suite: compiles and runs a list of jobs (suites.py makes it) in one
// process and compares the outputs. Prints one line per job,
//
//   pass|refused|ran|fail <tab> NAME <tab> text
//
// and "done" at the end. A job is a model, its inputs, the expected outputs and
// what must happen: match, refuse, or any (match or refused, never wrong). With
// several --plans each job is compiled and run with all of them, and their
// outputs must be the same bits.
#include "compiler/driver/Compile.h"
#include "compiler/run/Compare.h"
#include "compiler/run/Run.h"
#include "targets/Target.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace aotc;
// The command line.
static std::string jobsFile, targetName = "host", kernels;
static std::vector<std::string> plans = {"overlap"};
static int64_t rowsPerCall = 0;
static std::string optimize = "balanced";
static bool descending = false, keepTensors = false, checkMemory = false;
static std::vector<std::string> inputModes, outputModes;
static unsigned threads = 2, batchSize = 24;

namespace {

struct Job {
  std::string name, model, expect, dump;
  std::vector<std::string> inputs, expected;
  int64_t invocations = 0; // 0: as many as the first input file holds
  double absolute = 0, relative = 0;
  // Results.
  std::vector<Bundle> bundles; // by plan
  std::string errors;          // of the compiler
  std::string verdict, text;
};

std::vector<std::string> strings(const llvm::json::Object &object, llvm::StringRef key) {
  std::vector<std::string> result;
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &value : *array)
      result.push_back(value.getAsString().value_or("").str());
  return result;
}

std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// "none", "in-place", "overlap", or a number: overlap on a schedule shuffled so.
void choosePlan(llvm::StringRef plan, CompileOptions &options) {
  options.share = parseShareMode(plan).value_or(ShareMode::overlap);
  options.shuffle = 0;
  plan.getAsInteger(10, options.shuffle); // stays 0 if it is none
}

// Models of one image need names of their own: the job's number.
void compile(Job &job, size_t number) {
  CompileOptions options;
  options.target = targetName;
  options.kernelLevel = kernels;
  options.blockRows = rowsPerCall;
  options.optimize = *parseOptimize(optimize);
  options.descending = descending;
  options.keepTensors = keepTensors;
  options.inputModes = inputModes;
  options.outputModes = outputModes;
  options.stepwise = checkMemory;
  options.name = "m" + std::to_string(number);
  llvm::raw_string_ostream errors(job.errors);
  std::string model = readFile(job.model);
  for (const std::string &plan : plans) {
    choosePlan(plan, options);
    auto bundle = compileModel(model, job.model, options, errors, llvm::nulls());
    if (!bundle)
      break;
    job.bundles.push_back(std::move(*bundle));
  }
  bool refused = llvm::StringRef(job.errors).contains("unsupported:");
  bool invalid = llvm::StringRef(job.errors).contains("invalid model:");
  std::string first = llvm::StringRef(job.errors).split('\n').first.str();
  if (job.bundles.size() == plans.size()) {
    if (job.expect == "refuse")
      job.verdict = "fail", job.text = "was compiled, must be refused";
    return;
  }
  bool explained = refused || invalid;
  // What one plan can do, the others can.
  explained &= job.bundles.empty();
  job.verdict = job.expect != "match" && explained ? "refused" : "fail";
  job.text = first.empty() ? "compiler failed without a word" : first;
}

RunCase makeCase(const Job &job, const Bundle &bundle, bool stepwise) {
  RunCase result;
  result.interface = &bundle.interface;
  result.object = bundle.bytes(".o");
  result.stepwise = stepwise;
  result.invocations = job.invocations;
  for (auto [i, tensor] : llvm::enumerate(bundle.interface.inputs)) {
    // A case without files is run on zeros and says "ran".
    std::string data(job.inputs.empty() ? tensor.bytes : 0, '\0');
    if (i < job.inputs.size())
      data = readFile(job.inputs[i]);
    if (job.invocations == 0 && tensor.bytes > 0)
      result.invocations = static_cast<int64_t>(data.size()) / tensor.bytes;
    result.inputs.push_back(std::move(data));
  }
  result.invocations = std::max<int64_t>(result.invocations, 1);
  return result;
}

/// `results` are those of one job: by plan, then (if memory is checked) again
/// by plan, step by step.
void judge(Job &job, llvm::ArrayRef<const RunResult *> results) {
  const RunResult &result = *results.front();
  for (auto [i, other] : llvm::enumerate(results))
    if (other->outputs != result.outputs) {
      job.verdict = "fail";
      job.text = "other outputs with plan '" + plans[i % plans.size()] + "'" +
                 (i < plans.size() ? "" : " and memory painted between layers");
      return;
    }
  if (!job.dump.empty())
    for (auto [i, output] : llvm::enumerate(result.outputs)) {
      std::error_code error;
      llvm::raw_fd_ostream file(job.dump + "." + std::to_string(i) + ".bin", error);
      file << output;
    }
  if (job.expected.empty()) {
    job.verdict = job.dump.empty() ? "ran" : "pass";
    return;
  }
  const auto &outputs = job.bundles.front().interface.outputs;
  if (outputs.size() != job.expected.size()) {
    job.verdict = "fail";
    job.text = "has " + std::to_string(outputs.size()) + " outputs, expected " +
               std::to_string(job.expected.size());
    return;
  }
  for (auto [i, tensor] : llvm::enumerate(outputs)) {
    Comparison comparison = compareTensors(tensor.type, tensor.shape, result.outputs[i],
                                           readFile(job.expected[i]), {job.absolute, job.relative});
    if (!comparison.equal()) {
      job.verdict = "fail";
      job.text = "output " + std::to_string(i) + ": " + comparison.message();
      return;
    }
  }
  job.verdict = "pass";
}

void run(llvm::ArrayRef<Job *> batch) {
  std::vector<RunCase> cases;
  for (Job *job : batch)
    for (bool stepwise : {false, true})
      if (!stepwise || checkMemory)
        for (const Bundle &bundle : job->bundles)
          cases.push_back(makeCase(*job, bundle, stepwise));
  RunOptions options;
  options.fillings = checkMemory ? 2 : 1;
  auto results = runBundles(cases, targetName, options);
  if (results) {
    size_t each = results->size() / batch.size();
    for (auto [i, job] : llvm::enumerate(batch)) {
      std::vector<const RunResult *> ofJob;
      for (const RunResult &result : llvm::ArrayRef(*results).slice(i * each, each))
        ofJob.push_back(&result);
      judge(*job, ofJob);
    }
    return;
  }
  std::string message = llvm::toString(results.takeError());
  if (batch.size() == 1) {
    batch[0]->verdict = "fail";
    batch[0]->text = "run: " + message;
    return;
  }
  // One bad case must not hide the others.
  for (Job *job : batch)
    run(job);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"compiles, runs and compares a list of jobs"};
  app.add_option("JOBS", jobsFile, "JSON, made by suites.py")->required();
  app.add_option("--target", targetName)->capture_default_str();
  app.add_option("--kernels", kernels, "only kernels of this level");
  app.add_option("--rows-per-call", rowsPerCall);
  app.add_option("--optimize", optimize)->check(CLI::IsMember({"balanced", "speed", "size"}));
  app.add_flag("--descending", descending);
  app.add_flag("--keep-tensors", keepTensors);
  app.add_flag("--check-memory", checkMemory, "two fillings; then again, layer by layer");
  app.add_option("--plans", plans, "of none, in-place, overlap, and seeds of random schedules")
      ->delimiter(',')
      ->check(CLI::IsMember({"none", "in-place", "overlap"}) | CLI::PositiveNumber);
  app.add_option("--input-mode", inputModes);
  app.add_option("--output-mode", outputModes);
  app.add_option("--threads", threads)->capture_default_str();
  app.add_option("--batch", batchSize, "cases per emulator start")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  auto parsed = llvm::json::parse(readFile(jobsFile));
  if (!parsed || !parsed->getAsArray()) {
    llvm::errs() << "error: '" << jobsFile << "' is not a JSON list\n";
    return 1;
  }
  std::vector<Job> jobs;
  for (const llvm::json::Value &value : *parsed->getAsArray()) {
    const llvm::json::Object &object = *value.getAsObject();
    Job job;
    job.name = object.getString("name").value_or("").str();
    job.model = object.getString("model").value_or("").str();
    job.expect = object.getString("expect").value_or("match").str();
    job.dump = object.getString("dump").value_or("").str();
    job.inputs = strings(object, "inputs");
    job.expected = strings(object, "expected");
    job.invocations = object.getInteger("invocations").value_or(0);
    job.absolute = object.getNumber("abs").value_or(0);
    job.relative = object.getNumber("rel").value_or(0);
    jobs.push_back(std::move(job));
  }
  if (!findTarget(targetName)) {
    llvm::errs() << "error: unknown target '" << targetName << "'\n";
    return 1;
  }

  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  // Compile and run in slices, so that objects do not pile up.
  size_t slice = std::max<size_t>(batchSize * threads, 1);
  for (size_t begin = 0; begin < jobs.size(); begin += slice) {
    size_t end = std::min(jobs.size(), begin + slice);
    for (size_t i = begin; i < end; ++i)
      pool.async([&jobs, i] { compile(jobs[i], i); });
    pool.wait();
    std::vector<Job *> ready;
    for (size_t i = begin; i < end; ++i)
      if (jobs[i].verdict.empty())
        ready.push_back(&jobs[i]);
    for (size_t i = 0; i < ready.size(); i += batchSize) {
      auto batch = llvm::ArrayRef(ready).slice(i, std::min<size_t>(batchSize, ready.size() - i));
      pool.async([batch] { run(batch); });
    }
    pool.wait();
    for (size_t i = begin; i < end; ++i) {
      std::replace(jobs[i].text.begin(), jobs[i].text.end(), '\n', ' ');
      llvm::outs() << jobs[i].verdict << '\t' << jobs[i].name << '\t' << jobs[i].text << '\n';
      jobs[i].bundles.clear();
    }
    llvm::outs().flush();
  }
  llvm::outs() << "done\n";
  return 0;
}
