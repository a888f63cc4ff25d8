# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles whose buffers lie in several blocks of memory: the ABI, C and C++."""
import os
import re
import shutil
import sys
import unittest

import bundle_test
from bundle_test import FLOAT_ABI, HERE, INPUTS, M4, WARN, emit, expected_output, json_map, need, read, run, skip_main, write

setUpModule, tearDownModule = bundle_test.setUpModule, bundle_test.tearDownModule

# "unused" holds nothing, so the caller is not asked for it.
REGIONS = """{instr.regions = [#instr.region<name = "dtcm", capacity = 64, align = 32, base = 536870912>,
  #instr.region<name = "unused">, #instr.region<name = "sram 2", cost = 1, section = ".bss.sram2">]}"""
# Where model.mlir's buffers go: name -> (region, offset). By hand: "sums" and the
# output are live with what lies in dtcm, and never with each other.
PLACES = {"serving_default_x:0": ("dtcm", 0), "scaled": ("dtcm", 0), "sums": ("sram 2", 0),
          "sums scratch": ("dtcm", 40), "last": ("dtcm", 0), "Identity": ("sram 2", 20)}

PROGRAM = r"""
#include "kws.h"
#include <stdio.h>
KWS_DTCM(dtcm);
KWS_SRAM_2(sram);
#define SHOW(call) do { int s = (int)(call); printf(" %d:%d", AOTC_STATUS_BLOCK(s), AOTC_STATUS_CODE(s)); } while (0)
int main(void) {
  int i;
  int8_t *in = kws_input(dtcm);
  const int8_t *out = kws_output(sram);
  for (i = 0; i < 40; ++i) in[i] = (int8_t)(i * 7 - 100);
  if (kws_run(dtcm, sizeof dtcm, sram, sizeof sram) != AOTC_OK) return 1;
  for (i = 0; i < 20; ++i) printf("%d ", out[i]);
  printf("|");
  SHOW(kws_run(NULL, sizeof dtcm, sram, sizeof sram));
  SHOW(kws_run(dtcm + 16, sizeof dtcm, sram, sizeof sram));
  SHOW(kws_run(dtcm, sizeof dtcm - 1, sram, sizeof sram));
  SHOW(kws_run(dtcm, sizeof dtcm, NULL, sizeof sram));
  SHOW(kws_run(dtcm, sizeof dtcm, sram + 1, sizeof sram));
  SHOW(kws_run(dtcm, sizeof dtcm, sram, sizeof sram - 1));
  printf("\n");
  return 0;
}
"""


def model(regions=REGIONS, places=PLACES):
    text = read(f"{HERE}/model.mlir").replace("@main()", f"@main() attributes {regions}", 1)
    for name, (region, offset) in places.items():
        text, count = re.subn(rf'(instr.alloc "{name}" [^\n]*?)offset = \d+ : i64',
                              rf'\g<1>offset = {offset} : i64, region = "{region}"', text)
        assert count == 1, name
    return write("model.mlir", text)


class Blocks(unittest.TestCase):
    def check_output(self, text):
        # Block 0, then block 1: null, misaligned, too small.
        want = " ".join(map(str, expected_output(INPUTS))) + " | 0:1 0:2 0:3 1:1 1:2 1:3"
        self.assertEqual(text.strip(), want)

    def test_host(self):
        stem = emit("host", "kws", model())
        for compiler in ("gcc", "g++"):
            main = write("main.c" if compiler == "gcc" else "main.cpp", PROGRAM)
            built = run(compiler, "-O2", *WARN[:4], "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
            self.assertEqual(built.returncode, 0, built.stderr)
            self.check_output(run(stem).stdout)

    def test_section(self):
        need("arm-none-eabi-gcc")
        stem = emit("cortex-m4", "kws", model())
        main = write("main.c", PROGRAM)
        built = run("arm-none-eabi-gcc", *M4, *FLOAT_ABI["cortex-m4"], *WARN, "-std=c11", "-c", "-I",
                    os.path.dirname(stem), main, "-o", stem + ".main.o")
        self.assertEqual(built.returncode, 0, built.stderr)
        sections = run("llvm-readelf-22", "-SW", stem + ".main.o").stdout
        # 40 bytes of sums; NOBITS, so that it takes no flash.
        self.assertRegex(sections, r"\.bss\.sram2 +NOBITS +0+ [0-9a-f]+ 000028 ")

    def test_header_says_where(self):
        text = read(emit("cortex-m4", "kws", model()) + ".h")
        self.assertIn("RAM    88 bytes: 2 blocks that you provide", text)
        self.assertIn("dtcm: 48 bytes in memory 'dtcm' from 0x20000000 on", text)
        self.assertIn("sram_2: 40 bytes in memory 'sram 2', section .bss.sram2", text)

    def test_cpp_class(self):
        stem = emit("host", "kws", model())
        main = write("main.cpp", r"""
            #include "kws.h"
            #include <cstdio>
            KWS_DTCM(dtcm);
            KWS_SRAM_2(sram);
            int main() {
              kws::Model model(dtcm, sram);
              for (int i = 0; i < 40; ++i) model.input()[i] = static_cast<int8_t>(i * 7 - 100);
              if (model.run() != AOTC_OK) return 1;
              for (int i = 0; i < 20; ++i) std::printf("%d ", model.output()[i]);
              std::printf("| 0:1 0:2 0:3 1:1 1:2 1:3\n");
            }""")
        built = run("g++", "-std=c++17", *WARN, "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.check_output(run(stem).stdout)

    def test_map(self):
        m = json_map(emit("cortex-m4", "kws", model()))
        self.assertEqual(m["arena_bytes"], 88)
        self.assertEqual(m["regions"], [
            {"name": "dtcm", "symbol": "dtcm", "bytes": 48, "align": 32, "owner": "model", "capacity": 64, "base": 0x20000000},
            {"name": "sram 2", "symbol": "sram_2", "bytes": 40, "align": 8, "owner": "model", "capacity": None, "base": None,
             "section": ".bss.sram2"}])
        self.assertEqual({b["name"]: (b["region"], b["offset"]) for b in m["buffers"]}, PLACES)
        self.assertEqual((m["inputs"][0]["region"], m["outputs"][0]["region"]), ("dtcm", "sram 2"))
        # In one offset range but not in one region: nothing is shared.
        self.assertEqual({b["name"]: b["shares_with"] for b in m["buffers"]}["sums"], [])

    def test_one_block_keeps_the_short_abi(self):
        # All in "sram 2": the application sees one arena, whatever its name.
        places = {name: ("sram 2", offset) for name, offset in
                  zip(PLACES, (0, 0, 40, 80, 0, 40))}
        stem = emit("host", "kws", model(places=places))
        main = write("main.c", bundle_test.program("kws"))
        built = run("gcc", "-O2", "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertTrue(run(stem).stdout.strip().endswith("| 1 2 3"))

    def test_names_that_the_header_needs(self):
        # Macros KWS_INPUT_SIZE and the parameter x_size exist already.
        for first, second in (("input", "state"), ("x", "x_size"), ("int", "Int"), ("blocks", "sizes")):
            names = {"dtcm": first, "sram 2": second}
            regions = REGIONS.replace('"dtcm"', f'"{first}"').replace('"sram 2"', f'"{second}"')
            stem = emit("host", "kws", model(regions, {k: (names[r], o) for k, (r, o) in PLACES.items()}))
            a, b = (r["symbol"] for r in json_map(stem)["regions"])
            main = write("main.cpp", '#include "kws.h"\n' f"KWS_{a.upper()}(one); KWS_{b.upper()}(two);\n"
                         "int main() { kws::Model m(one, two); m.input()[0] = 1;"
                         "return (int)m.run() + (int)kws_run(one, sizeof one, two, sizeof two); }")
            built = run("g++", "-std=c++17", *WARN[:4], "-I", os.path.dirname(stem), main, stem + ".o", "-o", stem)
            self.assertEqual(built.returncode, 0, f"{first} {second}: {built.stderr}")
            self.assertEqual(run(stem).returncode, 0)

    def test_errors(self):
        for regions, says in (("{instr.regions = []}", "no list of regions, or an empty one"),
                              ('{instr.regions = ["dtcm"]}', "no region"),
                              (REGIONS.replace('"unused"', '"dtcm"'), "two regions 'dtcm'")):
            self.assertIn(says, emit("host", "kws", model(regions), ok=False))


if __name__ == "__main__":
    sys.exit(skip_main.run(sys.argv[1:]))
