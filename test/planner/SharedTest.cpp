// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real allocation traces: 79 networks as Glow saw them, and the hard instances
// of MiniMalloc.
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"
#include "passes/planner/Validator.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

using namespace aotc::planner;

/// A folder of the shared data, or none with a note on the output.
static std::optional<std::filesystem::path> sharedFolder(const std::string &name) {
  const char *set = std::getenv("AOTC_SHARED");
  std::filesystem::path folder =
      (set ? std::filesystem::path(set) : std::filesystem::path(AOTC_SOURCE_DIR) / "../shared") /
      name;
  if (std::filesystem::is_directory(folder))
    return folder;
  std::cout << "skipped: needs " << name << " of the shared data\n";
  return std::nullopt;
}

/// Most bytes live at one time, apart from the planner.
static int64_t liveBytes(const Problem &problem) {
  std::map<int64_t, int64_t> change;
  for (const Buffer &buffer : problem.buffers) {
    change[buffer.life.first] += buffer.size;
    change[buffer.life.last + 1] -= buffer.size;
  }
  int64_t live = 0, most = 0;
  for (auto [step, bytes] : change)
    most = std::max(most, live += bytes);
  return most;
}

TEST_CASE("Glow's traces reach the bound of live bytes", "[shared]") {
  auto folder = sharedFolder("data/glow_allocation_traces");
  if (!folder)
    return;
  std::ifstream file(*folder / "MemoryAllocatorTestModels.txt");
  std::string word, model;
  int64_t align = 1, time = 0;
  std::map<int64_t, Buffer> buffers;
  int models = 0;
  while (file >> word) {
    int64_t id = 0, value = 0;
    if (word[0] == '#') {
      std::getline(file, word);
    } else if (word == "MODEL") {
      file >> model;
      buffers.clear();
      time = 0;
    } else if (word == "ALIGN") {
      file >> align;
    } else if (word == "ALLOC") {
      file >> id >> value;
      Buffer &buffer = buffers[id];
      buffer.name = std::to_string(id);
      // The traces' own figures count sizes rounded up to the alignment.
      buffer.size = (value + align - 1) / align * align;
      buffer.align = align;
      buffer.life = {time, time};
      ++time;
    } else if (word == "FREE") {
      file >> id;
      buffers[id].life.last = time - 1;
    } else if (word == "MEM") {
      file >> value;
      Problem problem;
      for (auto &[number, buffer] : buffers)
        problem.buffers.push_back(buffer);
      REQUIRE(checkProblem(problem).empty());
      Plan plan = solve(problem);
      INFO(model);
      CHECK(checkPlan(problem, plan) == std::vector<std::string>{});
      CHECK(plan.heights[0] <= value); // never worse than Glow
      CHECK(plan.heights[0] == liveBytes(problem));
      CHECK(plan.optimal);
      ++models;
    }
  }
  CHECK(models == 79);
}

static Plan solvedFile(const std::filesystem::path &path, const PlannerOptions &options) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}}, error;
  auto csv = parseCsv(text, error);
  INFO(path.filename() << " " << error);
  REQUIRE(csv);
  REQUIRE(checkProblem(csv->problem).empty());
  Plan plan = solve(csv->problem, options);
  CHECK(checkPlan(csv->problem, plan) == std::vector<std::string>{});
  return plan;
}

TEST_CASE("MiniMalloc's challenging instances", "[shared]") {
  auto folder = sharedFolder("data/minimalloc");
  if (!folder)
    return;
  // Best known heights (ORIGIN.md). All but D's are the live bytes at one time.
  const std::pair<const char *, int64_t> known[] = {
      {"A", 1'048'576}, {"C", 1'039'360}, {"E", 1'048'576}, {"F", 1'048'576},
      {"H", 1'048'576}, {"I", 1'048'576}, {"K", 1'048'576}};
  for (auto [name, height] : known) {
    INFO(name);
    Plan plan = solvedFile(*folder / (std::string(name) + ".1048576.csv"), {});
    CHECK(plan.heights[0] == height);
    CHECK(plan.bound == height);
    CHECK(plan.optimal);
  }
  // Open: 986,112 bytes are live, 1,025,024 is the best known.
  Plan plan = solvedFile(*folder / "D.1048576.csv", {});
  CHECK(plan.heights[0] <= 1'025'024);
  CHECK(plan.bound >= 986'112);
}
