# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The projects of examples/, built and run as their first lines say."""
import json
import re
import shutil

from tools import AARCH64, ARMHF, BOARD, CLANG, SOURCE, Case, need, read, run_tests


class Examples(Case):
    def test_host(self):
        # The labels are in the file; one wrong answer is allowed to the model.
        digits = f"{SOURCE}/examples/digits/digits.txt"
        for compiler in ("gcc", CLANG):
            need(compiler)
            self.configure(f"{SOURCE}/examples/digits_host", compiler=compiler)
            self.build()
            text = self.good(f"{self.dir}/build/digits_demo", digits)
            right, count = map(int, re.search(r"(\d+) of (\d+) right", text).groups())
            self.assertEqual(count, len([l for l in read(digits).splitlines() if re.match(r"\d:", l)]))
            self.assertGreaterEqual(right, count - 1)
            self.assertEqual(self.ctest(), {"digits_test": "Passed", "digits_demo": "Passed"})
            shutil.rmtree(f"{self.dir}/build")

    def test_data(self):
        # What the examples compare with: recorded outputs of TensorFlow Lite Micro.
        with open(f"{SOURCE}/test/e2e/digits_expected.json") as file:
            recorded = json.load(file)
        # White, 16, is 1.0; the scale is 1/255 as float32, the zero point -128.
        pixels = [round(p / 16 / 0.003921568859368563) - 128 for picture in recorded["pictures"] for p in picture]
        answers = [value for row in recorded["int8"] for value in row]
        for name, shape, values in (("pictures", "(24, 8, 8, 1)", pixels), ("answers", "(24, 10)", answers)):
            with open(f"{SOURCE}/examples/digits/{name}_int8.npy", "rb") as file:
                data = file.read()
            self.assertIn(f"'shape': {shape}", data[:-len(values)].decode("latin-1"))
            self.assertEqual(data[-len(values):], bytes(v & 255 for v in values), name)

    def linux_on_arm(self, triple, emulator):
        """Cross-compiled, the example's tests run under QEMU by the toolchain file."""
        need(f"{triple}-gcc", emulator[0])
        self.configure(f"{SOURCE}/examples/digits_host", toolchain=triple)
        self.build()
        self.assertEqual(self.ctest(), {"digits_test": "Passed", "digits_demo": "Passed"})

    def test_aarch64_linux(self):
        self.linux_on_arm("aarch64-linux-gnu", AARCH64)

    def test_armhf_linux(self):
        self.linux_on_arm("arm-linux-gnueabihf", ARMHF)

    def test_two_models(self):
        self.configure(f"{SOURCE}/examples/two_models")
        self.build()
        self.assertEqual(self.good(f"{self.dir}/build/two_models"),
                         "int8 3, int8 3, float 3\n")

    def test_cortex_m(self):
        need("arm-none-eabi-gcc", "qemu-system-arm")
        for abi in ("", "-mfpu=fpv4-sp-d16 -mfloat-abi=hard", "-mfpu=fpv4-sp-d16 -mfloat-abi=softfp",
                    "-mfloat-abi=soft"):
            options = [f"-DAOTC_CORTEX_M_FLAGS=-mcpu=cortex-m4 {abi}"] if abi else []
            self.configure(f"{SOURCE}/examples/digits_cortex_m", *options, toolchain="arm-none-eabi")
            self.build()
            self.assertEqual(self.good(*BOARD, f"{self.dir}/build/digits.elf"), "digit: 3\n")
            self.assertEqual(self.ctest(), {"digits_test": "Passed", "first_inference": "Passed"})
            shutil.rmtree(f"{self.dir}/build")

    def test_shared_arena(self):
        need("arm-none-eabi-gcc", "qemu-system-arm")
        self.configure(f"{SOURCE}/examples/shared_arena", toolchain="arm-none-eabi")
        self.build()
        self.assertEqual(self.good(*BOARD, f"{self.dir}/build/turns.elf"), "quick 3, careful 3\n")
        # All of the program's RAM is the larger model's arena.
        apart = [json.loads(read(f"{self.dir}/build/{m}.aotc/{m}.map.json"))["arena_bytes"]
                 for m in ("digits_int8", "digits_float")]
        sizes = self.good("arm-none-eabi-size", f"{self.dir}/build/turns.elf").splitlines()[1].split()
        self.assertEqual(list(map(int, sizes[1:3])), [0, (max(apart) + 3) // 4 * 4])  # data, bss of whole words

    def test_cpp_wrapper(self):
        self.configure(f"{SOURCE}/examples/cpp_wrapper")
        self.build()
        arena = json.loads(read(f"{self.dir}/build/digits_model.aotc/digits.map.json"))["arena_bytes"]
        # (73 + 128) / 256 by digits_expected.json. The class is its arena, aligned to 16 bytes.
        self.assertEqual(self.good(f"{self.dir}/build/digits"),
                         f"digit 3, probability 0.79, {(arena + 15) // 16 * 16} bytes of RAM\n")

    def test_cpu_dispatch(self):
        self.configure(f"{SOURCE}/examples/cpu_dispatch")
        self.build()
        best = self.good(f"{self.dir}/build/digits")
        levels = [f"x86-64-{level}" for level in ("v2", "v3", "v4", "v4+vnni")]
        here = [level for level in levels if best == f"{level}: digit 3\n"]
        self.assertEqual(len(here), 1, best)
        for level in levels[:levels.index(here[0]) + 1]:
            self.assertEqual(self.good(f"{self.dir}/build/digits", level), f"{level}: digit 3\n")
        self.bad(f"{self.dir}/build/digits", "x86-64-v9")


if __name__ == "__main__":
    run_tests()
