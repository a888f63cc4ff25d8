# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""find_package(aotc) of an installation that was moved after it was made."""
import json
import os
import re
import shutil
import tempfile

from tools import AARCH64, AOTC, ARMHF, BOARD, BUILD, CMAKE, DIGITS, SOURCE, THREE, Case, need, read, run, run_tests

EXAMPLE = f"{SOURCE}/examples/find_package_user"
PIXELS = " ".join(re.findall(r"\d+", THREE.split("*/")[1]))


class Package(Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="aotc-package-")
        cls.addClassCleanup(shutil.rmtree, folder)
        result = run(CMAKE, "--install", BUILD, "--prefix", f"{folder}/first")
        assert result.returncode == 0, result.stdout
        cls.prefix = f"{folder}/second"
        os.rename(f"{folder}/first", cls.prefix)
        cls.cmake = f"{cls.prefix}/lib/cmake/aotc"

    def test_programs(self):
        # Without a variable that could lead the loader to LLVM's libraries.
        for program in ("aotc", "aotc-plan"):
            self.good(f"{self.prefix}/bin/{program}", "--help", env={})
            self.assertNotIn(os.path.realpath(BUILD), self.good("llvm-readelf-22", "-d", f"{self.prefix}/bin/{program}"))
        self.good(f"{self.prefix}/bin/aotc", "compile", DIGITS, "--target", "cortex-m4", "-o", self.dir, env={})

    def test_files(self):
        for name in ("README.md", "aotcConfig.cmake", "runtime-stub/include/aotc/runtime.h"):
            self.assertTrue(os.path.exists(f"{self.cmake}/{name}"), name)
        self.assertIn("LLVM", read(f"{self.prefix}/share/doc/aotc/LICENSE"))
        for folder, _, names in os.walk(self.cmake):
            for name in names:
                text = read(os.path.join(folder, name))
                for path in (SOURCE, BUILD, os.path.dirname(self.prefix)):
                    self.assertNotIn(path + "/", text, name)

    def test_example(self):
        self.configure(EXAMPLE, package=self.prefix)
        self.build()
        self.assertIn(f"AOTC_EXECUTABLE:FILEPATH={self.prefix}/bin/aotc\n", read(f"{self.dir}/build/CMakeCache.txt"))
        self.assertEqual(self.good(f"{self.dir}/build/digits", input=PIXELS), "digit 3\n")

    def test_example_of_other_architectures(self):
        # 64 and 32 bits: the package is of neither.
        for triple, emulator in (("aarch64-linux-gnu", AARCH64), ("arm-linux-gnueabihf", ARMHF)):
            with self.subTest(triple):
                need(f"{triple}-gcc", emulator[0])
                self.configure(EXAMPLE, package=self.prefix, toolchain=triple)
                self.build()
                self.assertEqual(self.good(*emulator, f"{self.dir}/build/digits", input=PIXELS), "digit 3\n")
                shutil.rmtree(f"{self.dir}/build")

    def test_bare_metal(self):
        # The example as its comment says; the toolchain may look for packages in its own root only.
        need("arm-none-eabi-gcc", "qemu-system-arm")
        for folder in ("digits", "digits_cortex_m"):
            shutil.copytree(f"{SOURCE}/examples/{folder}", f"{self.dir}/{folder}")
        text = read(f"{self.dir}/digits_cortex_m/CMakeLists.txt")
        text, count = re.subn(r"include\(\S+\) # or, installed: (find_package\(aotc REQUIRED\))", r"\1", text)
        self.assertEqual(count, 1)
        self.write("digits_cortex_m/CMakeLists.txt", text)
        roots = (f"-DCMAKE_FIND_ROOT_PATH={self.dir}", "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY")
        command = self.configure_command(f"{self.dir}/digits_cortex_m", *roots, package=self.prefix, toolchain="arm-none-eabi")
        self.assertIn("aotcConfig.cmake", self.bad(*command))
        self.good(*command, f"-Daotc_DIR={self.cmake}")
        self.build()
        self.assertEqual(self.good(*BOARD, f"{self.dir}/build/digits.elf"), "digit: 3\n")

    def test_stub_alone(self):
        # For bundles made by hand; flags that follow find_package() are the stub's too.
        self.write("main.c", '#include "aotc/runtime.h"\n#include <stdio.h>\n'
                   "int main(void) { puts(aotc_status_string(AOTC_ERROR_NULL_ARENA)); return 0; }\n")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(by_hand C)\n"
                   "find_package(aotc REQUIRED)\nadd_compile_options(-DLATER)\nadd_executable(app main.c)\n"
                   "target_link_libraries(app PRIVATE aotc::runtime_stub)\n")
        self.configure(self.dir, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", package=self.prefix)
        self.build()
        self.assertEqual(self.good(f"{self.dir}/build/app"), "arena is null\n")
        with open(f"{self.dir}/build/compile_commands.json") as file:
            commands = {os.path.basename(entry["file"]): entry["command"] for entry in json.load(file)}
        self.assertIn("-DLATER", commands["status.c"])

    def test_another_installation(self):
        # The program goes with the package; what the user set stays.
        other = f"{self.dir}/other"
        shutil.copytree(self.prefix, other)
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(x C)\n"
                   f"find_package(aotc REQUIRED)\naotc_add_model(digits MODEL {DIGITS})\n")
        for option, program in ((f"-Daotc_DIR={self.cmake}", f"{self.prefix}/bin/aotc"),
                                (f"-Daotc_DIR={other}/lib/cmake/aotc", f"{other}/bin/aotc"),
                                (f"-DAOTC_EXECUTABLE={AOTC}", AOTC),
                                (f"-Daotc_DIR={self.cmake}", AOTC)):
            self.good(CMAKE, "-S", self.dir, "-B", f"{self.dir}/build", option)
            self.assertRegex(read(f"{self.dir}/build/CMakeCache.txt"), rf"\nAOTC_EXECUTABLE:\w+={program}\n")

    def test_not_found(self):
        for languages, version, message in (("NONE", "", "call find_package(aotc) after project()"),
                                            ("C", "99.1", 'requested version "99.1"')):
            self.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.20)\nproject(x {languages})\n"
                       f"find_package(aotc {version} REQUIRED)\n")
            text = self.bad(*self.configure_command(self.dir, package=self.prefix))
            self.assertIn(message, re.sub(r"\s+", " ", text))
            shutil.rmtree(f"{self.dir}/build")


if __name__ == "__main__":
    run_tests()
