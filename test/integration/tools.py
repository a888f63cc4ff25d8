# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder share: running tools, temporary projects.

Environment (set by CTest): AOTC, CLANG, CMAKE, SOURCE (project root), BUILD (build tree).
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

AOTC, CLANG, CMAKE, SOURCE, BUILD = (os.environ[k] for k in ("AOTC", "CLANG", "CMAKE", "SOURCE", "BUILD"))
CTEST = f"{os.path.dirname(CMAKE)}/ctest"
PICTURES, ANSWERS = (f"{SOURCE}/examples/digits/{name}_int8.npy" for name in ("pictures", "answers"))
sys.path.insert(0, f"{SOURCE}/test")
import skip_main  # noqa: E402 (found by the path above)

DIGITS = f"{SOURCE}/examples/digits/digits_int8.tflite"
DIGITS_FLOAT = f"{SOURCE}/examples/digits/digits_float.tflite"
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(SOURCE, "..", "shared")
M4 = ["-mcpu=cortex-m4", "-mthumb"]
FLOAT_ABI = {"cortex-m4": ["-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"],
             "cortex-m4+softfp": ["-mfpu=fpv4-sp-d16", "-mfloat-abi=softfp"],
             "cortex-m4+nofp": ["-mfloat-abi=soft"]}
TARGETS = [*FLOAT_ABI, "cortex-m0", "cortex-m33", "cortex-m55+nofp", "cortex-a9", "cortex-a53", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
BOARD = ["qemu-system-arm", "-M", "mps2-an386", "-semihosting-config", "enable=on,target=native",
         "-display", "none", "-monitor", "none", "-serial", "none", "-kernel"]
AARCH64 = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
ARMHF = ["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"]


def need(*tools):
    for tool in tools:
        if not shutil.which(tool) and not os.path.exists(tool):
            raise unittest.SkipTest(f"needs {tool}")


def shared(path):
    found = os.path.join(SHARED, path)
    need(found)
    return found


def run(*command, **keywords):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300, **keywords)


def read(path):
    with open(path) as file:
        return file.read()


THREE = read(f"{SOURCE}/examples/digits_cortex_m/three.inc")  # 64 pixels from 0 to 16


def run_tests():
    """The main of a file of tests: those that are arguments, or all."""
    sys.exit(skip_main.run(sys.argv[1:]))


class Case(unittest.TestCase):
    """A test with a folder of its own, removed at the end."""

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="aotc-integration-")
        self.addCleanup(shutil.rmtree, self.dir)

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def good(self, *command, **keywords):
        """Runs a command that must succeed; returns its output."""
        result = run(*command, **keywords)
        self.assertEqual(result.returncode, 0, f"{' '.join(map(str, command))}\n{result.stdout}")
        return result.stdout

    def bad(self, *command, **keywords):
        """Runs a command that must fail, not crash; returns its output."""
        result = run(*command, **keywords)
        self.assertEqual(result.returncode, 1, f"{' '.join(map(str, command))}\n{result.stdout}")
        return result.stdout

    def compile(self, model, target, name):
        """The bundle's path without suffix."""
        folder = tempfile.mkdtemp(dir=self.dir)
        self.good(AOTC, "compile", model, "--target", target, "--name", name, "-o", folder)
        return f"{folder}/{name}"

    def configure_command(self, source, *options, toolchain=None, compiler="gcc", generator="Ninja",
                          package=None):
        """`package`: folder of an installation whose aotc and toolchain files are used."""
        toolchains = f"{package}/lib/cmake/aotc/toolchains" if package else f"{SOURCE}/cmake/toolchains"
        if toolchain:
            options = (f"-DCMAKE_TOOLCHAIN_FILE={toolchains}/{toolchain}.cmake", *options)
        else:
            options = (f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_CXX_COMPILER=g++", *options)
        where = f"-DCMAKE_PREFIX_PATH={package}" if package else f"-DAOTC_EXECUTABLE={AOTC}"
        return [CMAKE, "-S", source, "-B", f"{self.dir}/build", "-G", generator, where, *options]

    def configure(self, source, *options, **keywords):
        return self.good(*self.configure_command(source, *options, **keywords))

    def build(self, *options):
        return self.good(CMAKE, "--build", f"{self.dir}/build", "-j", "2", *options)

    def ctest(self, *options, **keywords):
        """Runs the built project's tests; returns {name: "Passed", "Skipped", "Failed" or "Not Run"}."""
        result = run(CTEST, "--test-dir", f"{self.dir}/build", *options, **keywords)
        return dict(re.findall(r"Test +#\d+: (\S+) \.+ *\**(Passed|Skipped|Failed|Not Run)", result.stdout))

    def project(self, lines, files=(), languages="C"):
        """A downstream project: CMakeLists.txt with `lines` after the include."""
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\n"
                   f"project(downstream {languages})\ninclude({SOURCE}/cmake/AotcModel.cmake)\n{lines}\n")
        for name, text in dict(files).items():
            self.write(name, text)
        return self.dir
