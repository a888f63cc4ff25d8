# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""aotc_add_model() in projects of their own, with real toolchains."""
import json
import os
import re
import shutil
import time

from tools import ANSWERS, AOTC, CLANG, CMAKE, DIGITS, DIGITS_FLOAT, PICTURES, SOURCE, THREE, Case, need, read, run, run_tests

# Classifies the three of examples/digits and prints the answer's number.
MAIN = """#include "digits.h"
#include <stdio.h>
static const unsigned char picture[DIGITS_INPUT_SIZE] = {
""" + THREE + """};
DIGITS_ARENA(arena);
int main(void) {
  for (int i = 0; i < DIGITS_INPUT_SIZE; ++i)
    digits_input(arena)[i] = digits_quantize_input(picture[i] / 16.0f);
  if (digits_run(arena, sizeof arena) != AOTC_OK) return 1;
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_SIZE; ++i)
    if (digits_output(arena)[i] > digits_output(arena)[best]) best = i;
  printf("answer %d\\n", best);
  return 0;
}
"""
TWO_LINES = f"""add_executable(app main.c)
aotc_add_model(digits MODEL {DIGITS})
target_link_libraries(app PRIVATE digits)"""


class Toolchain(Case):
    def chosen(self, *options, **keywords):
        """The aotc target a toolchain's flags choose; the library must build."""
        self.project(f"aotc_add_model(digits MODEL {DIGITS} MEMORY_MAP map)\n"
                     "file(WRITE ${CMAKE_BINARY_DIR}/map.path ${map})")
        self.configure(self.dir, *options, **keywords)
        self.build()
        with open(read(f"{self.dir}/build/map.path")) as file:
            target = json.load(file)["target"]
        shutil.rmtree(f"{self.dir}/build")
        return target

    def test_cortex_m(self):
        need("arm-none-eabi-gcc")
        for flags, target in (
                ("-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", "cortex-m4"),
                ("-mcpu=cortex-m4 -mfloat-abi=soft -mfloat-abi=hard", "cortex-m4"),  # the last counts
                ("-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=softfp", "cortex-m4+softfp"),
                ("-mcpu=cortex-m4 -mfloat-abi=soft", "cortex-m4+nofp"),
                ("-mcpu=cortex-m4", "cortex-m4+nofp"),  # GCC's default ABI is soft
                ("-mcpu=cortex-m4+nofp", "cortex-m4+nofp"),
                ("-mcpu=cortex-m0plus", "cortex-m0plus"),  # no FPU: no other name
                ("-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard", "cortex-m7"),
                ("-mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard", "cortex-m7+nofp.dp"),
                ("-mcpu=cortex-m7+nofp.dp -mfloat-abi=hard", "cortex-m7+nofp.dp"),
                ("-mcpu=cortex-m7+nofp.dp -mfloat-abi=softfp", "cortex-m7+softfp"),
                ("-mcpu=cortex-m33 -mfloat-abi=hard", "cortex-m33"),
                ("-mcpu=cortex-m33+nodsp", "cortex-m33+nodsp+nofp"),
                ("-mcpu=cortex-m55+nomve.fp -mfloat-abi=hard", "cortex-m55+nomve"),
                ("-mcpu=cortex-m55+nomve+nofp", "cortex-m55+nofp")):
            self.assertEqual(self.chosen(f"-DAOTC_CORTEX_M_FLAGS={flags}", toolchain="arm-none-eabi"),
                             target, flags)

    def test_options_of_the_folder(self):
        need("arm-none-eabi-gcc")
        for options in ("-mcpu=cortex-m7 -mfloat-abi=hard", '"SHELL:-mcpu=cortex-m7 -mfloat-abi=hard"',
                        '"$<$<COMPILE_LANGUAGE:C,CXX>:-mthumb;-mcpu=cortex-m7;-mfloat-abi=hard>" -mthumb'):
            self.project(f"add_compile_options({options})\naotc_add_model(digits MODEL {DIGITS} MEMORY_MAP map)\n"
                         'file(WRITE ${CMAKE_BINARY_DIR}/map.path ${map})')
            self.configure(self.dir, "-DAOTC_CORTEX_M_FLAGS=-mthumb", toolchain="arm-none-eabi")
            self.build()
            self.assertEqual(json.loads(read(read(f"{self.dir}/build/map.path")))["target"], "cortex-m7", options)
            shutil.rmtree(f"{self.dir}/build")

    def check(self, flags_and_targets, **keywords):
        for flags, target in flags_and_targets:
            self.assertEqual(self.chosen(f"-DCMAKE_C_FLAGS={flags}", **keywords), target, flags)

    def test_x86(self):
        self.check((("", "x86-64-v2"), ("-march=x86-64-v3", "x86-64-v3"), ("-march=native", "host"), ("-mavx2", "x86-64-v2"),
                    ("-march=haswell", "x86-64-v3"), ("-march=skylake-avx512", "x86-64-v4"), ("-march=icelake-server", "x86-64-v4+vnni"), ("-march=x86-64-v4 -mno-avx512vl", "x86-64-v3")))
        self.check((("-march=znver4", "x86-64-v4+vnni"),), compiler=CLANG)

    def test_aarch64(self):
        need("aarch64-linux-gnu-gcc")
        self.check((("", "cortex-a53"), ("-mcpu=cortex-a76", "cortex-a76"), ("-mcpu=cortex-a72+crc", "cortex-a72"),
                    ("-mcpu=neoverse-n1", "cortex-a53")), toolchain="aarch64-linux-gnu")

    def test_armv7a(self):
        need("arm-linux-gnueabihf-gcc")
        self.check((("-mcpu=cortex-a7", "cortex-a7"), ("-mcpu=cortex-a15 -mfloat-abi=hard", "cortex-a15")),
                   toolchain="arm-linux-gnueabihf")

    def test_target_argument_wins(self):
        self.project(f"aotc_add_model(digits MODEL {DIGITS} TARGET x86-64-v4 HEADER header)\n"
                     "file(WRITE ${CMAKE_BINARY_DIR}/header.path ${header})")
        self.configure(self.dir)
        self.build()
        self.assertIn("compiled for x86-64-v4", read(read(f"{self.dir}/build/header.path")))


class Rebuild(Case):
    def test_model_changes(self):
        model = f"{self.dir}/digits.tflite"
        shutil.copy(DIGITS, model)
        self.project(TWO_LINES.replace(DIGITS, "digits.tflite"), {"main.c": MAIN})
        self.configure(self.dir)
        self.build()
        self.assertIn("no work to do", self.build())
        os.utime(model)
        touched = self.build()
        self.assertIn("aotc: digits for x86-64-v2", touched)
        self.assertIn("no work to do", self.build())

        # Another model of the same interface must reach the program: it says so
        # by its hash, since the answers are meant to be equal.
        symbol = re.search(r"digits_abi\d+_\w+", read(f"{self.dir}/build/digits.aotc/digits.h"))[0]
        with open(model, "ab") as file:
            file.write(b"\0" * 16)  # behind the flatbuffer: a file of other bytes
        self.assertIn("Linking C executable app", self.build())
        self.assertNotEqual(symbol, re.search(r"digits_abi\d+_\w+", read(f"{self.dir}/build/digits.aotc/digits.h"))[0])
        names = self.good("nm", f"{self.dir}/build/app")
        self.assertNotIn(symbol, names)
        self.assertEqual(self.good(f"{self.dir}/build/app"), "answer 3\n")

    def test_model_of_the_build(self):
        shutil.copy(DIGITS, f"{self.dir}/trained.tflite")
        self.project("""add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/digits.tflite DEPENDS trained.tflite
              COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/trained.tflite digits.tflite)
            """ + TWO_LINES.replace(DIGITS, "${CMAKE_CURRENT_BINARY_DIR}/digits.tflite"), {"main.c": MAIN})
        self.configure(self.dir)
        self.build()
        self.assertEqual(self.good(f"{self.dir}/build/app"), "answer 3\n")
        os.utime(f"{self.dir}/trained.tflite")
        self.assertIn("aotc: digits for x86-64-v2", self.build())
        self.assertIn("no work to do", self.build())

    def test_broken_model_stops_the_build(self):
        model = f"{self.dir}/digits.tflite"
        shutil.copy(DIGITS, model)
        self.project(TWO_LINES.replace(DIGITS, "digits.tflite"), {"main.c": MAIN})
        self.configure(self.dir)
        self.build()
        with open(model, "wb") as file:
            file.write(b"not a model")
        self.assertIn("error: ", self.bad("ninja", "-C", f"{self.dir}/build"))
        shutil.copy(DIGITS, model)
        self.build()

    def test_files_of_options(self):
        # A machine and a plan, named by MACHINE or only by OPTIONS, by either generator.
        machine = f"{self.dir}/board.yaml"
        shutil.copy(f"{SOURCE}/targets/machines/nucleo-h743zi.yaml", machine)
        plan = f"{self.dir}/plan.csv"
        self.good(AOTC, "compile", DIGITS, "--machine", machine, "--save-plan", plan, "-o", f"{self.dir}/first")
        # A project of old policies; a folder of its own, whose paths are not the top's.
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(downstream C)\n"
                   f"include({SOURCE}/cmake/AotcModel.cmake)\nadd_subdirectory(sub)\n")
        for arguments in ("MACHINE ../board.yaml OPTIONS --plan",
                          f"OPTIONS --machine {machine} --plan"):
            self.write("sub/CMakeLists.txt", f"aotc_add_model(digits MODEL {DIGITS} TARGET cortex-m7 {arguments} {plan})\n")
            for generator in ("Ninja", "Unix Makefiles"):
                need("ninja" if generator == "Ninja" else "make")
                self.good(*self.configure_command(self.dir, generator=generator))
                build = (CMAKE, "--build", f"{self.dir}/build")
                made = "aotc: digits for cortex-m7"
                self.assertIn(made, self.good(*build))
                self.assertNotIn(made, self.good(*build))
                for file in (machine, plan):
                    later = os.stat(f"{self.dir}/build/sub/digits.aotc/digits.o").st_mtime + 1
                    while time.time() < later:  # make compares whole steps of the clock
                        time.sleep(0.1)
                    os.utime(file)
                    self.assertIn(made, self.good(*build), (generator, file))
                    self.assertNotIn(made, self.good(*build), (generator, file))
                shutil.rmtree(f"{self.dir}/build")

    def test_options_change(self):
        lines = f"aotc_add_model(digits MODEL {DIGITS} OPTIONS $OPTIONS)"
        self.project(lines.replace("$OPTIONS", ""))
        self.configure(self.dir)
        self.build()
        self.project(lines.replace("$OPTIONS", "--keep-tensors"))
        self.assertIn("aotc: digits for", self.build())


class SharedArena(Case):
    """Models of two folders that take turns; the first is asked before and after the second."""
    LINES = """add_subdirectory(a)
        add_subdirectory(b)
        aotc_share_arena(pool MODELS a b HEADER header MEMORY_MAP map)
        file(WRITE ${CMAKE_BINARY_DIR}/paths "${header} ${map}")
        add_executable(app main.c)
        target_compile_options(app PRIVATE -Wall -Wextra -Werror)
        target_link_libraries(app PRIVATE pool)"""
    MAIN = """#include "pool.h"
        #include <stdio.h>
        #include <string.h>
        POOL_ARENA(arena);
        static const unsigned char picture[A_INPUT_SIZE] = {""" + THREE + """};
        static void turn_a(int8_t *out) {
          for (int i = 0; i < A_INPUT_SIZE; ++i) a_input(arena)[i] = a_quantize_input(picture[i] / 16.0f);
          if (a_run(arena, sizeof arena) != AOTC_OK) return;
          memcpy(out, a_output(arena), A_OUTPUT_BYTES);
        }
        int main(void) {
          int8_t first[A_OUTPUT_SIZE] = {0}, again[A_OUTPUT_SIZE] = {1};
          turn_a(first);
          for (int i = 0; i < B_INPUT_SIZE; ++i) b_input(arena)[i] = picture[i] / 16.0f;
          if (b_run(arena, sizeof arena) != AOTC_OK) return 1;
          int best = 0;
          for (int i = 1; i < B_OUTPUT_SIZE; ++i) if (b_output(arena)[i] > b_output(arena)[best]) best = i;
          turn_a(again);
          printf("%d %d %d\\n", best, memcmp(first, again, sizeof first), (int)sizeof arena == POOL_ARENA_SIZE);
          return 0;
        }"""

    def files(self, more=""):
        return {"a/CMakeLists.txt": f"aotc_add_model(a MODEL {self.dir}/a.tflite {more})",
                "b/CMakeLists.txt": f"aotc_add_model(b MODEL {DIGITS_FLOAT})", "main.c": self.MAIN}

    def test_turns_and_rebuild(self):
        for generator in ("Ninja", "Unix Makefiles"):
            shutil.copy(DIGITS, f"{self.dir}/a.tflite")
            self.project(self.LINES, self.files())
            self.configure(self.dir, generator=generator)
            self.build()
            header, map_ = read(f"{self.dir}/build/paths").split()
            self.assertEqual(self.good(f"{self.dir}/build/app"), "3 0 1\n")
            with open(map_) as file:
                shared = json.load(file)
            heights = {m["name"]: m["arena_bytes"] for m in shared["models"]}
            for name, height in heights.items():
                with open(f"{self.dir}/build/{name}/{name}.aotc/{name}.map.json") as file:
                    self.assertEqual(json.load(file)["arena_bytes"], height)
            self.assertEqual((shared["arena_bytes"], shared["apart_bytes"], shared["regions"][0]["set_by"]),
                             (heights["b"], heights["a"] + heights["b"], "b"))
            self.assertIn(f"#define POOL_ARENA_SIZE {heights['b']}\n", read(header))

            # A model that needs more reaches header and program.
            for name, text in self.files("OPTIONS --keep-tensors --share=none").items():
                self.write(name, text)
            self.assertRegex(self.build(), "aotc: a for (.|\n)*aotc: pool, one arena for a, b(.|\n)*[Ll]inking C executable app")
            self.assertNotIn("aotc: ", self.build())
            with open(map_) as file:
                self.assertGreater(json.load(file)["models"][0]["arena_bytes"], heights["a"])
            self.assertEqual(self.good(f"{self.dir}/build/app"), "3 0 1\n")
            shutil.rmtree(f"{self.dir}/build")

    def test_stale_header(self):
        # By hand: a model compiled again, the shared header not made again.
        pool = [AOTC, "compile", DIGITS, DIGITS_FLOAT, "--name", "a", "--name", "b", "--target", "x86-64-v2", "-o", self.dir]
        self.good(*pool, "--share-arena", "pool")
        self.write("main.c", self.MAIN)
        self.write("main.cpp", self.CPP)
        objects = [f"{self.dir}/a.o", f"{self.dir}/b.o", "-o", f"{self.dir}/app"]
        for compiler in (["gcc", "-std=c99"], ["gcc", "-std=c11"], [CLANG, "-std=c99"], [CLANG, "-std=c2x"]):
            self.good(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"{self.dir}/main.c", *objects)
            self.assertEqual(self.good(f"{self.dir}/app"), "3 0 1\n")
        for standard in ("c++11", "c++17", "c++20"):
            self.good("g++", f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"{self.dir}/main.cpp", *objects)
            self.assertEqual(run(f"{self.dir}/app").returncode, 0)
        self.good(*pool, "--share=none")
        self.assertIn("a was compiled again: make pool.h again too", self.bad("gcc", f"{self.dir}/main.c", *objects))

    CPP = """#include "pool.h"
        #if __cplusplus >= 201703L
        static pool::Arena arena;
        int main() {
          for (int i = 0; i < A_INPUT_SIZE; ++i) a_input(arena.data())[i] = a_quantize_input(0.5f);
          if (a_run(arena.data(), arena.size()) != AOTC_OK) return 1;
          const int8_t before = *a_output(arena.data());
          *b_input(arena.data()) = 1;
          if (b_run(arena.data(), arena.size()) != AOTC_OK) return 2;
          for (int i = 0; i < A_INPUT_SIZE; ++i) a_input(arena.data())[i] = a_quantize_input(0.5f);
          static_assert(sizeof arena >= POOL_ARENA_SIZE && alignof(pool::Arena) == POOL_ARENA_ALIGN, "");
          return a_run(arena.data(), arena.size()) != AOTC_OK || before != *a_output(arena.data());
        }
        #else
        POOL_ARENA(arena);
        int main() { return a_run(arena, sizeof arena) + b_run(arena, sizeof arena); }
        #endif
        """


class Errors(Case):
    def error(self, lines, *options, **keywords):
        self.project(lines)
        text = self.bad(*self.configure_command(self.dir, *options, **keywords))
        shutil.rmtree(f"{self.dir}/build")
        return re.sub(r"\s+", " ", text)  # CMake breaks lines

    def test_arguments(self):
        for arguments, message in (
                ("", "aotc_add_model(net): MODEL is missing"),
                ("MODEL", "aotc_add_model(net): no value after 'MODEL'"),
                (f"MODEL {DIGITS} TARGET host TARGETS host", "TARGET or TARGETS, not both"),
                (f"MODEL {DIGITS} TARGETS host z80", "aotc has no target 'z80'"),
                (f"MODEL {DIGITS} TEST in.npy", "TEST needs EXPECT, the outputs to compare with"),
                (f"MODEL {DIGITS} EXPECT out.npy", "EXPECT needs TEST, the inputs that give these outputs"),
                (f"MODEL {DIGITS} TOLERANCE 1", "TOLERANCE needs TEST and EXPECT"),
                ("MODEL none.tflite", f"aotc_add_model(net): MODEL '{self.dir}/none.tflite' does not exist"),
                (f"MODEL {SOURCE}", f"aotc_add_model(net): MODEL '{SOURCE}' is a folder, not a file"),
                (f"MODEL {DIGITS} TARGETS host cortex-m4 host", "TARGETS names a CPU twice: host;cortex-m4;host"),
                (f"MODEL {DIGITS} TEST in.npy EXPECT {DIGITS}", f"TEST '{self.dir}/in.npy' does not exist"),
                (f"MODEL {DIGITS} TEST {DIGITS} EXPECT out.npy", f"EXPECT '{self.dir}/out.npy' does not exist"),
                (f"MODEL {DIGITS} TEST {DIGITS} EXPECT {DIGITS} TOLERANCE 1e", "TOLERANCE is '1e', not a number"),
                (f"MODEL {DIGITS} MACHINE board.yaml", f"MACHINE '{self.dir}/board.yaml' does not exist"),
                (f"MODEL {DIGITS} MACHINE nucleo", "(net): MACHINE: unknown machine 'nucleo'; did you mean nucleo-"),
                (f"MODEL {DIGITS} TARGET cortex-m7 MACHINE nucleo-l4r5zi", "(net): MACHINE: --target cortex-m7 does not suit"),
                (f"MODEL {DIGITS} TARGET cortex-m4 MACHINE nucleo-l4r5zi REGIONS ram=none",
                 "(net): REGIONS: there is no memory region 'ram' to take away; there are flash, sram"),
                (f"MODEL {DIGITS} REGIONS a=1KiB b=1kB", "(net): REGIONS: "),
                (f"MODEL {DIGITS} OPTIONS --hooks --optimise=size", "(net): OPTIONS: unknown option '--optimise'; did you mean '--optimize'?"),
                (f"MODEL {DIGITS} OPTIONS --optimize=fast", "(net): OPTIONS: --optimize: fast not in {balanced,speed,size}"),
                (f"MODEL {DIGITS} OPTIONS --name other", "(net): OPTIONS: '--name' is this function's to give; use FUNCTION_PREFIX"),
                (f"MODEL {DIGITS} OPTIONS --target=cortex-m0", "(net): OPTIONS: '--target=cortex-m0' is this function's to give; use TARGET"),
                (f"MODEL {DIGITS} OPTIONS -o out", "(net): OPTIONS: '-o' is this function's to give; HEADER and MEMORY_MAP"),
                (f"MODEL {DIGITS} OPTIONS --stop-after=import", "(net): OPTIONS: with '--stop-after=import' aotc makes no library"),
                (f"MODEL {DIGITS} TARGETS cortex-m4 x86-64-v2 OPTIONS --kernels=dsp",
                 "target 'x86-64-v2' has no kernels of level 'dsp'; its levels are ref"),
                (f"MODEL {DIGITS} CPU cortex-m4", "aotc_add_model(net): unknown arguments 'CPU;cortex-m4'; known: MODEL,"),
                (f"MODEL {DIGITS} TARGET z80", "aotc has no target 'z80'; give TARGET, one of cortex-m0, cortex-m0plus,"),
                (f"MODEL {DIGITS} FUNCTION_PREFIX my-net", "FUNCTION_PREFIX 'my-net'"),
                (f"MODEL {DIGITS} FUNCTION_PREFIX time", "'m_time' is one")):
            self.assertIn(message, self.error(f"aotc_add_model(net {arguments})"))
        for name in ('""', '"my net"', '"a;b"'):
            self.assertIn("cannot be a target's name", self.error(f"aotc_add_model({name} MODEL {DIGITS})"))
        self.assertIn("there is a target of this name already",
                      self.error(f"add_library(net INTERFACE)\naotc_add_model(net MODEL {DIGITS})"))
        for arguments, message in (
                ("", "aotc_share_arena(pool): MODELS is missing"),
                ("MODELS", "aotc_share_arena(pool): no value after 'MODELS'"),
                ("MODELS net other", "aotc_share_arena(pool): 'other' is no library of aotc_add_model(), which makes <name>, with TARGETS <name>_<cpu>; add the models first"),
                ("MODELS app", "'app' is no library of aotc_add_model()"),
                ("MODELS net HEIGHT 3", "'HEIGHT' is no library of aotc_add_model()"),
                ("FUNCTION_PREFIX my-pool MODELS net", "FUNCTION_PREFIX 'my-pool'")):
            self.assertIn(message, self.error(f"add_library(app INTERFACE)\naotc_add_model(net MODEL {DIGITS})\n"
                                              f"aotc_share_arena(pool {arguments})"))

    def test_arguments_are_judged_together(self):
        # Regions of a machine that OPTIONS name.
        self.project(f"aotc_add_model(net MODEL {DIGITS} TARGET cortex-m7 REGIONS dtcm=none OPTIONS --machine=nucleo-h743zi)")
        self.configure(self.dir)

    def test_what_the_build_makes(self):
        # Neither file is there, nor can a generator expression be judged: no errors of configure.
        self.project(f"""add_custom_command(OUTPUT ${{CMAKE_CURRENT_BINARY_DIR}}/board.yaml COMMAND made_of_xml)
            aotc_add_model(one MODEL {DIGITS} TARGET cortex-m4 MACHINE ${{CMAKE_CURRENT_BINARY_DIR}}/board.yaml REGIONS tcm=none)
            aotc_add_model(two MODEL {DIGITS} OPTIONS --plan plan.csv)
            aotc_add_model(three MODEL {DIGITS} OPTIONS --optimize=$<IF:$<CONFIG:Debug>,size,speed>)
            aotc_add_model(four MODEL {DIGITS} TARGET cortex-m7 MACHINE $<1:nucleo-h743zi> REGIONS dtcm=none)""")
        self.configure(self.dir)

    def test_one_prefix_twice(self):
        # Programs of a project may each have their own model of one name, but none can have both.
        models = f"""aotc_add_model(a MODEL {DIGITS} FUNCTION_PREFIX kws)
            aotc_add_model(b MODEL {DIGITS_FLOAT} FUNCTION_PREFIX kws)
            aotc_share_arena(pool MODELS a)
            file(WRITE main.c "int main(void) {{ return 0; }}")
            foreach(name one two both)
              add_executable(${{name}} main.c)
            endforeach()
            target_link_libraries(one PRIVATE a pool)
            target_link_libraries(two PRIVATE b)
            """
        self.project(models)
        self.configure(self.dir)
        for libraries in ("a b", "pool b"):
            self.assertIn('The INTERFACE_AOTC_ONE_MODEL_OF_FUNCTION_PREFIX_kws property of "b" does not agree with the value of '
                          'AOTC_ONE_MODEL_OF_FUNCTION_PREFIX_kws already determined for "both"',
                          self.error(f"{models}target_link_libraries(both PRIVATE {libraries})"))

    def test_no_aotc(self):
        if shutil.which("aotc"):
            self.skipTest("an aotc is on the PATH")
        shutil.copytree(f"{SOURCE}/cmake", f"{self.dir}/elsewhere/cmake")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(downstream C)\n"
                   f"include(elsewhere/cmake/AotcModel.cmake)\naotc_add_model(net MODEL {DIGITS})")
        text = self.bad(*self.configure_command(self.dir, "-UAOTC_EXECUTABLE"))
        self.assertIn(f"aotc_add_model: cannot find aotc, neither in {self.dir}/elsewhere/build/bin nor on the PATH. Build it", re.sub(r"\s+", " ", text))

    def test_toolchain(self):
        need("arm-none-eabi-gcc")
        for flags, message in (
                ("-mcpu=cortex-m33+nodsp -mfloat-abi=hard", "aotc has no target 'cortex-m33+nodsp'; give TARGET,"),
                ("-mcpu=cortex-m99", "aotc has no target 'cortex-m99+nofp'; give TARGET, one of cortex-m0,"),
                ("-mthumb", "cannot tell the CPU from the toolchain (processor 'arm', -mcpu=''). "
                            "Set -mcpu in CMAKE_C_FLAGS or give TARGET, one of: cortex-m0,")):
            self.assertIn(message, self.error(f'set(CMAKE_C_FLAGS "{flags}")\naotc_add_model(net MODEL {DIGITS})',
                                              toolchain="arm-none-eabi"))


class Programs(Case):
    def test_cpp_class(self):
        # A project without C: model and runtime stub must do without it too.
        self.project(f"""set(CMAKE_CXX_STANDARD 17)
            add_executable(app main.cpp)
            aotc_add_model(digits MODEL {DIGITS})
            target_link_libraries(app PRIVATE digits)""",
                     {"main.cpp": """#include "aotc/runtime.h"
            #include "digits.h"
            #include <algorithm>
            #include <cstdio>
            static const unsigned char picture[] = {""" + THREE + """};
            static digits::Model first, second;
            int main() {
              std::transform(picture, picture + 64, first.input(),
                             [](unsigned char x) { return digits::Model::quantize_input(float(x) / 16); });
              std::fill_n(second.input(), DIGITS_INPUT_SIZE, digits::Model::quantize_input(0));
              aotc_status status = first.run();
              if (status == AOTC_OK) status = second.run();
              const int8_t *best = std::max_element(first.output(), first.output() + DIGITS_OUTPUT_SIZE);
              // Softmax: probabilities; the largest of ten that add up to 1.
              std::printf("%s: answer %d %d\\n", aotc_status_string(status), int(best - first.output()),
                          digits::Model::dequantize_output(*best) > 0.5f);
              return !std::equal(first.output(), first.output() + DIGITS_OUTPUT_SIZE, second.output());
            }"""}, languages="CXX")
        self.configure(self.dir)
        self.build()
        result = run(f"{self.dir}/build/app")
        self.assertEqual((result.stdout, result.returncode), ("ok: answer 3 1\n", 1))

    def test_names(self):
        # A function of C's library, and what is no identifier: the compiler renames both.
        self.project(f"""add_executable(app main.c)
            aotc_add_model(time MODEL {DIGITS})
            aotc_add_model(2-nets MODEL {DIGITS})
            target_link_libraries(app PRIVATE time 2-nets)""", {
                "main.c": """#include "m_time.h"
            #include "t2_nets.h"
            #include <time.h>
            M_TIME_ARENA(arena);
            int main(void) { return m_time_run(arena, sizeof arena) || T2_NETS_INPUT_SIZE != 64; }"""})
        self.configure(self.dir)
        self.build()
        self.good(f"{self.dir}/build/app")

    def test_one_stub_per_image(self):
        # Two models from two folders of a project, one copy of the runtime stub.
        self.project("""add_subdirectory(a)
            add_subdirectory(b)
            add_executable(app main.c)
            target_link_libraries(app PRIVATE a b)""", {
                "a/CMakeLists.txt": f"aotc_add_model(a MODEL {DIGITS})",
                "b/CMakeLists.txt": f"aotc_add_model(b MODEL {DIGITS_FLOAT} FUNCTION_PREFIX net_b)",
                "main.c": """#include "a.h"
            #include "net_b.h"
            #include "aotc/runtime.h"
            #include <stdio.h>
            A_ARENA(arena_a);
            NET_B_ARENA(arena_b);
            int main(void) {
              puts(aotc_status_string(a_run(arena_a, A_ARENA_SIZE)));
              puts(aotc_status_string(net_b_run(arena_b, NET_B_ARENA_SIZE - 1)));
              return 0; }"""})
        self.configure(self.dir)
        self.build()
        self.assertEqual(self.good(f"{self.dir}/build/app"), "ok\narena is too small\n")
        symbols = self.good("nm", f"{self.dir}/build/app").split()
        self.assertEqual(symbols.count("aotc_status_string"), 1)
        archives = [f for _, _, files in os.walk(f"{self.dir}/build") for f in files if "runtime_stub" in f and f.endswith(".a")]
        self.assertEqual(len(archives), 1)


class Readme(Case):
    def block(self, file, language, number=0):
        return re.findall(rf"^```{language}\n(.*?)^```", read(f"{SOURCE}/{file}"), re.M | re.S)[number]

    def test_example(self):
        # README's two code blocks are a project as they stand, but for the path; found either way.
        lines = self.block("README.md", "cmake")
        include, package = re.search(r"(include\(path/to/aotc/cmake/AotcModel.cmake\)) # .*(find_package\(aotc REQUIRED\))",
                                     lines).groups()
        code = self.block("README.md", "c")
        self.assertLessEqual(len(code.splitlines()), 25)
        shutil.copy(DIGITS, f"{self.dir}/digits.tflite")
        image = [int(x) for x in re.findall(r"\d+", THREE.split("*/")[1])]
        for way in (lines, lines.replace(include, package)):
            self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(firmware C)\n"
                       "add_compile_options(-Wall -Wextra -Werror)\nadd_executable(firmware main.c)\n"
                       + way.replace("path/to/aotc", SOURCE))
            self.write("main.c", code)
            self.configure(self.dir, f"-Daotc_DIR={SOURCE}/cmake")
            self.build()
            result = run(f"{self.dir}/build/firmware", input=" ".join(map(str, image)))
            self.assertEqual((result.stdout, result.returncode), ("digit 3\n", 0))
            shutil.rmtree(f"{self.dir}/build")

    def test_reference(self):
        # Every example of cmake/README.md configures and builds.
        for name, file in (("digits.tflite", DIGITS), ("pictures.npy", PICTURES), ("answers.npy", ANSWERS)):
            shutil.copy(file, f"{self.dir}/{name}")
        blocks = re.findall(r"^```cmake\n(.*?)^```", read(f"{SOURCE}/cmake/README.md"), re.M | re.S)
        self.assertGreaterEqual(len(blocks), 7)
        for block in blocks:
            self.project("add_executable(firmware main.c)\n" + block.replace("path/to/aotc", SOURCE).replace("aotc 0.1 ", "aotc "),
                         {"main.c": "int main(void) { return 0; }"})
            # The checkout's configuration, but for the version file, is the installed one.
            self.configure(self.dir, f"-Daotc_DIR={SOURCE}/cmake")
            self.build()
            self.assertEqual(self.ctest(), {"digits_test": "Passed"} if "TEST" in block else {})
            shutil.rmtree(f"{self.dir}/build")

    def test_arguments_are_documented(self):
        text = read(f"{SOURCE}/cmake/AotcModel.cmake")
        functions = re.findall(r'cmake_parse_arguments\(PARSE_ARGV 1 ARG "([A-Z_;]*)"\s+"([A-Z_;]+)"\s+"([A-Z_;]+)"', text)
        self.assertEqual(len(functions), 2)
        for argument in ";".join(functions[0]).split(";"):
            self.assertRegex(read(f"{SOURCE}/cmake/README.md"), rf"\n\| `{argument}\W")
        for argument in ";".join(filter(None, functions[1])).split(";"):
            self.assertIn(f"{argument} <", read(f"{SOURCE}/cmake/README.md"))


if __name__ == "__main__":
    run_tests()
