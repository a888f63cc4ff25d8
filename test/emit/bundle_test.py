# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The promises of a bundle, checked with real compilers and linkers.

Environment (set by CTest): EMIT_TOOL, CLANGXX, SOURCE (project root).
`--update-goldens` rewrites test/golden/emit instead of comparing.
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL, CLANGXX, SOURCE = (os.environ[k] for k in ("EMIT_TOOL", "CLANGXX", "SOURCE"))
sys.path.insert(0, os.path.join(SOURCE, "test"))
import skip_main  # noqa: E402 (found by the path above)

HERE = os.path.join(SOURCE, "test", "emit")
GOLDEN = os.path.join(SOURCE, "test", "golden", "emit")
UPDATE = "--update-goldens" in sys.argv
CLANG = CLANGXX.replace("clang++", "clang")
WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-Wsign-conversion",
        "-Wcast-align", "-Wcast-qual", "-Wshadow", "-Wundef"]
M4 = ["-mcpu=cortex-m4", "-mthumb"]
FLOAT_ABI = {"cortex-m4": ["-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"],
             "cortex-m4+softfp": ["-mfpu=fpv4-sp-d16", "-mfloat-abi=softfp"],
             "cortex-m4+nofp": ["-mfloat-abi=soft"]}
HARD, SOFTFP, SOFT = (["-mfloat-abi=" + abi] for abi in ("hard", "softfp", "soft"))
# As an application is compiled by GCC 12, which knows no M85: the M55 has the
# same architecture.
ARM_M = {**{target: [*M4, *flags] for target, flags in FLOAT_ABI.items()},
         **{core: ["-mcpu=" + core, *SOFT] for core in ("cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m23")},
         "cortex-m7": ["-mcpu=cortex-m7", "-mfpu=fpv5-d16", *HARD],
         "cortex-m7+nofp.dp": ["-mcpu=cortex-m7", "-mfpu=fpv5-sp-d16", *HARD],
         "cortex-m7+softfp": ["-mcpu=cortex-m7", "-mfpu=fpv5-sp-d16", *SOFTFP],
         "cortex-m7+nofp": ["-mcpu=cortex-m7", *SOFT],
         "cortex-m33": ["-mcpu=cortex-m33", *HARD],
         "cortex-m33+softfp": ["-mcpu=cortex-m33", *SOFTFP],
         "cortex-m33+nofp": ["-mcpu=cortex-m33+nofp", *SOFT],
         "cortex-m33+nodsp+nofp": ["-mcpu=cortex-m33+nodsp+nofp", *SOFT],
         **{core + option: ["-mcpu=cortex-m55" + gcc, *abi] for core in ("cortex-m55", "cortex-m85")
            for option, gcc, abi in (("", "", HARD), ("+softfp", "", SOFTFP), ("+nomve", "+nomve", HARD),
                                     ("+nofp", "+nomve+nofp", SOFT))}}
NO_FPU = [target for target, flags in ARM_M.items() if "-mfloat-abi=soft" in flags]
TARGETS = {**{t: "arm" for t in ARM_M}, "cortex-a53": "aarch64", "x86-64-v2": "x86",
           "x86-64-v3": "x86", "x86-64-v4": "x86", "x86-64-v4+vnni": "x86", "host": "x86"}
KERNEL_FLAGS = {"arm": ["--target=thumbv6m-none-eabi", "-mfloat-abi=soft", "-fshort-enums"],
                "aarch64": ["--target=aarch64-linux-gnu", "-fPIC"],
                "x86": ["--target=x86_64-linux-gnu", "-fPIC"]}


def run(*command, **keywords):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **keywords)


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise unittest.SkipTest(f"needs {tool}")


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def setUpModule():
    global DIR
    DIR = tempfile.mkdtemp(prefix="aotc-emit-")
    for family, flags in KERNEL_FLAGS.items():
        subprocess.run([CLANGXX, "-O2", "-emit-llvm", "-c", "-std=c++20", "-ffreestanding",
                        "-nostdlibinc", "-fno-exceptions", "-fno-rtti", "-fno-vectorize", "-fno-unroll-loops", "-g0",
                        "-Qn", *flags, "-I", SOURCE, "-o", f"{DIR}/{family}.bc",
                        f"{HERE}/kernels.cpp"], check=True)


def tearDownModule():
    shutil.rmtree(DIR)


def emit(target, name, model=f"{HERE}/model.mlir", folder=None, cwd=None, ok=True, options=()):
    """Compiles a planned module; returns the path without suffix, or the error."""
    folder = folder or tempfile.mkdtemp(dir=DIR)
    result = run(TOOL, model, target, name, folder, f"--kernels={DIR}/{TARGETS[target]}.bc", "--llvm", *options,
                 cwd=cwd)
    if not ok:
        assert result.returncode == 1, "an error was expected"
        assert not os.listdir(folder), "files after an error"
        return result.stderr
    assert result.returncode == 0, result.stderr
    return f"{folder}/{name}"


def variant(text_from, text_to, base="model.mlir"):
    """The model with one text replaced everywhere."""
    text = read(f"{HERE}/{base}")
    assert text_from in text
    return write("variant.mlir", text.replace(text_from, text_to))


def write(name, text):
    path = os.path.join(tempfile.mkdtemp(dir=DIR), name)
    with open(path, "w") as file:
        file.write(text)
    return path


def json_map(stem):
    return json.loads(read(stem + ".map.json"))


def wrap8(value):
    return (value + 128) % 256 - 128


def expected_output(inputs):
    """model.mlir by hand: x*2 + bias, three-row sums with 100 outside, x*3, image 1."""
    bias = [1, 0, -1, 2]
    scaled = [wrap8(x * 2 + bias[i % 4]) for i, x in enumerate(inputs)]
    out = []
    for y in range(5):
        for x in range(4):
            rows = [scaled[20 + r * 4 + x] if 0 <= r < 5 else 100 for r in (y - 1, y, y + 1)]
            out.append(wrap8(3 * wrap8(sum(rows))))
    return out


# Runs NAME on inputs i*7-100 (mod 256) and prints the outputs; then the error codes.
PROGRAM = r"""
#include "NAME.h"
#include <stdio.h>
NAME_MACRO_ARENA(arena);
int main(void) {
  int i;
  int8_t *in = NAME_input_serving_default_x_0(arena);
  const int8_t *out = NAME_output_Identity(arena);
  for (i = 0; i < 40; ++i) in[i] = (int8_t)(i * 7 - 100);
  if (NAME_run(arena, sizeof arena) != AOTC_OK) return 1;
  for (i = 0; i < 20; ++i) printf("%d ", out[i]);
  printf("| %d %d %d\n", (int)NAME_run(NULL, sizeof arena), (int)NAME_run(arena + 4, sizeof arena),
         (int)NAME_run(arena, sizeof arena - 1));
  return 0;
}
"""
INPUTS = [wrap8(i * 7 - 100) for i in range(40)]


def program(name):
    return PROGRAM.replace("NAME_MACRO", name.upper()).replace("NAME", name)


STARTUP = """
extern int main(void), fflush(void *); extern void _exit(int);
extern void initialise_monitor_handles(void);
void reset(void) { *(volatile unsigned *)0xE000ED88 |= 0xF << 20;
  initialise_monitor_handles(); _exit((main(), fflush(0))); }
void _init(void) {} void _fini(void) {}
__attribute__((section(".vectors"), used)) void *const vectors[] =
    {(void *)0x20010000, (void *)reset};"""
# No copy loop for .data above: everything lies where the image is loaded.
LINKER_SCRIPT = """
MEMORY { FLASH (rx) : ORIGIN = 0, LENGTH = 256K  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 48K }
SECTIONS { .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } > FLASH
  .ARM.exidx : { *(.ARM.exidx*) } > FLASH
  .data : { *(.data*) *(.bss*) *(COMMON) end = .; } > RAM }"""


def run_on_m4(target, stem, text, *more):
    """What a C program around the bundle `stem` prints on an emulated board; `more` is given to the compiler."""
    need("arm-none-eabi-gcc", "qemu-system-arm")
    built = run("arm-none-eabi-gcc", *M4, *FLOAT_ABI[target], "-O2", "-nostartfiles", "--specs=rdimon.specs",
                "-T", write("link.ld", LINKER_SCRIPT), "-I", os.path.dirname(stem), write("start.c", STARTUP),
                write("main.c", text), stem + ".o", *more, "-o", stem)
    assert built.returncode == 0, built.stderr
    return run("qemu-system-arm", "-M", "mps2-an386", "-semihosting-config", "enable=on,target=native", "-display",
               "none", "-monitor", "none", "-serial", "none", "-kernel", stem, timeout=60).stdout


class Execution(unittest.TestCase):
    def check_output(self, text):
        # abi.h: 1 null, 2 misaligned, 3 too small
        want = " ".join(map(str, expected_output(INPUTS))) + " | 1 2 3"
        self.assertEqual(text.strip(), want)

    def test_host(self):
        for model in (f"{HERE}/model.mlir", variant("macs =", "descending, macs ="),
                      variant("blockRows = 2", "blockRows = 1"), variant("blockRows = 2", "blockRows = 5")):
            stem = emit("host", "kws", model)
            main = write("main.c", program("kws"))
            built = run("gcc", "-O2", "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
            self.assertEqual(built.returncode, 0, built.stderr)
            self.check_output(run(stem).stdout)

    def test_aarch64(self):
        need("aarch64-linux-gnu-gcc", "qemu-aarch64")
        stem = emit("cortex-a53", "kws")
        main = write("main.c", program("kws"))
        built = run("aarch64-linux-gnu-gcc", "-static", "-O2", "-I", os.path.dirname(stem), main,
                    stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.check_output(run("qemu-aarch64", stem).stdout)

    def test_cortex_m4(self):
        for target in FLOAT_ABI:
            self.check_output(run_on_m4(target, emit(target, "kws"), program("kws")))

    def test_two_models_in_one_program(self):
        folder = tempfile.mkdtemp(dir=DIR)
        emit("host", "kws", folder=folder)
        emit("host", "other", variant("layer [3]", "layer [5]"), folder=folder)
        emit("host", "twin", folder=folder)
        text = (program("kws").replace("int main", "int main_kws")
                     + program("other").replace("int main", "int main_other").replace("arena", "arena2")
                     + program("twin").replace("int main", "int main_twin").replace("arena", "arena3")
                     + "int main(void) { return main_kws() + main_other() + main_twin(); }")
        text = text.replace("OTHER_ARENA2", "OTHER_ARENA").replace("TWIN_ARENA3", "TWIN_ARENA")
        text = re.sub(r"int (main_\w+)\(void\)", r"static int \1(void)", text)
        both = write("main.c", text)
        built = run("gcc", "-I", folder, both, *(f"{folder}/{n}.o" for n in ("kws", "other", "twin")),
                    "-o", f"{folder}/both")
        self.assertEqual(built.returncode, 0, built.stderr)
        lines = run(f"{folder}/both").stdout.splitlines()
        self.assertEqual(len(lines), 3)
        self.check_output(lines[0])
        self.assertNotEqual(lines[0], lines[1])
        self.assertEqual(lines[0], lines[2])

    def test_cpp_class(self):
        stem = emit("host", "kws")
        main = write("main.cpp", r"""
            #include "kws.h"
            #include <cstdio>
            static kws::Model model;
            int main() {
              for (int i = 0; i < 40; ++i) model.input_serving_default_x_0()[i] = static_cast<int8_t>(i * 7 - 100);
              if (model.run() != AOTC_OK) return 1;
              for (int i = 0; i < 20; ++i) std::printf("%d ", model.output_Identity()[i]);
              std::printf("| 1 2 3\n");
            }""")
        built = run("g++", "-std=c++17", "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.check_output(run(stem).stdout)

    def test_quantize_helpers(self):
        # scale 0.25, zero point -3: q = round(x / 0.25) - 3, halves away from zero.
        # 0.125 -> 0.5 -> 1 - 3; 0.1249999 -> 0 - 3; -0.125 -> -1 - 3; out of range clamps.
        stem = emit("host", "kws")
        main = write("main.c", r"""
            #include "kws.h"
            #include <stdio.h>
            int main(void) {
              float x[] = {0.0f, 0.125f, 0.1249999f, -0.125f, 1e9f, -1e9f, 0.0f / 0.0f, 31.0f};
              for (int i = 0; i < 8; ++i) printf("%d ", kws_quantize_serving_default_x_0(x[i]));
              printf("%g\n", (double)kws_dequantize_Identity(-128));
              return 0;
            }""")
        built = run("gcc", "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        # -128 with scale 0.5, zero point 7: -67.5
        self.assertEqual(run(stem).stdout, "-3 -2 -3 -4 127 -128 -128 121 -67.5\n")


class Header(unittest.TestCase):
    def compilers(self):
        c, cpp = ["-std=c99", "-std=c11", "-std=c17", "-std=c2x"], ["-std=c++11", "-std=c++17", "-std=c++20"]
        for compiler, extra in (("gcc", []), (CLANG, []), ("arm-none-eabi-gcc", [*M4, *FLOAT_ABI["cortex-m4"]]),
                                ("aarch64-linux-gnu-gcc", []), (CLANG, ["--target=thumbv7em-none-eabi", "-ffreestanding"])):
            if shutil.which(compiler):
                for standard in c:
                    yield [compiler, *extra, standard, *WARN, "-Wstrict-prototypes", "-x", "c"]
        for compiler, extra in (("g++", []), (CLANGXX, []), ("arm-none-eabi-g++", [*M4])):
            if shutil.which(compiler):
                for standard in cpp:
                    yield [compiler, *extra, standard, *WARN, "-Wold-style-cast", "-x", "c++"]

    def test_compile_matrix(self):
        stem = emit("cortex-m4", "kws")
        uses = ["KWS_ARENA(arena);", "extern int8_t *p; int8_t *p = 0; ",
                "extern const int shape[]; const int shape[] = KWS_INPUT_SERVING_DEFAULT_X_0_SHAPE;",
                "int use(void); int use(void) { p = kws_input_serving_default_x_0(arena);"
                " return kws_run(arena, sizeof arena) == AOTC_OK; }"]
        own, abi = '#include "kws.h"\n', '#include "aotc/runtime.h"\n'
        count = 0
        for includes in (own, own + own, own + abi, abi + own):
            source = write("use.c", includes + "\n".join(uses))
            for command in self.compilers():
                if "c++" in command:
                    source_text = read(source).replace("int8_t *p = 0", "int8_t *p = nullptr")
                    path = write("use.cpp", source_text)
                else:
                    path = source
                built = run(*command, "-O2", "-fsyntax-only", "-I", os.path.dirname(stem), "-I",
                            f"{SOURCE}/runtime-stub/include", path)
                self.assertEqual(built.returncode, 0, f"{command}: {built.stderr}")
                count += 1
        self.assertGreaterEqual(count, 40)

    def test_start_up(self):
        # Armv6-M and Armv8-M Baseline have no unaligned accesses; soft-float code no FPU; Linux
        # has seen to both. Helium: all of M55 and M85 but what was built without.
        for target in TARGETS:
            stem = emit(target, "kws")
            core, *options = target.split("+")
            need = []
            if target in ARM_M and core not in ("cortex-m0", "cortex-m0plus", "cortex-m23"):
                need.append(("unaligned-access", "CCR.UNALIGN_TRP"))
            if target in ARM_M and target not in NO_FPU:
                need.append(("fpu", "CPACR"))
            map_ = json_map(stem)["start_up"]
            self.assertEqual([entry["need"] for entry in map_], [name for name, _ in need], target)
            texts = [re.sub(r"\n[ *]+", " ", read(stem + suffix)) for suffix in (".h", ".map.txt")]
            for text in texts:
                self.assertEqual("start-up code" in text, bool(need), target)
                for word in ("CCR.UNALIGN_TRP", "CPACR"):
                    self.assertEqual(word in text, word in [register for _, register in need], target)
                helium = core in ("cortex-m55", "cortex-m85") and not {"nomve", "nofp"} & set(options)
                self.assertEqual("Helium" in text, helium, target)
                for entry in map_:
                    self.assertIn("- " + entry["text"], text)

    def test_stale_header_does_not_link(self):
        flags = ["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
        arm = [*M4, *FLOAT_ABI["cortex-m4"], "--specs=nosys.specs"]
        for target, compiler, extra in (("host", "gcc", []), ("host", "g++", []), ("host", CLANG, []),
                                        ("cortex-m4", "arm-none-eabi-gcc", arm)):
            if not shutil.which(compiler):
                print(f"skipped: needs {compiler}", file=sys.stderr)
                continue
            stem = emit(target, "kws")
            folder = os.path.dirname(stem)
            two = [write("a.c", '#include "kws.h"\nKWS_ARENA(arena);\nint other(void);\n'
                         "int main(void) { return other() + (int)kws_run(arena, sizeof arena); }"),
                   write("b.c", '#include "kws.h"\nint other(void);\n'
                         "int other(void) { return (int)kws_run(NULL, 0); }")]
            command = [compiler, *extra, *flags, "-I", folder, *two, stem + ".o", "-o", stem + ".out"]
            self.assertEqual(run(*command).returncode, 0)
            # The same model with its output moved by 4 bytes: another interface.
            moved = emit(target, "kws", variant("offset = 40 : i64, nn.type", "offset = 44 : i64, nn.type"))
            self.assertNotEqual(read(moved + ".h"), read(stem + ".h"))
            stale = run(*command[:-3], moved + ".o", "-o", stem + ".out")
            self.assertNotEqual(stale.returncode, 0)
            self.assertIn(json_map(stem)["abi_symbol"], stale.stderr)

    def test_without_header(self):
        stem = emit("host", "kws")
        main = write("main.c", "extern int kws_run(void *, unsigned long);\n"
                     "int main(void) { return kws_run(0, 0) != 1; }")
        self.assertEqual(run("gcc", main, stem + ".o", "-o", stem).returncode, 0)
        self.assertEqual(run(stem).returncode, 0)

    def test_hostile_names(self):
        # Comment marks, non-ASCII and a keyword in names must not break the header.
        stem = emit("host", "kws", variant('"serving_default_x:0"', '"*/ int /* x\\\\ \\C3\\A9"'))
        main = write("use.c", '#include "kws.h"\n')
        built = run("gcc", *WARN, "-std=c11", "-fsyntax-only", "-I", os.path.dirname(stem), main)
        self.assertEqual(built.returncode, 0, built.stderr)
        stem = emit("host", "kws", variant('"Identity"', '"return"'))
        self.assertIn("kws_output_t_return(", read(stem + ".h"))

    def test_short_forms(self):
        # The tensors' names may be those of the short forms.
        model = variant('"serving_default_x:0"', '"input"', base="model.mlir")
        model = write("model.mlir", read(model).replace('"Identity"', '"output"'))
        folder = os.path.dirname(emit("host", "kws", model))
        use = """#include "kws.h"
            KWS_ARENA(arena);
            int use(float x); int use(float x) {
              kws_input(arena)[KWS_INPUT_SIZE - 1] = kws_quantize_input(x);
              return kws_input(arena) == kws_input_input(arena) && KWS_OUTPUT_SIZE == KWS_OUTPUT_OUTPUT_SIZE
                && KWS_INPUT_DIM1 == 5 && kws_dequantize_output(*kws_output(arena)) > KWS_OUTPUT_SCALE; }
            """
        cpp = "kws::Model m; bool same() { return *m.input() == m.quantize_input(1) && m.output() == m.output_output(); }"
        for command, text in ((["gcc", "-std=c11"], use), (["g++", "-std=c++17"], use + cpp)):
            path = write("use.cpp" if "g++" in command else "use.c", text)
            built = run(*command, *WARN[:4], "-fsyntax-only", "-I", folder, path)
            self.assertEqual(built.returncode, 0, built.stderr)

    def test_no_short_forms_for_two(self):
        alloc = '%{0} = instr.alloc "{0}" align 1 {{role = #instr.role<input>, position = {1} : i64, offset = {1} : i64}} : memref<i8>\n'
        model = write("two.mlir", "func.func @main() {\n" + alloc.format("a", 0) + alloc.format("b", 1) + "return }")
        text = read(emit("host", "two", model) + ".h")
        self.assertIn("two_input_b(", text)
        for short in ("two_input(", "TWO_INPUT_SIZE", " input()"):
            self.assertNotIn(short, text)


class Object(unittest.TestCase):
    def test_symbols_and_sections(self):
        for target in TARGETS:
            stem = emit(target, "kws")
            symbols = [line.split() for line in
                       run("llvm-nm-22", "--format=posix", stem + ".o").stdout.splitlines()]
            public = sorted(s[0] for s in symbols if s[1].isupper() and s[1] != "U")
            self.assertEqual(public, sorted(["kws_run", json_map(stem)["abi_symbol"]]), target)
            self.assertTrue(all(s[0].startswith(("kws_", "kws.")) for s in symbols if s[1] not in "U"), target)
            undefined = {s[0] for s in symbols if s[1] == "U"}
            self.assertLessEqual(undefined, {"memcpy", "memmove", "memset", "__aeabi_memcpy",
                                             "__aeabi_memcpy4"}, target)
            text = run("llvm-readelf-22", "-SW", stem + ".o").stdout
            sections = {m[0]: (int(m[1], 16), m[2]) for m in
                        re.findall(r"\] (\S+)\s+\S+\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) \d+\s+([A-Zlop]*)\s+\d", text)}
            self.assertEqual(sections[".rodata.kws.weights"], (4, "A"), target)
            self.assertIn(".text.kws_run", sections)
            for name, (size, flags) in sections.items():
                self.assertFalse("W" in flags and size, f"{target}: {name}")
                self.assertFalse(name.startswith((".comment", ".ARM.exidx", ".eh_frame", ".debug")), name)
            code = sum(size for name, (size, flags) in sections.items()
                       if "A" in flags and name != ".rodata.kws.weights")
            self.assertEqual(json_map(stem)["code_bytes"], code, target)

    def test_constants_are_not_strings(self):
        # Bytes that look like text and end in a zero must not become a section
        # of mergeable strings, which linkers may move without their alignment.
        stem = emit("cortex-m4", "kws", variant("dense<[1, 0, -1, 2]>", "dense<[1, 2, 3, 0]>"))
        self.assertEqual(re.findall(r"A[MS]+\b", run("llvm-readelf-22", "-SW", stem + ".o").stdout.split("Key")[0]), [])

    def test_arm_attributes_match_gcc(self):
        need("arm-none-eabi-gcc")
        tags = ("CPU_arch", "CPU_arch_profile", "THUMB_ISA_use", "FP_arch", "ABI_HardFP_use", "ABI_VFP_args",
                "ABI_align_needed", "MVE_arch", "DSP_extension")

        def attributes(path):
            text = run("llvm-readelf-22", "-A", path).stdout
            found = {}
            for block in re.findall(r"Attribute \{(.*?)\}", text, re.S):
                fields = dict(re.findall(r"(\w+): (.*)", block))
                found[fields["TagName"]] = fields["Value"]
            return {tag: found.get(tag) for tag in tags}

        source = write("f.c", "float f(float x); float f(float x) { return x * x; }")
        for target, flags in ARM_M.items():
            stem = emit(target, "kws")
            other = stem + ".gcc.o"
            self.assertEqual(run("arm-none-eabi-gcc", "-mthumb", *flags, "-O2", "-c", source, "-o", other).returncode, 0)
            self.assertEqual(attributes(stem + ".o"), attributes(other), target)
            linked = run("arm-none-eabi-ld", "--fatal-warnings", "-r", stem + ".o", other, "-o", stem + ".both.o")
            self.assertEqual(linked.returncode, 0, linked.stderr)

    def test_float_arithmetic_follows_the_target(self):
        model = write("float.mlir", """func.func @main() {
          %in = instr.alloc "x" align 4 {role = #instr.role<input>, position = 0 : i64, offset = 0 : i64} : memref<4xf32>
          %out = instr.alloc "y" align 4 {role = #instr.role<output>, position = 0 : i64, offset = 16 : i64} : memref<4xf32>
          instr.kernel "aotc_square_f32__ref" level "ref" ins(%in) outs(%out) shape [] layer [] : (memref<4xf32>, memref<4xf32>) -> ()
          return }""")
        for target in ARM_M:
            stem = emit(target, "f", model)
            undefined = run("llvm-nm-22", "-u", "-j", stem + ".o").stdout.split()
            want = ["__aeabi_fadd", "__aeabi_fmul"] if target in NO_FPU else []
            self.assertEqual(sorted(undefined), want, target)

    def test_deterministic(self):
        for target in ("cortex-m4", "x86-64-v3"):
            folders = [tempfile.mkdtemp(dir=DIR) for _ in range(2)]
            copy = os.path.join(tempfile.mkdtemp(dir=DIR), "elsewhere.mlir")
            shutil.copy(f"{HERE}/model.mlir", copy)
            first = emit(target, "kws", folder=folders[0], cwd="/")
            second = emit(target, "kws", copy, folder=folders[1], cwd=folders[1])
            for suffix in (".o", ".h", ".map.json", ".map.txt", ".html"):
                a, b = read(first + suffix, "rb"), read(second + suffix, "rb")
                self.assertEqual(a, b)
                for path in (DIR, SOURCE, "some/where"):
                    self.assertNotIn(path.encode(), a)

    def test_sharing(self):
        # Steps 0 and 2 differ in layer words and data only: one function.
        stem = emit("cortex-m4", "kws")
        layers = json_map(stem)["layers"]
        self.assertEqual(layers[0]["function"], layers[2]["function"])
        symbols = run("llvm-nm-22", "-j", stem + ".o").stdout.split()
        self.assertEqual([s for s in symbols if "scale" in s], [layers[0]["function"]])
        # Other shape words: two functions.
        other = json_map(emit("cortex-m4", "kws", variant("shape [40] layer [3]", "shape [36] layer [3]")))
        self.assertNotEqual(other["layers"][0]["function"], other["layers"][2]["function"])

    def test_row_loop_is_not_unrolled(self):
        # 64 rows of the kernel cost as much code as 5, but for loop bounds.
        five = json_map(emit("cortex-m4", "kws"))["code_bytes"]
        one_block = json_map(emit("cortex-m4", "kws", variant("blockRows = 2", "blockRows = 1")))["code_bytes"]
        self.assertLess(five, 450)
        self.assertLess(one_block, five + 32)


class Map(unittest.TestCase):
    def test_figures(self):
        m = json_map(emit("cortex-m4", "kws"))
        # 40 + 40 + 8 scratch; without it 80; one input of 40, one output of 20.
        self.assertEqual((m["arena_bytes"], m["arena_without_scratch_bytes"], m["io_used_memory"]), (88, 80, 60))
        self.assertEqual((m["state_bytes"], m["weights_bytes"], m["target"]), (0, 4, "cortex-m4"))
        self.assertEqual(m["model_file"], "model.tflite")
        steps = {b["name"]: (b["first_step"], b["last_step"]) for b in m["buffers"]}
        self.assertEqual(steps, {"serving_default_x:0": (0, 0), "scaled": (0, 1), "sums": (1, 2),
                                 "sums scratch": (1, 1), "last": (2, 3), "Identity": (3, 3)})
        self.assertEqual([b["shares_with"] for b in m["buffers"][:3]],
                         [["scaled"], ["serving_default_x:0"], []])
        self.assertEqual([l["op"] for l in m["layers"]], ["MUL", "CONV_2D", "MUL", "SLICE"])
        self.assertEqual([l["weights_bytes"] for l in m["layers"]], [4, 0, 0, 0])
        self.assertEqual((m["inputs"][0]["scale"], m["inputs"][0]["zero_point"]), (0.25, -3))

    def test_sharing_says_why(self):
        m = json_map(emit("cortex-m4", "kws"))
        in_place = {"bytes": 40, "step": 0, "way": "in_place", "direction": "ascending", "distance": 0, "declared": 0,
                    "why": "MUL at step 0 runs first to last and writes its output in place of its input"}
        self.assertEqual([b["sharing"] for b in m["buffers"]],
                         [[{"buffer": 1, **in_place}], [{"buffer": 0, **in_place}], [], [], [], []])
        # The input 8 bytes higher: 32 bytes are common, the rule allows 0 or more.
        m = json_map(emit("cortex-m4", "kws", variant("tensor = 0 : i64, offset = 0", "tensor = 0 : i64, offset = 8")))
        self.assertEqual(m["buffers"][0]["sharing"], [{
            "buffer": 1, "bytes": 32, "step": 0, "way": "apart", "direction": "ascending", "distance": 8, "declared": 0,
            "why": "MUL at step 0 runs first to last; its output starts 8 bytes below its input, 0 are enough"}])

    def test_peak_and_footprints(self):
        # Step 0: two on the same 40. Step 1: 40, 40 and 8 above them. Step 2: two of
        # 40. Step 3: 40, and 20 above. Nobody ran advise.
        m = json_map(emit("cortex-m4", "kws"))
        self.assertEqual([l["footprint_bytes"] for l in m["layers"]], [40, 88, 80, 60])
        self.assertEqual([l["height_bytes"] for l in m["layers"]], [40, 88, 80, 60])
        table = read(emit("cortex-m4", "kws") + ".map.txt").split("\nLayers\n")[1]
        rows = re.findall(r"^ +\d+ +(?:MUL|CONV_2D|SLICE) +(\d+) +(\d+) +(\d+) ", table, re.M)
        # used_memory, footprint, scratch.
        self.assertEqual(rows, [("40", "40", "0"), ("80", "88", "8"), ("80", "80", "0"), ("60", "60", "0")])
        self.assertEqual(m["peak"], {"step": 1, "bytes": 88, "live": [1, 2, 3]})
        self.assertEqual(m["advice"], {"text": "", "changes": []})

    def test_tensors_inside_others(self):
        named = variant("instr.view %c at 20 :", 'instr.view %c at 20 {name = "half", tensor = 7 : i64, '
                        'origin = #nn.origin<index = 9, code = "SLICE", tensors = [7], names = ["half"]>} :')
        stem = emit("cortex-m4", "kws", named)
        tensors = json_map(stem)["tensors"]
        self.assertEqual([t["name"] for t in tensors],
                         ["serving_default_x:0", "scaled", "sums", "last", "half", "Identity"])
        self.assertEqual(tensors[4], {"name": "half", "tensor": 7, "buffer": 4, "offset_in_buffer": 20, "bytes": 20,
                                      "first_step": 3, "last_step": 3, "dissolved": {"op": "SLICE", "op_index": 9}})
        self.assertRegex(read(stem + ".map.txt"), r"half +e +20 +20 +SLICE \(operator 9\) copies nothing")

    def test_more_buffers_than_letters(self):
        # 60 scratch buffers beside one kernel: every code in the table is unique,
        # and those of the picture are in the table.
        allocs = "".join(f'%s{i} = instr.alloc "s{i}" align 4 {{role = #instr.role<scratch>, offset = {80 + 8 * i} : i64}} '
                         ": memref<8xi8>\n" for i in range(60))
        text = read(variant('%b = instr.alloc "sums"', allocs + '%b = instr.alloc "sums"'))
        stem = emit("cortex-m4", "kws", write("many.mlir", text))
        table = read(stem + ".map.txt").split("Buffers of the arena\n")
        codes = re.findall(r"^  (\w+) +[\d,]+ +[\d,]+ +\d+-\d+ ", table[1], re.M)
        self.assertEqual((len(codes), len(set(codes))), (66, 66))
        picture = table[0].split("over time")[1].split("Peak:")[0]
        shown = {cell[i:i + 2] for cell in re.findall(r"\|(.*)", picture) for i in range(0, len(cell) - 1, 6)}
        self.assertLessEqual({c for c in shown if c not in ("..", "**")}, set(codes))
        self.assertGreater(len(shown), 5)

    def test_stack(self):
        # The kernel's rows array is (2-1)*1+3 = 4 pointers: 16 bytes at least,
        # besides the saved registers of two frames (at most 9 words each).
        stack = json_map(emit("cortex-m4", "kws"))["stack_bytes"]
        self.assertGreaterEqual(stack, 16 + 4 * 2)
        self.assertLessEqual(stack, 16 + 2 * 9 * 4 + 32)

    def test_stack_of_assembly(self):
        # The 40 bytes that it says it pushes below the frames of NAME_run and of the kernel's
        # function (at most 9 registers and 8 words each).
        stack = json_map(emit("cortex-m4", "kws", variant("aotc_scale_s8__ref", "aotc_pushes_s8__ref")))["stack_bytes"]
        self.assertGreaterEqual(stack, 40)
        self.assertLessEqual(stack, 40 + 2 * (9 + 8) * 4)


class Page(html.parser.HTMLParser):
    """What a browser would make of a report."""
    VOID = {"meta", "input", "br", "link", "img", "hr"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.outside = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.outside += [a for a in attributes if a[0] in ("src", "href", "srcset", "xlink:href") or a[0].startswith("on")]
        if tag == "script":
            self.scripts.append([dict(attributes), ""])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data


class Report(unittest.TestCase):
    def check(self, stem):
        text = read(stem + ".html")
        page = Page(text)
        self.assertEqual((page.open, page.outside), ([], []))
        self.assertEqual([script[0].get("type") for script in page.scripts], ["application/json", None])
        self.assertEqual(json.loads(page.scripts[0][1]), json_map(stem))
        self.assertNotIn("@", re.sub(r"@(media|page)\b", "", text.replace(page.scripts[0][1], "")))  # all marks replaced
        return text.replace(page.scripts[0][1], "")

    def test_one_file(self):
        rest = self.check(emit("cortex-m4", "kws"))
        self.assertNotRegex(rest, r"https?:|//[a-z]+\.|url\((?!#)|@import|fetch\(|XMLHttp|innerHTML|eval\(|document\.write")
        self.assertIn("default-src 'none'", rest)
        self.assertIn("<title>kws", rest)
        self.assertLess(len(rest), 60 * 1024)

    def test_hostile_names(self):
        # Of a tensor: ends of elements, comments, quotes, line ends, no UTF-8.
        hostile = r'</script><script>alert(1)</script><!-- ]]> \22 & \0A\FF \E2\80\A8 @TITLE@'
        stem = emit("cortex-m4", "kws", variant('instr.alloc "scaled"', f'instr.alloc "{hostile}"'))
        data = json_map(stem)["buffers"][1]["name"]
        self.assertTrue(data.startswith('</script><script>alert(1)</script><!-- ]]> " & \n'), data)
        self.check(stem)
        self.assertNotIn("alert(1)</script>", read(stem + ".html"))

    def test_no_layers(self):
        self.check(emit("host", "none", write("no_layers.mlir", "func.func @main() { return }")))


class Degenerate(unittest.TestCase):
    def test_no_layers_and_a_scalar(self):
        model = write("none.mlir", """func.func @main() {
          %in = instr.alloc "" align 1 {role = #instr.role<input>, position = 0 : i64, offset = 0 : i64} : memref<i8>
          return }""")
        stem = emit("host", "none", model)
        main = write("main.c", '#include "none.h"\nNONE_ARENA(arena);\n'
                     "int main(void) { *none_input_tensor(arena) = 1; return (int)none_run(arena, NONE_ARENA_SIZE); }")
        built = run("gcc", *WARN, "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(run(stem).returncode, 0)


class Errors(unittest.TestCase):
    def kernel(self, symbol):
        return variant("aotc_scale_s8__ref", symbol)

    def test_kernel_calls_a_library_function(self):
        message = emit("cortex-m4", "kws", self.kernel("aotc_sine_f32__ref"), ok=False)
        self.assertIn("the object would need 'sinf', which is outside the documented list", message)

    def test_kernel_with_static_memory(self):
        self.assertIn("a kernel has writable static memory",
                      emit("host", "kws", self.kernel("aotc_counter_s8__ref"), ok=False))

    def test_assembly_that_does_not_say_its_stack(self):
        message = emit("cortex-m4", "kws", self.kernel("aotc_silent_s8__ref"), ok=False)
        self.assertRegex(message, r"the assembly of '\S*pushes_in_silence\S*' does not say how much stack it takes")

    def test_kernel_that_does_not_exist(self):
        self.assertIn("kernel 'aotc_none__ref' is not in the modules of level 'ref' for target host",
                      emit("host", "kws", self.kernel("aotc_none__ref"), ok=False))

    def test_no_plan(self):
        self.assertIn("buffer 'scaled' has no offset: run plan-memory first",
                      emit("host", "kws", variant("{tensor = 1 : i64, offset = 0 : i64}", ""), ok=False))

    def test_other_region(self):
        self.assertIn("buffer 'sums' lies in memory region 'sram2', which @main does not list",
                      emit("host", "kws", variant("tensor = 2 : i64,", 'tensor = 2 : i64, region = "sram2",'), ok=False))


class RuntimeStub(unittest.TestCase):
    def test_size_and_warnings(self):
        need("arm-none-eabi-gcc", "arm-none-eabi-size")
        folder = tempfile.mkdtemp(dir=DIR)
        for compiler, flags in (("arm-none-eabi-gcc", [*M4, "-Os"]), ("gcc", ["-O2"]), (CLANG, ["-O2"])):
            total = 0
            for name in ("status", "hooks_weak"):
                out = os.path.join(folder, name + ".o")
                built = run(compiler, *flags, "-std=c11", *WARN, "-I", f"{SOURCE}/runtime-stub/include", "-c",
                            f"{SOURCE}/runtime-stub/src/{name}.c", "-o", out)
                self.assertEqual(built.returncode, 0, built.stderr)
                if compiler.startswith("arm"):
                    text, data, bss = run("arm-none-eabi-size", out).stdout.splitlines()[1].split()[:3]
                    self.assertEqual((data, bss), ("0", "0"))
                    total += int(text)
            self.assertLessEqual(total, 256)  # README.md's budget


class Golden(unittest.TestCase):
    def test_header_and_map(self):
        for target in ("cortex-m4", "x86-64-v3"):
            stem = emit(target, "tiny")
            folder = os.path.join(GOLDEN, target)
            for suffix in (".h", ".map.json", ".map.txt"):
                # Code size and stack move with LLVM; tests above check them.
                text = read(stem + suffix)
                text = re.sub(r'("code_bytes"|"stack_bytes"): \d+', r"\1: 0", text)
                text = re.sub(r"(RAM, stack|flash, code) +\d+", r"\1 0", text)
                text = re.sub(r"(flash|stack)  [\d,]+ bytes", r"\1  0 bytes", text)
                text = re.sub(r"[\d,]+ code and constants", "0 code and constants", text)
                text = re.sub(r"aotc [\d.]+, LLVM [\d.]+", "aotc 0, LLVM 0", text)
                path = os.path.join(folder, "tiny" + suffix)
                if UPDATE:
                    os.makedirs(folder, exist_ok=True)
                    with open(path, "w") as file:
                        file.write(text)
                else:
                    self.assertEqual(text, read(path),
                                     f"{path} differs; if wanted: cmake --build build --target update-goldens")


if __name__ == "__main__":
    sys.exit(skip_main.run([a for a in sys.argv[1:] if a != "--update-goldens"]))
