// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2's main for tests that may find no data: 77, CTest's SKIP_RETURN_CODE,
// if nothing failed because nothing was checked.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

static size_t assertions = 0;

namespace {
struct CountAssertions : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunEnded(const Catch::TestRunStats &stats) override {
    assertions = stats.totals.assertions.total();
  }
};
} // namespace
CATCH_REGISTER_LISTENER(CountAssertions)

int main(int argc, char **argv) {
  int failed = Catch::Session().run(argc, argv);
  return failed || assertions ? failed : 77;
}
