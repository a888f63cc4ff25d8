// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress is told, shown on terminals only, erased, and changes no plan; saved
// plans are taken for just their problem.
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"
#include "passes/planner/SavedPlan.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace aotc::planner;

/// What a progress line of two updates writes to stderr, which is `file`.
static void showOn(int file) {
  std::fflush(stderr);
  int before = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  {
    TerminalProgress progress("planning", std::chrono::milliseconds(0));
    progress.show({1234567, 89, 7});
    progress.show({1234568, 89, 7}); // within a tenth of a second: not shown
  }
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
}

static std::string readAll(int file) {
  std::string text;
  char part[256];
  for (ssize_t length; (length = read(file, part, sizeof part)) > 0;)
    text.append(part, length);
  return text;
}

TEST_CASE("progress is a line on a terminal, erased at the end") {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  int inside = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  REQUIRE(inside >= 0);
  showOn(inside);
  close(inside);
  CHECK(readAll(terminal) == "\rplanning: 1,234,567 nodes, best 89, bound 7\033[K\r\033[K");
  close(terminal);
}

TEST_CASE("no progress in a file") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  showOn(ends[1]);
  close(ends[1]);
  CHECK(readAll(ends[0]) == "");
  close(ends[0]);
}

/// A rectangle of bytes and steps cut into pieces: greedy planning finds no way
/// to put them together again.
static Problem hardProblem() {
  struct Piece {
    int64_t bytes, first, last;
  };
  std::vector<Piece> pieces = {{100'000, 0, 99}};
  std::mt19937 random(5);
  while (pieces.size() < 150) {
    Piece &piece = pieces[random() % pieces.size()];
    int64_t steps = piece.last - piece.first + 1,
            percent = 20 + static_cast<int64_t>(random() % 60);
    Piece other = piece;
    if (random() % 2 && steps > 4) {
      piece.last = piece.first + steps * percent / 100 - 1;
      other.first = piece.last + 1;
    } else if (piece.bytes > 1000) {
      piece.bytes = piece.bytes * percent / 100;
      other.bytes -= piece.bytes;
    } else {
      continue;
    }
    if (piece.last >= piece.first)
      pieces.push_back(other);
  }
  Problem problem;
  for (const Piece &piece : pieces) {
    Buffer buffer;
    buffer.name = "b" + std::to_string(problem.buffers.size());
    buffer.size = piece.bytes;
    buffer.life = {piece.first, piece.last};
    problem.buffers.push_back(buffer);
  }
  return problem;
}

TEST_CASE("a search tells its progress, and finds the same with and without") {
  for (bool rules : {false, true}) {
    Problem problem = hardProblem();
    if (rules)
      problem.mayOverlap = {{0, 1, 0, 0}};
    PlannerOptions options;
    options.nodeLimit = 20'000;
    Plan quiet = solve(problem, options);
    int64_t calls = 0, last = 0;
    bool sensible = true;
    options.progress = [&](const Progress &progress) {
      sensible &= progress.nodes >= last && progress.bound <= progress.best;
      last = progress.nodes;
      ++calls;
    };
    Plan plan = solve(problem, options);
    INFO((rules ? "with rules " : "without ") << plan.nodes << " nodes");
    CHECK(calls > 0);
    CHECK(sensible);
    CHECK(plan.nodes == quiet.nodes);
    CHECK(printCsv(problem, {}, &plan) == printCsv(problem, {}, &quiet));
  }
}

TEST_CASE("a saved plan is one of just its problem") {
  Problem problem;
  for (int64_t i = 0; i < 4; ++i) {
    Buffer buffer;
    buffer.name = "b" + std::to_string(i);
    buffer.size = 8;
    buffer.align = 4;
    buffer.life = {i, i + 1};
    problem.buffers.push_back(buffer);
  }
  problem.buffers[3].name = " odd\nname, quoted\""; // a file loses blanks at the ends
  problem.mayOverlap = {{0, 1, 4, {}}};
  Plan plan = solve(problem);
  const std::string file = printCsv(problem, {}, &plan);
  std::string error;
  auto read = readPlan(problem, file, error);
  INFO(error);
  REQUIRE(read);
  CHECK(printCsv(problem, {}, &*read) == file);
  CHECK(read->heights == plan.heights);
  CHECK(read->overlaps == plan.overlaps);

  auto refusal = [&](auto change) {
    Problem other = problem;
    change(other);
    std::string why;
    CHECK_FALSE(readPlan(other, file, why).has_value());
    return why;
  };
  using P = Problem &;
  CHECK(refusal([](P p) { p.buffers[1].size = 9; }) == "buffer 'b1' has size 9, in the plan 8");
  CHECK(refusal([](P p) { p.buffers[2].life.last = 9; }) ==
        "buffer 'b2' has last step 9, in the plan 3");
  CHECK(refusal([](P p) { p.buffers[0].align = 1; }) ==
        "buffer 'b0' has alignment 1, in the plan 4");
  CHECK(refusal([](P p) { p.buffers[0].fixedOffset = 0; }) ==
        "buffer 'b0' has fixed offset 0, in the plan no");
  CHECK(refusal([](P p) { p.buffers[1].role = Role::output; }) ==
        "buffer 'b1' has another role than in the plan");
  CHECK(refusal([](P p) { p.buffers[1].name = "c"; }) == "buffer 1 is 'c', in the plan 'b1'");
  CHECK(refusal([](P p) { p.mayOverlap.clear(); }) ==
        "buffer 'b1' may share memory in other ways than in the plan");
  CHECK(refusal([](P p) { p.buffers.push_back(p.buffers[0]); }) ==
        "buffer 'b0' is not in the plan");
  CHECK(refusal([](P p) { p.buffers.pop_back(); }) ==
        "the plan's buffer 'odd name, quoted\"' does not exist");
  CHECK_FALSE(readPlan(problem, printCsv(problem), error).has_value());
  CHECK(error == "it has no column 'offset'");
  CHECK_FALSE(readPlan(problem, "id,lower", error).has_value());
  CHECK(error.find("line 1") == 0);
}
