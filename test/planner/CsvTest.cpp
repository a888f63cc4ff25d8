// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing of CSV; every kind of bad file has one clear error.
#include "passes/planner/Csv.h"
#include "passes/planner/Validator.h"

#include <catch2/catch.hpp>

#include <random>

using namespace aotc::planner;

static std::string errorOf(std::string_view text) {
  std::string error;
  CHECK_FALSE(parseCsv(text, error).has_value());
  return error;
}

TEST_CASE("half-open lifetimes") {
  std::string error;
  auto csv = parseCsv("id,lower,upper,size\nb,3,5,10\n", error);
  REQUIRE(csv);
  CHECK(csv->problem.buffers[0].life.first == 3);
  CHECK(csv->problem.buffers[0].life.last == 4);
  CHECK(csv->problem.buffers[0].name == "b");
}

TEST_CASE("all columns survive printing and reading") {
  const std::string text = "id,lower,upper,size,name,align,role,fixed,inside,overlap\n"
                           "p,0,2,8,\"a, \"\"b\"\"\",4,input,16,,\n"
                           "q,1,3,8,c,8,output,,,p:1:-2:4;p::7:0:-7;r:::1\n"
                           "r,0,2,4,d,1,scratch,,p@2,\n";
  std::string error;
  auto csv = parseCsv(text, error);
  INFO(error);
  REQUIRE(csv);
  CHECK(csv->problem.buffers[0].name == "a, \"b\"");
  CHECK(csv->problem.mayOverlap.size() == 3);
  CHECK(csv->problem.mustAlias[0].delta == 2);
  CHECK(printCsv(csv->problem, csv->ids) == text);
}

TEST_CASE("order of columns, CRLF and a byte order mark do not matter") {
  std::string error;
  auto csv = parseCsv("\xEF\xBB\xBFsize,id, upper ,lower\r\n7,x,2,1\r\n\r\n", error);
  REQUIRE(csv);
  CHECK(csv->problem.buffers[0].size == 7);
}

TEST_CASE("errors name the line") {
  CHECK(errorOf("").find("line 1: the file is empty") == 0);
  CHECK(errorOf("id,lower,upper\n").find("line 1: no column 'size'") == 0);
  CHECK(errorOf("id,lower,upper,size,color\n") == "line 1: unknown column 'color'");
  CHECK(errorOf("id,lower,upper,size,id\n") == "line 1: column 'id' appears twice");
  const std::string head = "id,lower,upper,size,align,role,inside,overlap\n";
  CHECK(errorOf(head + "a,0,1\n") == "line 2: 3 fields, but 8 columns");
  CHECK(errorOf(head + "a,0,1,x,,,,\n") == "line 2: size 'x' is not an integer");
  CHECK(errorOf(head + "a,0,1,,,,,\n") == "line 2: size '' is not an integer");
  CHECK(errorOf(head + "a,0,1,99999999999999999999,,,,\n").find("is not an integer") !=
        std::string::npos);
  CHECK(errorOf(head + "a,2,2,1,,,,\n") ==
        "line 2: buffer 'a' never lives: lower 2 is not below upper 2");
  CHECK(errorOf(head + "a,0,1,1,,,,\na,0,1,1,,,,\n") == "line 3: id 'a' appears twice");
  CHECK(errorOf(head + ",0,1,1,,,,\n") == "line 2: empty id");
  CHECK(errorOf(head + "a,0,1,1,,boss,,\n") == "line 2: unknown role 'boss'");
  CHECK(errorOf(head + "a,0,1,1,,,b@0,\n") == "line 2: there is no buffer 'b'");
  CHECK(errorOf(head + "a,0,1,1,,,a,\n") == "line 2: inside 'a' is not ID@BYTES");
  CHECK(errorOf(head + "a,0,1,1,,,,a:0\n") ==
        "line 2: overlap 'a:0' is not ID:ASC:DESC:MULTIPLE[:PHASE]");
  CHECK(errorOf(head + "\"a,0,1,1,,,,\n") == "line 2: a quote is not closed");
}

TEST_CASE("mangled files never get through as nonsense") {
  const std::string text = "id,lower,upper,size,align,role,inside,overlap\n"
                           "a,0,2,8,4,input,,\nb,1,3,8,4,output,,a:0:0:1\nc,0,1,2,1,,a@4,\n";
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string bad = text;
    for (int edits = 1 + random() % 3; edits--;)
      bad[random() % bad.size()] = ",\n\"0-9:;@ab\xff"[random() % 12];
    std::string error;
    auto csv = parseCsv(bad, error);
    CHECK(csv.has_value() == error.empty());
    if (csv)
      (void)checkProblem(csv->problem);
  }
}
