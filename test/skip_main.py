# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unittest's main for tests that may find no tool or data: exit status 77, CTest's
SKIP_RETURN_CODE, if nothing failed because nothing was checked (as SkipMain.cpp)."""
import sys
import unittest

SKIPPED = 77


class _Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def run(names, module="__main__", verbosity=1):
    """Runs the tests `names` of a module, or all of it; returns the exit status."""
    loader = unittest.TestLoader()
    module = sys.modules[module]
    suite = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(verbosity=verbosity, resultclass=_Result).run(suite)
    for test, reason in result.skipped:
        print(f"skipped: {reason} ({test.id()})")
    if not result.wasSuccessful() or not (result.passed or result.skipped):
        return 1
    return 0 if result.passed else SKIPPED
