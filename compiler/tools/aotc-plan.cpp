// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// aotc-plan: the memory planner on a CSV file (passes/planner/Csv.h), such as
// `aotc-opt --aotc-plan-memory=dump-problem=FILE` writes.
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"
#include "passes/planner/Validator.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace aotc::planner;

static int fail(const std::string &message) {
  std::cerr << "aotc-plan: error: " << message << "\n";
  return 1;
}

/// NAME[=BYTES[:COST]]
static bool parseRegion(const std::string &text, Region &region) {
  size_t equals = text.find('='),
         colon = text.find(':', equals == std::string::npos ? text.size() : equals);
  region.name = text.substr(0, equals);
  auto number = [](const std::string &digits, int64_t &value) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value >= 0;
  };
  int64_t bytes = 0;
  if (equals != std::string::npos && text.substr(equals + 1, colon - equals - 1) != "") {
    if (!number(text.substr(equals + 1, colon - equals - 1), bytes))
      return false;
    region.capacity = bytes;
  }
  return !region.name.empty() &&
         (colon == std::string::npos || number(text.substr(colon + 1), region.cost));
}

int main(int argc, char **argv) {
  CLI::App app("plans the offsets of buffers; prints height, lower bound, proof");
  std::string input, output;
  PlannerOptions options;
  std::optional<int64_t> capacity;
  std::vector<std::string> regions;
  bool check = false;
  app.add_option("FILE", input, "CSV file: id,lower,upper,size[,...]")->required();
  app.add_option("-o,--output", output, "write the CSV with a column offset there");
  app.add_option("--nodes", options.nodeLimit, "limit of the exact search; 0: heuristics only")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--capacity", capacity, "bytes; fail if the plan is higher");
  app.add_option("--region", regions, "NAME[=BYTES[:COST]]; several may be given");
  app.add_flag("--check", check, "only check the plan in the columns offset and region");
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
  for (const std::string &text : regions) {
    Region region;
    if (!parseRegion(text, region))
      return fail("--region '" + text + "' is not NAME[=BYTES[:COST]]");
    if (&text == &regions.front())
      problem.regions.clear();
    problem.regions.push_back(region);
  }
  if (check && csv->placements.size() != problem.buffers.size())
    return fail(input + ": no column 'offset'; it holds the plan that --check checks");
  if (!resolveRegions(*csv, error))
    return fail(input + ": " + error);
  if (auto errors = checkProblem(problem); !errors.empty())
    return fail(input + ": " + errors.front());

  std::optional<TerminalProgress> terminal("planning");
  options.progress = [&](const Progress &progress) { terminal->show(progress); };
  Plan plan = check ? planOf(problem, csv->placements) : solve(problem, options);
  terminal.reset();
  int64_t height = plan.totalHeight();
  std::cout << "height=" << height << " bound=" << plan.bound
            << " optimal=" << (plan.optimal ? "yes" : "no") << " nodes=" << plan.nodes << "\n";
  for (size_t r = 0; r < regions.size(); ++r)
    std::cout << problem.regions[r].name << "=" << plan.heights[r] << "\n";
  if (auto errors = checkPlan(problem, plan); !errors.empty()) {
    for (const Shortage &shortage : plan.shortages)
      errors.front() += " (" + std::to_string(shortage.missing) + " missing at step " +
                        std::to_string(shortage.step) + ")";
    return fail(input + ": " + errors.front());
  }
  if (!output.empty()) {
    std::ofstream out(output, std::ios::binary);
    if (!(out << printCsv(problem, csv->ids, &plan)).flush())
      return fail("cannot write '" + output + "'");
  }
  return 0;
}
