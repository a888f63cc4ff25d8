#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the aotc command as its user meets it.

    main.py --tool build/bin/aotc --opt build/bin/aotc-opt [Class[.test] ...]
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True

import support

sys.path.insert(0, os.path.join(support.ROOT, "test"))
import skip_main  # noqa: E402 (found by the path above)
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
    sys.exit(skip_main.run(arguments.tests, verbosity=2))


if __name__ == "__main__":
    main()
