# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles with calls around each layer (--hooks), and that others have none."""
import os
import re
import sys
import unittest

import bundle_test
from bundle_test import (CLANG, CLANGXX, HERE, INPUTS, SOURCE, WARN, emit, expected_output, program, read,
                         run, run_on_m4, skip_main, variant, write)

setUpModule, tearDownModule = bundle_test.setUpModule, bundle_test.tearDownModule

STUB = ["-I", f"{SOURCE}/runtime-stub/include"]
HOOKS = {"aotc_layer_begin", "aotc_layer_end"}
# An application's own hooks: they print what they are told.
STRONG = r"""
#include <stdio.h>
#include <string.h>
static const char *const names[KWS_LAYER_COUNT] = KWS_LAYER_NAMES;
void aotc_layer_begin(const char *model, int32_t layer) { printf("<%s %d %s", model, (int)layer, names[layer]); }
void aotc_layer_end(const char *model, int32_t layer) { printf(" %s %d>", model, (int)layer); }
"""
# The operators of model.mlir and their results.
LAYERS = ["MUL scaled", "CONV_2D sums", "MUL last", "SLICE Identity"]


def with_hooks(target, model=f"{HERE}/model.mlir"):
    return emit(target, "kws", model, options=["--hooks"])


def undefined(stem):
    return set(run("llvm-nm-22", "-u", "-j", stem + ".o").stdout.split())


def sections(stem):
    """Name -> bytes as hexadecimal text, of what a program loads."""
    found = {}
    for name, flags in re.findall(r"\] (\S+)\s+PROGBITS\s+(?:[0-9a-f]+ ){3}[0-9a-f]+\s+([A-Zlop]+)\s",
                                  run("llvm-readelf-22", "-SW", stem + ".o").stdout):
        if "A" in flags:
            found[name] = run("llvm-readelf-22", "-x", name, stem + ".o").stdout
    return found


class Hooks(unittest.TestCase):
    def check_calls(self, text):
        calls = "".join(f"<kws {i} {name} kws {i}>" for i, name in enumerate(LAYERS))
        values = " ".join(map(str, expected_output(INPUTS)))
        # program() runs once, then three times with arguments that are refused before any layer.
        self.assertEqual(text.strip(), f"{calls}{values} | 1 2 3")

    def test_order_and_names(self):
        text = program("kws").replace('#include <stdio.h>', STRONG)
        self.check_calls(run_on_m4("cortex-m4", with_hooks("cortex-m4"), text))
        stem = with_hooks("host")
        for compiler, flags in (("gcc", ["-fPIE", "-pie"]), ("gcc", ["-static"])):
            built = run(compiler, *flags, "-I", os.path.dirname(stem), write("main.c", text), stem + ".o", "-o", stem)
            self.assertEqual(built.returncode, 0, built.stderr)
            self.check_calls(run(stem).stdout)

    def test_documented_example(self):
        """runtime-stub/README.md, with a cycle counter that is 5 further at each reading."""
        (example,) = re.findall(r"```c\n(.*?)```", read(f"{SOURCE}/runtime-stub/README.md"), re.S)
        top, loop = example.split("/* after kws_run(): */")
        counter = ("#include <stdint.h>\nstatic struct counter { uint32_t CYCCNT; } counter;\n"
                   "static struct counter *later(void) { counter.CYCCNT += 5; return &counter; }\n#define DWT later()\n")
        text = program("kws").replace('#include "kws.h"', counter + top)
        stem = with_hooks("host")
        built = run("gcc", "-I", os.path.dirname(stem),
                    write("main.c", text.replace("  return 0;\n", loop + "  return 0;\n")), stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(run(stem).stdout.splitlines()[1:], [f"{5:10d}  {name}" for name in LAYERS])

    def test_runtime_stub(self):
        """Without hooks of its own a program links with the stub, and with nothing else."""
        stem = with_hooks("host")
        command = ["gcc", "-I", os.path.dirname(stem), write("main.c", program("kws")), stem + ".o", "-o", stem]
        missing = run(*command)
        self.assertNotEqual(missing.returncode, 0)
        self.assertIn("undefined reference to `aotc_layer_begin'", missing.stderr)
        built = run(*command, *STUB, f"{SOURCE}/runtime-stub/src/hooks_weak.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        values = " ".join(map(str, expected_output(INPUTS)))
        self.assertEqual(run(stem).stdout.strip(), f"{values} | 1 2 3")
        # Strong ones win over the stub's, whatever comes first.
        own = write("own.c", '#include "aotc/runtime.h"\n#include "kws.h"\n' + STRONG)
        for first, second in ((own, f"{SOURCE}/runtime-stub/src/hooks_weak.c"),
                              (f"{SOURCE}/runtime-stub/src/hooks_weak.c", own)):
            built = run(*command, *STUB, first, second)
            self.assertEqual(built.returncode, 0, built.stderr)
            self.check_calls(run(stem).stdout)

    def test_only_if_asked(self):
        """All code and constants but NAME_run's own are the same, byte for byte."""
        for target in ("cortex-m0", "cortex-m4", "cortex-m55", "cortex-a53", "x86-64-v3"):
            plain, hooked = emit(target, "kws"), with_hooks(target)
            self.assertEqual(undefined(plain) & HOOKS, set(), target)
            self.assertEqual(undefined(hooked) - undefined(plain), HOOKS, target)
            for suffix in (".h", ".map.json", ".map.txt"):
                self.assertNotIn("layer_begin", read(plain + suffix))
            without, having = sections(plain), sections(hooked)
            self.assertGreaterEqual(len(without), 5, target)
            self.assertEqual(without.keys(), having.keys(), target)
            changed = {name for name in without if without[name] != having[name]}
            # The model's name is a constant more.
            self.assertLessEqual(changed, {".text.kws_run", ".rodata.kws"}, target)
            self.assertIn(".text.kws_run", changed, target)

    def test_header(self):
        """Alone and beside the stub's headers, with names that C could misread."""
        stem = with_hooks("cortex-m4", variant('names = ["sums"]', r'names = ["a\22b??/\5C */ \C3\A9"]'))
        use = ("extern const char *const names[]; const char *const names[KWS_LAYER_COUNT] = KWS_LAYER_NAMES;\n"
               "AOTC_SAME(KWS_LAYER_COUNT == 4)")
        own, hooks, stub = '#include "kws.h"\n', '#include "aotc/hooks.h"\n', '#include "aotc/runtime.h"\n'
        for compiler, standard, check in ((CLANG, "c11", "_Static_assert"), ("gcc", "c11", "_Static_assert"),
                                          (CLANGXX, "c++17", "static_assert"), ("g++", "c++17", "static_assert")):
            for includes in (own, own + own, hooks + own, own + stub, stub + own):
                source = write("use.c" if standard == "c11" else "use.cpp",
                               includes + use.replace("AOTC_SAME(", check + "(").replace("4)", '4, "");'))
                built = run(compiler, "-std=" + standard, *WARN, "-fsyntax-only", "-I", os.path.dirname(stem), *STUB,
                            source)
                self.assertEqual(built.returncode, 0, f"{compiler} {includes}: {built.stderr}")
        self.assertIn(r'"CONV_2D a\"b\?\?/', read(stem + ".h"))


if __name__ == "__main__":
    sys.exit(skip_main.run(sys.argv[1:]))
