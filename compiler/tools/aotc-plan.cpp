// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// aotc-plan: the memory planner on a CSV file (passes/planner/Csv.h), such as
// `aotc-opt --aotc-plan-memory=dump-problem=FILE` writes.
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"
#include "passes/planner/Validator.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace aotc::planner;

static int fail(const std::string &message) {
  std::cerr << "aotc-plan: error: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  CLI::App app("plans the offsets of buffers; prints height, lower bound, proof");
  std::string input, output;
  PlannerOptions options;
  std::optional<int64_t> capacity;
  app.add_option("FILE", input, "CSV file: id,lower,upper,size[,...]")->required();
  app.add_option("-o,--output", output, "write the CSV with a column offset there");
  app.add_option("--nodes", options.nodeLimit, "limit of the exact search; 0: heuristics only")
      ->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--capacity", capacity, "bytes; fail if the plan is higher");
  CLI11_PARSE(app, argc, argv);

  if (std::filesystem::is_directory(input))
    return fail("cannot read '" + input + "': it is a folder");
  std::ifstream file(input, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file)
    return fail("cannot read '" + input + "'");
  std::string error;
  auto csv = parseCsv(text, error);
  if (!csv)
    return fail(input + ": " + error);
  Problem &problem = csv->problem;
  problem.regions[0].capacity = capacity;
  if (auto errors = checkProblem(problem); !errors.empty())
    return fail(input + ": " + errors.front());

  Plan plan = solve(problem, options);
  std::cout << "height=" << plan.heights[0] << " bound=" << plan.bound
            << " optimal=" << (plan.optimal ? "yes" : "no") << " nodes=" << plan.nodes << "\n";
  if (auto errors = checkPlan(problem, plan); !errors.empty())
    return fail(input + ": " + errors.front());
  if (!output.empty()) {
    std::ofstream out(output, std::ios::binary);
    if (!(out << printCsv(problem, csv->ids, &plan)).flush())
      return fail("cannot write '" + output + "'");
  }
  return 0;
}
