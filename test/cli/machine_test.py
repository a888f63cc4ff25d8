# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--machine and --region: memory as a board has it."""
import json
import os

from support import DIGITS, CliTest, read, shared, write

BOARD = """name: board
target: cortex-m4
regions:
  - {name: flash, base: 0, size: 1MiB, access: rx}
  - {name: fast, base: 0x10000000, size: %s, access: rw}
  - {name: slow, base: 0x20000000, size: %s, access: rw, cost: 1}
"""


class Machine(CliTest):
    def resnet(self):
        files = [shared("reference_outputs", "litert", f"mlperf_resnet8_int8.{part}0.bin") for part in ("in", "out")]
        return shared("models", "mlperf_resnet8_int8.tflite"), *files

    def board(self, fast, slow, name="board.yaml"):
        return write(self.path(name), (BOARD % (fast, slow)).encode())

    def test_two_regions_that_hold_it_only_together(self):
        model, inputs, outputs = self.resnet()
        board = self.board("24KiB", "24KiB")
        text = self.aotc("verify", model, "--machine", board, "-i", inputs, "-e", outputs).out
        self.assertIn("equal: 0 of 20 output elements differ over 2 inferences on cortex-m4", text)
        self.aotc("compile", model, "--machine", board, "--name", "resnet")
        regions = json.loads(read(self.path("resnet.map.json")))["regions"]
        self.assertEqual([r["name"] for r in regions], ["fast", "slow"])
        for region in regions:
            self.assertLessEqual(region["bytes"], 24576)
            self.assertGreater(region["bytes"], 0)
        self.assertTrue(read(self.path("resnet.d")).decode().rstrip().endswith(f" {board}"))

    def test_two_regions_that_do_not(self):
        # 2 x 16,384 hold the three tensors of 16,384 around operator 2 only if the third lies right
        # on the first, but a 3x3 convolution's output is some rows ahead of its input.
        model, *_ = self.resnet()
        text = self.aotc("compile", model, "--machine", self.board("16KiB", "16KiB"), status=1).err
        self.assertRegex(text.splitlines()[0],
                         r"^error: mlperf_resnet8_int8.tflite: the memory does not hold the model: operator 2 "
                         r"\(CONV_2D\) 'model/batch_normalization_2/FusedBatchNormV3' lacks \d+ bytes in region "
                         r"'(fast|slow)', which has 16384$")
        self.assertRegex(text, r"no plan can fit: \d+ bytes are needed at once, all regions together have 32768")
        self.assertRegex(text, r"it would fit if region 'slow' had \d+ bytes")
        self.assertEqual([f for f in self.files() if not f.endswith(".yaml")], [])

    def test_built_in(self):
        out = self.aotc("compile", DIGITS, "--machine", "nucleo-l4r5zi").out
        self.assertIn("digits_int8 for cortex-m4: RAM", out)
        header = read(self.path("digits_int8.h")).decode()
        self.assertIn("arena: in memory 'sram' from 0x20000000 on", header)
        self.assertIn("--machine=nucleo-l4r5zi", header)
        self.aotc("compile", DIGITS, "--machine", "nucleo-l4r5zi", "--target", "cortex-m4+nofp")
        self.assertIn("  nucleo-l4r5zi", self.aotc("targets").out)

    def test_errors(self):
        refused = lambda *more, says, status=2: self.refused("compile", DIGITS, *more, says=says, status=status)
        refused("--machine", "nucleo-l4r5z", says=["unknown machine", "did you mean nucleo-l4r5zi"])
        refused("--machine", "board", says=["unknown machine 'board'; there are apollo3-evb, ", ", xg24-dk2601b ("])
        refused("--machine", "none.yaml", says=["cannot read 'none.yaml'"])
        refused("--machine", "nucleo-l4r5zi", "--target", "x86-64-v2", says=["does not suit machine", "cortex-m4"])
        refused("--machine", "nucleo-l4r5zi", "--region", "sram=none", says=["no memory region is left"])
        refused("--machine", "nucleo-l4r5zi", "--region", "ram=none", says=["there are flash, sram"])
        refused("--region", "a=x", says=["write NAME=SIZE"])
        # A name in another case or order is a slip of the hand, not a region that the board does not have.
        for slip in ("dctm", "DTCM"):
            refused("--machine", "nucleo-h743zi", "--region", slip + "=1KiB", says=["did you mean 'dtcm'?"])
        refused("--region", "a=1KiB", "--region", "a=2KiB", says=["says twice what 'a' is"])
        # From 0x20000000 on, 128 MiB reach over 0x24000000, where the next one begins.
        refused("--machine", "nucleo-h743zi", "--region", "dtcm=128MiB", says=["overlaps region"])
        refused("--machine", "nucleo-l4r5zi", "--region", "flash=none", says=["no memory region is left for the code"])
        write(self.path("wrap.yaml"), b"name: wrap\ntarget: cortex-m4\nregions:\n"
              b"  - {name: a, base: 0xFFFFF000, size: 24KiB, access: rw}\n")
        refused("--machine", "wrap.yaml", says=["goes beyond address 0xFFFFFFFF"])
        noted = self.aotc("compile", DIGITS, "--machine", "nucleo-l4r5zi", "--region", "psram=8MiB")
        self.assertIn("note: machine 'nucleo-l4r5zi' has no region 'psram'", noted.err)
        write(self.path("bad.yaml"), b"name: board\ntarget: cortex-m4\nregions:\n  - {name: a, size: 1kB, access: rw}\n")
        refused("--machine", "bad.yaml", says=["bad.yaml:4:", "no size"])
        write(self.path("odd.yaml"), (BOARD % ("1KiB", "1KiB")).replace("cortex-m4", "z80").encode())
        refused("--machine", "odd.yaml", says=["has a z80, which is no target"])
        refused("--machine", "nucleo-l4r5zi", "--region", "flash=1K",
                says=["do not fit", "are missing", "most weights", "FULLY_CONNECTED"], status=1)

    def test_weights_in_a_section(self):
        text = (BOARD % ("24KiB", "24KiB")).replace("  - {name: fast", "  - {name: xip, section: .xip, size: 1MiB, "
                                                     "access: r}\n  - {name: fast")
        write(self.path("xip.yaml"), text.encode())
        self.aotc("compile", DIGITS, "--machine", "xip.yaml", "--name", "d")
        self.assertIn("weights (section .xip)", read(self.path("d.h")).decode())
        self.assertIn(b".xip\0", read(self.path("d.o")))
        self.aotc("run", DIGITS, "--machine", "xip.yaml")
