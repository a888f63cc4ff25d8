# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of real models: what they ask of the linker, and what they promise."""
import concurrent.futures
import ctypes
import os
import re

from tools import (AARCH64, BOARD, DIGITS, DIGITS_FLOAT, FLOAT_ABI, M4, SOURCE, TARGETS, THREE, Case, need, read,
                   run, run_tests, shared)

FIFTEEN = """mlperf_ad01_int8 mlperf_kws_dscnn_int8 mlperf_vww96_int8 mlperf_resnet8_int8 mlperf_resnet8_float
tflm_person_detect_int8 tflm_hello_world_int8 tflm_hello_world_float tflm_micro_speech_int8 magic_wand_float
cifar10_float tinymaix_mnist_int8 kws_aww_int8 kws_arm_cnn_s_int8 tflm_simple_add_int8""".split()


def documented():
    """compiler/emit/README.md's lists: symbols of all targets, of Cortex-M, of
    Cortex-M cores without FPU, and of bundles with hooks (none here)."""
    text = read(f"{SOURCE}/compiler/emit/README.md").split("### Undefined symbols")[1].split("\n## ")[0]
    return [set(block.split()) for block in re.findall(r"```text\n(.*?)```", text, re.S)]


class Symbols(Case):
    def check(self, model, target):
        """One object against the documented lists; returns complaints."""
        name = os.path.basename(model).split(".")[0]
        stem = self.compile(model, target, name)
        everywhere, arm, arm_float, _ = documented()
        allowed = everywhere | (arm if target.startswith("cortex-m") or target == "cortex-a9" else set())
        if target.endswith("+nofp") or target == "cortex-m0":
            allowed |= arm_float
        elif target.startswith("cortex-m"):
            # A single-precision FPU.
            allowed |= {s for s in arm_float if re.fullmatch("__aeabi_(d.*|f2d|f2u?lz|u?[il]2d|u?l2f)", s)}
        wrong = []
        for line in self.good("llvm-nm-22", "--format=posix", stem + ".o").splitlines():
            symbol, kind = line.split()[:2]
            if kind == "U" and symbol not in allowed:
                wrong.append(f"{name} for {target}: needs {symbol}")
            if kind in "DdBbCVvWw":
                wrong.append(f"{name} for {target}: {symbol} of kind {kind}")
        sections = self.good("llvm-readelf-22", "-SW", stem + ".o").split("Key to Flags")[0]
        found = re.findall(r"\] (\S+)\s+\S+\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) \d+\s+([A-Zopl]*)\s+\d+\s+\d+\s+\d+", sections)
        if not any(section == f".text.{name}_run" and flags == "AX" for section, _, flags in found):
            wrong.append(f"{name} for {target}: cannot read the sections")
        for section, size, flags in found:
            if "W" in flags and int(size, 16):
                wrong.append(f"{name} for {target}: {section} is writable")
            if section == f".rodata.{name}.weights" and flags != "A":
                wrong.append(f"{name} for {target}: {section} has flags {flags}")
        if f".rodata.{name}.weights" not in sections and "add" not in name:
            wrong.append(f"{name} for {target}: no section of weights")
        return wrong

    def check_all(self, models):
        need("llvm-nm-22", "llvm-readelf-22")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda pair: self.check(*pair), [(m, t) for m in models for t in TARGETS]))
        self.assertEqual(sum(found, []), [])

    def test_digits(self):
        self.check_all([DIGITS, DIGITS_FLOAT])

    def test_fifteen(self):
        self.check_all([f"{shared('models')}/{name}.tflite" for name in FIFTEEN])


# Bare metal without any library: what the object may ask for, and no more.
FIRMWARE = """#include "net.h"
#define WRAP(name, arguments, call) void name arguments; void name arguments { call; }
void *memmove(void *to, const void *from, size_t n) {
  unsigned char *t = to; const unsigned char *f = from;
  if (t <= f) while (n--) *t++ = *f++; else while (n--) t[n] = f[n];
  return to; }
void *memcpy(void *to, const void *from, size_t n) { return memmove(to, from, n); }
void *memset(void *to, int value, size_t n) {
  unsigned char *t = to; while (n--) *t++ = (unsigned char)value; return to; }
#define COPIES(suffix) \\
  WRAP(__aeabi_memcpy##suffix, (void *t, const void *f, size_t n), memmove(t, f, n)) \\
  WRAP(__aeabi_memmove##suffix, (void *t, const void *f, size_t n), memmove(t, f, n)) \\
  WRAP(__aeabi_memset##suffix, (void *t, size_t n, int v), memset(t, v, n)) \\
  WRAP(__aeabi_memclr##suffix, (void *t, size_t n), memset(t, 0, n))
COPIES() COPIES(4) COPIES(8)
NET_ARENA(arena);
extern unsigned char stack_top;
static int semihosting(int operation, const void *argument) {
  register int r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
static void start(void) {
  *(volatile unsigned *)0xE000ED88u |= 0xFu << 20; /* CPACR: FPU on */
  __asm volatile("dsb\\n isb");
  INPUT
  char text[] = "status ?, answer ?\\n";
  text[7] = (char)('0' + net_run(arena, sizeof arena));
  int best = 0;
  for (int i = 1; i < NET_OUTPUT_SIZE; ++i)
    if (net_output(arena)[i] > net_output(arena)[best]) best = i;
  text[17] = (char)('0' + best);
  semihosting(4 /* SYS_WRITE0 */, text);
  const unsigned reason[2] = {0x20026 /* application exit */, 0};
  semihosting(0x20 /* SYS_EXIT_EXTENDED */, reason);
}
__attribute__((section(".vectors"), used)) static void *const vectors[2] = {&stack_top, (void *)start};
"""


class Firmware(Case):
    def link(self, model, target, code, *libraries):
        """A firmware without start files and libraries; returns its path."""
        stem = self.compile(model, target, "net")
        main = self.write("main.c", FIRMWARE.replace("INPUT", code))
        elf = stem + ".elf"
        self.good("arm-none-eabi-gcc", *M4, *FLOAT_ABI[target], "-std=gnu11", "-Os", "-Wall", "-Wextra", "-Werror",
                  "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-ffunction-sections",
                  "-nostdlib", "-nostartfiles", "-Wl,--gc-sections", "-Wl,--fatal-warnings",
                  "-T", f"{SOURCE}/examples/digits_cortex_m/board.ld", "-Wl,-e,0", "-I", os.path.dirname(stem), main, stem + ".o",
                  *libraries, "-o", elf)
        self.assertEqual(self.good("arm-none-eabi-nm", "-u", elf), "")
        return elf

    def test_digits(self):
        need("arm-none-eabi-gcc", "qemu-system-arm")
        for target in FLOAT_ABI:
            # The firmware's own conversion of the input needs float helpers
            # where there is no FPU: the compiler's library, no other.
            code = ("static const unsigned char image[] = {" + THREE + "};\n"
                    "for (int i = 0; i < NET_INPUT_SIZE; ++i) net_input(arena)[i] = net_quantize_input(image[i] / 16.0f);")
            elf = self.link(DIGITS, target, code, *(["-lgcc"] if target == "cortex-m4+nofp" else []))
            self.assertEqual(self.good(*BOARD, elf), "status 0, answer 3\n", target)

    def test_kws(self):
        need("arm-none-eabi-gcc", "qemu-system-arm")
        model = shared("models/mlperf_kws_dscnn_int8.tflite")
        for target in FLOAT_ABI:  # int8 alone needs no arithmetic helper on any of them
            elf = self.link(model, target, "for (int i = 0; i < NET_INPUT_SIZE; ++i) net_input(arena)[i] = 0;")
            self.assertRegex(self.good(*BOARD, elf), r"status 0, answer [0-;]")  # 12 classes: '0' to ';'


class Shared(Case):
    SOURCE_TEXT = """#include "net.h"
        int answer(const signed char *in); int answer(const signed char *in) {
          NET_ARENA(arena); int best = 0;
          for (int i = 0; i < NET_INPUT_SIZE; ++i) net_input(arena)[i] = in[i];
          if (net_run(arena, sizeof arena) != AOTC_OK) return -1;
          for (int i = 1; i < NET_OUTPUT_SIZE; ++i) if (net_output(arena)[i] > net_output(arena)[best]) best = i;
          return best; }"""

    def library(self, compiler, target):
        stem = self.compile(DIGITS, target, "net")
        library = stem + ".so"
        self.good(compiler, "-shared", "-fPIC", "-O2", "-Wl,-z,text", "-Wl,-z,defs", "-Wl,--fatal-warnings",
                  "-I", os.path.dirname(stem), self.write("library.c", self.SOURCE_TEXT), stem + ".o", "-o", library)
        # -z text: no relocation in read-only memory. None in the weights either.
        self.assertNotIn("TEXTREL", self.good("llvm-readelf-22", "-d", library))
        return library

    # The input's scale is 1/255, its zero point -128; white (16) is 1.0.
    IMAGE = [round(int(x) * 255 / 16) - 128 for x in re.findall(r"\d+", THREE.split("*/")[1])]

    def test_x86(self):
        for target in ("x86-64-v2", "x86-64-v3"):
            library = ctypes.CDLL(self.library("gcc", target))
            self.assertEqual(library.answer((ctypes.c_byte * 64)(*self.IMAGE)), 3)

    def test_aarch64(self):
        need("aarch64-linux-gnu-gcc", "qemu-aarch64")
        path = self.library("aarch64-linux-gnu-gcc", "cortex-a53")
        main = self.write("main.c", "int answer(const signed char *); int main(void) { static const signed char in[] = {"
                          + ",".join(map(str, self.IMAGE)) + "}; return answer(in); }")
        self.good("aarch64-linux-gnu-gcc", main, path, "-Wl,-rpath," + os.path.dirname(path), "-o", f"{self.dir}/main")
        self.assertEqual(run(*AARCH64, f"{self.dir}/main").returncode, 3)

    def test_position_independent_program(self):
        # PIE is the default of Linux compilers: with and without.
        for flags in (["-pie", "-fPIE"], ["-no-pie", "-fno-pie"]):
            stem = self.compile(DIGITS, "x86-64-v2", "net")
            main = self.write("main.c", self.SOURCE_TEXT + "int main(void) { signed char in[NET_INPUT_SIZE] = {0}; return answer(in) < 0; }")
            self.good("gcc", *flags, "-Wl,-z,text", "-Wl,--fatal-warnings", "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
            self.good(stem)

    def test_cortex_m_is_static(self):
        # No relocation through a global offset table: firmware has none.
        for target in FLOAT_ABI:
            stem = self.compile(DIGITS, target, "net")
            self.assertNotRegex(self.good("llvm-readelf-22", "-r", stem + ".o"), "GOT|PLT|R_ARM_REL32")


if __name__ == "__main__":
    run_tests()
