# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs and outputs in the caller's memory: `--input MODE`, `--output MODE`."""
import json
import os
import subprocess

from support import DIGITS, CliTest, read, write

MODES = ("arena", "arena-preserved", "caller", "caller-consumable")
# One input that is also an output, beside another output that shows it under
# another shape, and a result that is output twice.
ALIASES = """module {
  func.func @main(%x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
    %0 = nn.add %x, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %1 = nn.reshape %x : (tensor<1x4xf32>) -> tensor<4xf32>
    return %x, %1, %0, %0 : tensor<1x4xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
}
"""
PROGRAM = """#include "net.h"
#include <stdio.h>
#include <string.h>
NET_ARENA(arena);
NET_INPUT(input);
NET_OUTPUT(output);
int main(void) {
  int8_t before[NET_INPUT_SIZE];
  for (int i = 0; i < NET_INPUT_SIZE; ++i) input[i] = before[i] = (int8_t)(i * 7);
  if (net_run(arena, sizeof arena, input, output) != AOTC_OK) return 1;
  aotc_status null = net_run(arena, sizeof arena, NULL, output);
  printf("%d %d %d %d\\n", output[0], memcmp(before, input, sizeof before) == 0,
         (int)AOTC_STATUS_CODE(null), (int)AOTC_STATUS_BLOCK(null));
  return 0;
}
"""


class IoModes(CliTest):
    def outputs(self, *options, model=DIGITS):
        self.aotc("run", model, "--output-dir", "outputs", *options)
        return [read(self.path("outputs", name)) for name in self.files("outputs")]

    def test_same_answers(self):
        """In every mode, on the host and on a board; run itself finds a changed input."""
        for target in ("host", "cortex-m4"):
            expected = self.outputs("--target", target)
            for mode in MODES[1:]:
                modes = ["--input-mode", mode, "--output-mode", mode]
                self.assertEqual(self.outputs("--target", target, *modes), expected, (target, mode))

    def test_figures(self):
        maps = {}
        for mode in MODES:
            self.aotc("compile", DIGITS, "--name", "net", "--input", mode, "--output", mode, "-o", mode)
            maps[mode] = json.loads(read(self.path(mode, "net.map.json")))
        # An input of 64 bytes, an output of 10 (examples/digits/train.py).
        for mode in MODES[2:]:
            blocks = [(r["symbol"], r["bytes"], r["owner"]) for r in maps[mode]["regions"]]
            arena = maps[mode]["arena_bytes"]
            self.assertEqual(blocks, [("arena", arena, "model"), ("input", 64, mode), ("output", 10, mode)])
            self.assertLessEqual(arena, maps["arena"]["arena_bytes"])
        self.assertLessEqual(maps["caller-consumable"]["arena_bytes"], maps["caller"]["arena_bytes"])
        self.assertGreaterEqual(maps["arena-preserved"]["arena_bytes"], maps["arena"]["arena_bytes"])
        for buffer in maps["caller"]["buffers"]:
            self.assertEqual(buffer["region"] == "input 0", buffer["role"] == "input", buffer)
            self.assertEqual(buffer["region"] == "output 0", buffer["role"] == "output", buffer)

    def test_header(self):
        self.aotc("compile", DIGITS, "--name", "net", "--input", "caller", "--output", "0=caller", "-o", "out")
        self.assertIn("const int8_t *input, int8_t *output)", read(self.path("out", "net.h")).decode())
        main = write(self.path("main.c"), PROGRAM.encode())
        flags = ["-Wall", "-Wextra", "-Wcast-qual", "-Werror", "-I", self.path("out")]
        for compiler, language in (("gcc", "c"), ("g++", "c++")):
            subprocess.run([compiler, "-x", language, *flags, main, "-x", "none", self.path("out", "net.o"),
                            "-o", self.path("app")], check=True)
            text = subprocess.run([self.path("app")], capture_output=True, check=True, text=True).stdout
            # The input is as it was; a null pointer is error 1 of block 1.
            self.assertRegex(text, r"^-?\d+ 1 1 1\n$")
        self.aotc("compile", DIGITS, "--name", "net", "--input", "caller-consumable", "-o", "out")
        self.assertIn(", int8_t *input)", read(self.path("out", "net.h")).decode())

    def test_one_tensor(self):
        """By name, symbol or number; the last choice counts."""
        name = json.loads(self.aotc("inspect", DIGITS, "--json").out)
        name = name["tensors"][name["inputs"][0]]["name"]
        symbol = name.replace(":", "_")
        for which in (name, symbol, "0"):
            self.aotc("compile", DIGITS, "--name", "net", "--input", "arena", "--input", which + "=caller", "-o", "out")
            map_ = json.loads(read(self.path("out", "net.map.json")))
            self.assertEqual((map_["inputs"][0]["mode"], map_["outputs"][0]["mode"]), ("caller", "arena"))
            self.assertIn("--input-mode=" + which + "=caller", map_["options"])
        self.refused("compile", DIGITS, "--input", "x=caller", "-o", "no", says=["no input 'x'; its inputs are '" + name])
        self.refused("compile", DIGITS, "--output", "1=caller", "-o", "no", says=["no output '1'"])
        for wrong in ("callers", "=caller", "x=", "build/"):
            self.refused("compile", DIGITS, "--output", wrong, "-o", "no", status=2,
                         says=[f"'{wrong}' is no mode", "caller-consumable"])
        self.assertEqual(self.files("no"), [])


    def test_two_of_one_name(self):
        """A name that does not tell which is refused; numbers and the header's names do."""
        model = """func.func @main(%a: tensor<4xf32> {nn.name = "x"}, %b: tensor<4xf32> {nn.name = "x"}) -> tensor<4xf32> {
          %0 = nn.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32> }"""
        write(self.path("two.mlir"), model.encode())
        self.refused("compile", "two.mlir", "--input", "x=caller", "-o", "no",
                     says=["several inputs are called 'x'", "by its number"])
        for which in ("1", "x_2"):
            self.aotc("compile", "two.mlir", "--input", which + "=caller", "-o", "out")
            map_ = json.loads(read(self.path("out", "two.map.json")))
            self.assertEqual([tensor["mode"] for tensor in map_["inputs"]], ["arena", "caller"])

    def test_aliases(self):
        """Each output is a tensor of its own, whatever it shows: copies, in all modes."""
        model = write(self.path("aliases.mlir"), ALIASES.encode())
        data = b"".join(bytes([0, 0, 128, 63 + i]) for i in range(4))
        path = write(self.path("x.bin"), data)
        expected = self.outputs("--target", "host", "--input", path, model=model)
        self.assertEqual(len(expected), 4)
        self.assertEqual(sorted(expected).count(data), 2)
        self.assertEqual(len(set(expected)), 2)
        for target in ("host", "cortex-m4"):
            for mode in MODES[1:]:
                modes = ["--input-mode", mode, "--output-mode", mode]
                self.assertEqual(self.outputs("--target", target, "--input", path, *modes, model=model), expected)

    def test_shared_arena(self):
        """Only the model's own memory is shared."""
        self.aotc("compile", DIGITS, DIGITS, "--name", "a", "--name", "b", "--input", "caller", "--share-arena", "pool", "-o", "out")
        a, pool = (json.loads(read(self.path("out", n + ".map.json"))) for n in ("a", "pool"))
        self.assertEqual(pool["arena_bytes"], a["arena_bytes"])
        self.assertEqual(len(pool["regions"]), 1)
        self.assertEqual(os.path.exists(self.path("out", "pool.h")), True)
