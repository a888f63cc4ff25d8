# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One model several times in a project; the tests and benchmarks of aotc_add_model()."""
import json
import os
import re
import struct

from tools import ANSWERS, BOARD, CTEST, DIGITS, DIGITS_FLOAT, PICTURES, SOURCE, THREE, Case, need, read, run, run_tests


class Variants(Case):
    def test_targets(self):
        self.project(f"""aotc_add_model(kws MODEL {DIGITS} TARGETS cortex-m0 cortex-m33+nofp cortex-a53 x86-64-v2
              HEADER headers MEMORY_MAP maps)
            add_executable(app main.c)
            target_link_libraries(app PRIVATE kws_x86-64-v2)
            file(WRITE ${{CMAKE_BINARY_DIR}}/headers "${{headers}}")
            file(WRITE ${{CMAKE_BINARY_DIR}}/maps "${{maps}}")""",
                     {"main.c": '#include "kws.h"\nKWS_ARENA(arena);\n'
                                "int main(void) { return kws_run(arena, sizeof arena) != AOTC_OK; }"})
        self.configure(self.dir)
        self.build("--target", "kws")  # all bundles, by one name
        machines = {"cortex-m0": "ARM", "cortex-m33+nofp": "ARM", "cortex-a53": "AArch64", "x86-64-v2": "X86-64"}
        headers, maps = (read(f"{self.dir}/build/{name}").split(";") for name in ("headers", "maps"))
        folders = [f"{self.dir}/build/kws_{cpu}.aotc" for cpu in machines]  # in the order given
        self.assertEqual((headers, maps), ([f"{f}/kws.h" for f in folders], [f"{f}/kws.map.json" for f in folders]))
        for (cpu, machine), folder in zip(machines.items(), folders):
            self.assertEqual(json.loads(read(f"{folder}/kws.map.json"))["target"], cpu)
            self.assertIn(f"compiled for {cpu}.", read(f"{folder}/kws.h"))
            self.assertRegex(self.good("llvm-readelf-22", "-h", f"{folder}/kws.o"), rf"Machine: .*{machine}\n")
        self.build()
        self.good(f"{self.dir}/build/app")

    def test_two_cores_in_one_project(self):
        # Flags that differ by executable, as with two cores on a chip: each links the library of its core and compiles the
        # runtime stub for it. With the folder's flags it would be code of an Arm7, which no Cortex-M executes.
        need("arm-none-eabi-gcc", "qemu-system-arm")
        board = f"{SOURCE}/examples/digits_cortex_m"
        self.project(f"""aotc_add_model(digits MODEL {DIGITS} TARGETS cortex-m4 cortex-m7+nofp)
            aotc_add_model(other MODEL {DIGITS_FLOAT} TARGETS cortex-m4 cortex-m7+nofp)
            set(cortex-m4 -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -mthumb)
            set(cortex-m7+nofp -mcpu=cortex-m7 -mfloat-abi=soft -mthumb)
            foreach(core cortex-m4 cortex-m7+nofp)
              add_executable(${{core}}.elf main.c {board}/startup.c)
              target_link_libraries(${{core}}.elf PRIVATE digits_${{core}} other_${{core}})
              target_compile_options(${{core}}.elf PRIVATE ${{${{core}}}})
              target_link_options(${{core}}.elf PRIVATE ${{${{core}}}} -nostartfiles --specs=nosys.specs -T{board}/board.ld)
            endforeach()""",
                     {"main.c": '#define main digits_main\n'
                                f'#include "{board}/main.c"\n'
                                "#undef main\n"
                                '#include "aotc/runtime.h"\n#include "other.h"\n'
                                "int main(void) { semihosting(4, aotc_status_string(other_run(NULL, 0))); return digits_main(); }",
                     })
        self.configure(self.dir, "-DCMAKE_C_FLAGS=-Os", toolchain="arm-none-eabi")
        self.build()
        for core, machine in (("cortex-m4", "mps2-an386"), ("cortex-m7+nofp", "mps2-an500")):
            command = [word.replace("mps2-an386", machine) for word in BOARD]
            self.assertEqual(self.good(*command, f"{self.dir}/build/{core}.elf"), "arena is nulldigit: 3\n")

    def test_options_side_by_side(self):
        main = "#include <stdio.h>\n" + "".join(f"""#include "{name}.h"
            {name.upper()}_ARENA({name}_arena);
            static int {name}(void) {{
              static const unsigned char picture[] = {{ {THREE} }};
              for (int i = 0; i < 64; ++i) {name}_input({name}_arena)[i] = {name}_quantize_input(picture[i] / 16.0f);
              if ({name}_run({name}_arena, sizeof {name}_arena) != AOTC_OK) return -1;
              const int8_t *out = {name}_output({name}_arena);
              int best = 0;
              for (int i = 1; i < 10; ++i) if (out[i] > out[best]) best = i;
              return best; }}
            """ for name in ("tight", "wide")) + """
            int main(void) {
              printf("%d %d %d\\n", tight(), wide(), sizeof tight_arena < sizeof wide_arena); return 0; }"""
        self.project(f"""aotc_add_model(tight MODEL {DIGITS})
            aotc_add_model(wide MODEL {DIGITS} OPTIONS --share=none --keep-tensors)
            add_executable(app main.c)
            target_link_libraries(app PRIVATE tight wide)""", {"main.c": main})
        self.configure(self.dir)
        self.build()
        # Sharing and rewriting lower the peak of this model, and change no answer.
        self.assertEqual(self.good(f"{self.dir}/build/app"), "3 3 1\n")


class Executions(Case):
    def lines(self, *models):
        self.project("enable_testing()\n" + "\n".join(f"aotc_add_model({model})" for model in models))
        self.configure(self.dir)

    def test_verdicts(self):
        with open(ANSWERS, "rb") as file:
            wrong = bytearray(file.read())
        wrong[-1] ^= 1  # the last answer, a step away
        for name in ("wrong.npy", "lost.npy"):
            with open(f"{self.dir}/{name}", "wb") as file:
                file.write(wrong)
        test = f"{DIGITS} TEST {PICTURES} EXPECT"
        self.lines(f"right MODEL {test} {ANSWERS}", f"wrong MODEL {test} wrong.npy",
                   f"lost MODEL {test} lost.npy", f"many MODEL {test} {ANSWERS} TARGETS x86-64-v2 host")
        os.remove(f"{self.dir}/lost.npy")  # when it is there no more
        # No build before: aotc verify compiles.
        self.assertEqual(self.ctest(), {"right_test": "Passed", "wrong_test": "Failed", "lost_test": "Failed",
                                        "many_x86-64-v2_test": "Passed", "many_host_test": "Passed"})
        self.assertIn("1 of 240", run(CTEST, "--test-dir", f"{self.dir}/build", "-V", "-R", "wrong").stdout)

    def test_tolerance(self):
        with open(f"{SOURCE}/test/e2e/digits_expected.json") as file:
            recorded = json.load(file)
        pixels = [p / 16 for picture in recorded["pictures"] for p in picture]
        answers = [value + 0.001 for row in recorded["float"] for value in row]
        for name, values in (("in.bin", pixels), ("out.bin", answers)):
            with open(f"{self.dir}/{name}", "wb") as file:
                file.write(struct.pack(f"<{len(values)}f", *values))
        test = f"MODEL {DIGITS_FLOAT} TEST in.bin EXPECT out.bin"
        self.lines(f"exact {test}", f"near {test} TOLERANCE 0.002")
        self.assertEqual(self.ctest(), {"exact_test": "Failed", "near_test": "Passed"})

    def test_same_options_as_the_bundle(self):
        # `--input` is data to `verify`, a mode to `compile`.
        need("qemu-system-arm")
        self.lines(f"""a MODEL {DIGITS} TEST {PICTURES} EXPECT {ANSWERS} MACHINE nucleo-l4r5zi REGIONS sram=64KiB TARGET cortex-m4
                       OPTIONS --input caller --output=caller --share none""")
        command = re.search(r"Test command: (.*)", self.good(CTEST, "--test-dir", f"{self.dir}/build", "-N", "-V"))[1]
        for word in ('"--target" "cortex-m4"', '"--machine=nucleo-l4r5zi"', '"--region=sram=64KiB"',
                     '"--input-mode" "caller"', '"--output-mode=caller"', '"--share" "none"'):
            self.assertIn(word, command)
        self.build()
        self.assertEqual(self.ctest(), {"a_test": "Passed"})

    def test_skipped(self):
        test = f"MODEL {DIGITS} TEST {PICTURES} EXPECT {ANSWERS}"
        self.lines(f"board {test} TARGET cortex-m4", f"linux {test} TARGET cortex-a53", f"v4 {test} TARGET x86-64-v4")
        path = self.dir + "/empty"  # no emulator
        os.mkdir(path)
        here = "Passed" if "avx512vl" in read("/proc/cpuinfo") else "Skipped"
        self.assertEqual(self.ctest(env={**os.environ, "PATH": path}),
                         {"board_test": "Skipped", "linux_test": "Skipped", "v4_test": here})

    def test_hooks(self):
        # A bundle that tells of its layers, linked with hooks of the program's or, without, of the runtime stub.
        main = """#include "digits.h"
            #include <stdio.h>
            DIGITS_ARENA(arena);
            static int count;
            #ifdef HOOKS
            #include "aotc/hooks.h"
            void aotc_layer_begin(const char *model, int32_t layer) { (void)model; if (layer == 0) count += 100; }
            void aotc_layer_end(const char *model, int32_t layer) { (void)model; (void)layer; ++count; }
            #endif
            int main(void) { int status = digits_run(arena, sizeof arena); printf("%d %d\\n", status, count - DIGITS_LAYER_COUNT); return 0; }"""
        self.project(f"""enable_testing()
            aotc_add_model(digits MODEL {DIGITS} OPTIONS --hooks TEST {PICTURES} EXPECT {ANSWERS})
            add_executable(own main.c)
            target_compile_definitions(own PRIVATE HOOKS)
            add_executable(none main.c)
            target_link_libraries(own PRIVATE digits)
            target_link_libraries(none PRIVATE digits)""", {"main.c": main})
        self.configure(self.dir)
        self.build()
        self.assertEqual(self.good(f"{self.dir}/build/own"), "0 100\n")
        self.assertRegex(self.good(f"{self.dir}/build/none"), r"^0 -\d+\n$")
        self.assertEqual(self.ctest(), {"digits_test": "Passed"})

    def test_bench(self):
        self.lines(f"a MODEL {DIGITS} BENCH TARGET host", f"b MODEL {DIGITS} BENCH TEST {PICTURES} EXPECT {ANSWERS} TARGET cortex-m4")
        self.assertRegex(self.build("--target", "a_bench"), r"\ntime +[\d.]+ (n|u|m)s for one inference\n")
        need("qemu-system-arm")
        text = self.build("--target", "b_bench")
        self.assertRegex(text, r"\ninstructions +\d+ for one inference\n")
        self.assertRegex(text, r"\ninferences +24 ")  # the pictures of TEST
        self.assertRegex(text, r"\n +7 +FULLY_CONNECTED ")  # the layers, by examples/digits/train.py


if __name__ == "__main__":
    run_tests()
