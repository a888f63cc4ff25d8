# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit configuration of all text tests: *.mlir and *.test below test/. Loaded by
# the generated lit.site.cfg.py, which knows the build tree.
import os

import lit.formats

config.name = "aotc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.aotc_build_dir, "test", "lit")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.aotc_build_dir, "bin"), config.llvm_tools_dir,
     config.environment["PATH"]])

# Test data beside the project: `REQUIRES: shared` and %shared.
shared = os.environ.get("AOTC_SHARED",
                        os.path.join(config.aotc_source_dir, os.pardir, "shared"))
if os.path.isdir(shared):
    config.available_features.add("shared")
    config.substitutions.append(("%shared", os.path.abspath(shared)))
