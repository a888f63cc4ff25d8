#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the aotc command as its user meets it.

    main.py --tool build/bin/aotc --opt build/bin/aotc-opt [Class[.test] ...]
"""
import argparse
import os
import sys
import unittest

sys.dont_write_bytecode = True

import support
from compile_test import Files, Phases, Plans  # noqa: F401 (found by name)
from io_modes_test import IoModes  # noqa: F401
from machine_test import Machine  # noqa: F401
from run_test import Run, Verify  # noqa: F401
from shared_arena_test import SharedArena  # noqa: F401
from usage_test import Inspect, Usage  # noqa: F401


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("tests", nargs="*", default=[])
    arguments = parser.parse_args()
    support.TOOLS.update({"aotc": os.path.abspath(arguments.tool),
                          "aotc-opt": os.path.abspath(arguments.opt)})
    loader = unittest.TestLoader()
    module = sys.modules["__main__"]
    suite = (loader.loadTestsFromNames(arguments.tests, module) if arguments.tests
             else loader.loadTestsFromModule(module))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    for test, reason in result.skipped:
        print(f"skipped: {reason} ({test.id()})")
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
