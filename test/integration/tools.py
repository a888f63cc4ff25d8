# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder share: running tools, temporary projects.

Environment (set by CTest): AOTC, CLANG, CMAKE, SOURCE (project root).
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

AOTC, CLANG, CMAKE, SOURCE = (os.environ[k] for k in ("AOTC", "CLANG", "CMAKE", "SOURCE"))
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
            print(f"skipped: needs {tool}", file=sys.stderr)
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

    def configure_command(self, source, *options, toolchain=None, compiler="gcc", generator="Ninja"):
        if toolchain:
            options = (f"-DCMAKE_TOOLCHAIN_FILE={SOURCE}/cmake/toolchains/{toolchain}.cmake", *options)
        else:
            options = (f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_CXX_COMPILER=g++", *options)
        return [CMAKE, "-S", source, "-B", f"{self.dir}/build", "-G", generator,
                f"-DAOTC_EXECUTABLE={AOTC}", *options]

    def configure(self, source, *options, **keywords):
        return self.good(*self.configure_command(source, *options, **keywords))

    def build(self):
        return self.good(CMAKE, "--build", f"{self.dir}/build", "-j", "2")

    def project(self, lines, files=(), languages="C"):
        """A downstream project: CMakeLists.txt with `lines` after the include."""
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\n"
                   f"project(downstream {languages})\ninclude({SOURCE}/cmake/AotcModel.cmake)\n{lines}\n")
        for name, text in dict(files).items():
            self.write(name, text)
        return self.dir
