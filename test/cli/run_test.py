# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`aotc run` and `aotc verify`."""
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess

from support import DIGITS, FLOAT, CliTest, read, shared, write

TARGETS = ("host", "cortex-m0", "cortex-m3", "cortex-m4", "cortex-m4+softfp", "cortex-m4+nofp", "cortex-m7",
           "cortex-m23", "cortex-m33", "cortex-m33+nodsp+nofp", "cortex-m55", "cortex-m85", "cortex-a9", "cortex-a53", "cortex-a76",
           "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4+vnni")


def npy(descr, shape, data):
    """A .npy file, version 1, as NumPy's format description has it."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def tensors(count, first=0):
    """Inputs of the digits models: 64 int8 values each."""
    return bytes((7 * (i + first) + 13 * (i // 64)) & 255 for i in range(64 * count))


class Run(CliTest):
    def outputs(self, *options, model=DIGITS):
        folder = self.path("outputs")
        self.aotc("run", model, "--output-dir", folder, *options)
        (name,) = os.listdir(folder)
        data = read(os.path.join(folder, name))
        shutil.rmtree(folder)
        return data

    def test_targets(self):
        """All targets agree on the integers; what cannot run here says why."""
        results = {}
        for target in TARGETS:
            needs = {"x86-64-v4": "avx512vl", "x86-64-v4+vnni": "avx512_vnni"}.get(target, "")
            if needs not in read("/proc/cpuinfo").decode():
                self.refused("run", DIGITS, "--target", target,
                             says=[f"'{target}' does not run on this machine", "avx512"])
            elif target.startswith("cortex-a") and not shutil.which("qemu-aarch64"):
                self.refused("run", DIGITS, "--target", target, says=["qemu-user"])
            else:
                results[target] = self.outputs("--target", target)
        self.assertGreaterEqual(len(results), 5)
        self.assertEqual(len(set(results.values())), 1, results)

    def test_long_window(self):
        """The row pointers of a filter of 1,000 rows take no stack, in blocks neither."""
        conv = """func.func @main(%x: tensor<1x1009x1x1xf32>) -> tensor<1x10x1x1xf32> {
          %w = nn.constant dense<1.0> : tensor<1x1000x1x1xf32> -> tensor<1x1000x1x1xf32>
          %0 = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
            padding = array<i64: 0, 0, 0, 0>} : (tensor<1x1009x1x1xf32>, tensor<1x1000x1x1xf32>)
            -> tensor<1x10x1x1xf32>
          return %0 : tensor<1x10x1x1xf32> }"""
        model = write(self.path("conv.mlir"), conv.encode())
        # Row i of the output sums rows i to i + 999 of the input, all 1 but the first, 3.
        data = write(self.path("x.bin"), struct.pack("<1009f", 3, *[1] * 1008))
        expected = struct.pack("<10f", 1002, *[1000] * 9)
        for target in ("host", "cortex-m4"):
            for rows in ("0", "7"):
                output = self.outputs("--target", target, "--rows-per-call", rows, "--input", data,
                                      "--json", self.path("figures"), model=model)
                self.assertEqual(output, expected, (target, rows))
                figures = json.loads(read(self.path("figures")))
                self.assertLess(figures["stack_bytes"], 512, (target, rows))
        # 4,004 bytes of pointers and 4,036 of input.
        self.aotc("compile", model, "--target", "cortex-m4", "-o", "out")
        figures = json.loads(read(self.path("out", "conv.map.json")))
        self.assertLess(figures["stack_bytes"], 256)
        self.assertGreaterEqual(figures["arena_bytes"], 4004 + 4036)

    def test_copies(self):
        """y as two outputs: at the copy, both are live, 4 floats each."""
        text = """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
          %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
          return %0, %0 : tensor<4xf32>, tensor<4xf32> }"""
        model = write(self.path("two.mlir"), text.encode())
        self.aotc("compile", model, "-o", "out")
        layers = json.loads(read(self.path("out", "two.map.json")))["layers"]
        self.assertEqual([layer["used_memory"] for layer in layers if layer["op"] == "COPY"], [32])

    def test_seed(self):
        text = self.outputs()
        self.assertEqual(text, self.outputs("--seed", "1"))
        self.assertNotEqual(text, self.outputs("--seed", "2"))

    def test_float_without_fpu(self):
        values = [struct.unpack("<10f", self.outputs("--target", target, model=FLOAT))
                  for target in ("cortex-m4", "cortex-m4+nofp")]
        for one, other in zip(*values):
            self.assertLess(abs(one - other), 1e-5)
        self.assertLess(abs(sum(values[0]) - 1), 1e-5)  # a softmax

    def test_inputs(self):
        """Raw and NumPy files, one inference or several, give the same."""
        write(self.path("3.bin"), tensors(3))
        write(self.path("3.npy"), npy("|i1", (3, 8, 8, 1), tensors(3)))
        write(self.path("31.npy"), npy("|i1", (3, 1, 8, 8, 1), tensors(3)))
        for target in ("host", "cortex-m4"):
            single = b""
            for i in range(3):
                write(self.path("1.bin"), tensors(3)[64 * i:64 * i + 64])
                single += self.outputs("--input", "1.bin", "--target", target)
            self.assertEqual(len(single), 30)
            for name in ("3.bin", "3.npy", "31.npy"):
                self.assertEqual(self.outputs("-i", name, "--target", target), single, name)
        text = self.aotc("run", DIGITS, "-i", "3.bin").out
        self.assertIn("inferences    3 ", text)

    def test_wrong_inputs(self):
        cases = [("63.bin", tensors(1)[:63], ["63 bytes", "64 bytes"]), ("0.bin", b"", ["0 bytes"]),
                 ("f.npy", npy("<f4", (1, 8, 8, 1), tensors(4)), ["<f4", "|i1"]),
                 ("s.npy", npy("|i1", (8, 8), tensors(1)), ["(8, 8)", "(1, 8, 8, 1)"]),
                 ("cut.npy", npy("|i1", (1, 8, 8, 1), tensors(1))[:-1], ["cut.npy"]),
                 ("no.npy", b"no array", ["not a NumPy file"])]
        for name, data, says in cases:
            write(self.path(name), data)
            self.refused("run", DIGITS, "--input", name, says=[name, *says])
        self.refused("run", DIGITS, "--input", "missing.bin", says=["missing.bin", "No such file"])
        self.refused("run", DIGITS, "--input", self.folder, says=["irectory"])
        write(self.path("1.bin"), tensors(1))
        self.refused("run", DIGITS, "-i", "1.bin", "-i", "1.bin", says=["1 input", "2 files"])

    def test_json(self):
        """The names other tools read; map and run agree."""
        names = {"arena_bytes", "state_bytes", "weights_bytes", "code_bytes", "stack_bytes", "target",
                 "model_sha256"}
        self.aotc("compile", DIGITS, "--target", "cortex-m4")
        map_ = json.loads(read(self.path("digits_int8.map.json")))
        figures = json.loads(self.aotc("run", DIGITS, "--target", "cortex-m4", "--json", "-").out)
        for name in names | {"instructions"}:
            self.assertIn(name, figures)
        self.assertGreater(figures["instructions"], 10000)  # of some 50,000 multiplications
        for name in names - {"stack_bytes"}:  # measured, the map's is computed
            self.assertEqual(map_[name], figures[name], name)
        self.assertEqual(figures["model_sha256"], hashlib.sha256(read(DIGITS)).hexdigest())
        write(self.path("2.bin"), tensors(2))
        self.aotc("run", DIGITS, "-i", "2.bin", "--json", "new/f.json", "--output-dir", "out")
        figures = json.loads(read(self.path("new", "f.json")))
        self.assertGreater(figures["ns_per_inference"], 0)
        self.assertEqual(figures["invocations"], 2)
        self.assertEqual(self.files("out"), [figures["outputs"][0]["file"]])
        self.assertEqual(figures["outputs"][0]["shape"], [1, 10])
        self.refused("run", DIGITS, "--json", "new/f.json/x", says=["cannot write"])

    def test_check_memory(self):
        """A faultless model; then IR in which the last kernel has six elements more
        than its tensor."""
        for target in ("host", "cortex-m4"):
            # One layer per operator but the reshape, which moves nothing.
            text = self.aotc("run", DIGITS, "--target", target, "--check-memory").out
            self.assertIn("; 8 layers checked", text)
            figures = json.loads(self.aotc("run", DIGITS, "--target", target, "--check-memory",
                                           "--json", "-").out)
            self.assertEqual(figures["arena_written"]["first"], 0)
            self.assertEqual(figures["arena_written"]["end"], figures["arena_bytes"])
            ir = self.aotc("compile", DIGITS, "--target", target, "--stop-after=lower").out
            self.assertEqual(ir.count("shape [1, 10] layer"), 1)
            write(self.path("long.mlir"), ir.replace("shape [1, 10] layer", "shape [1, 16] layer").encode())
            text = self.aotc("run", "long.mlir", "--target", target, "--check-memory", status=1).err
            self.assertRegex(text, r"long: step 7 \(SOFTMAX .*\) changed byte \d+ of the arena, which is "
                                   "neither its result nor its scratch")

    def test_profile(self):
        """A row for each layer; rows and the rest add up to one inference."""
        self.aotc("compile", DIGITS, "--target", "cortex-m4", "-o", "out")
        layers = json.loads(read(self.path("out", "digits_int8.map.json")))["layers"]
        for target in ("cortex-m4", "cortex-a53", "host"):
            if target == "cortex-a53" and not shutil.which("qemu-aarch64"):
                continue
            write(self.path("2.bin"), tensors(2))
            options = ["-i", "2.bin", "--target", target, "--profile"]
            figures = json.loads(self.aotc("run", DIGITS, *options, "--json", "-").out)
            profile = figures["profile"]
            unit, total = profile["unit"], "ns_per_inference" if target == "host" else "instructions"
            self.assertEqual(unit, "ns" if target == "host" else "instructions")
            rows = profile["layers"]
            self.assertEqual([(row["op_index"], row["op"], row["name"], row["used_memory"]) for row in rows],
                             [(layer["op_index"], layer["op"], layer["name"], layer["used_memory"])
                              for layer in layers])
            # Distinct bytes: the fullest layer's are never more than the arena.
            self.assertLessEqual(max(row["footprint_bytes"] for row in rows), figures["arena_bytes"])
            self.assertEqual(sum(row[unit] for row in rows) + profile["outside_layers"], figures[total])
            self.assertEqual(profile["total"], figures[total])
            # By shape: 8 filters of 3x3 on 8x8, as the model's first layer is; SOFTMAX multiplies nothing.
            self.assertEqual((rows[0]["op"], rows[0]["macs"]), ("CONV_2D", 8 * 9 * 64))
            self.assertEqual((rows[-1]["op"], rows[-1]["macs"]), ("SOFTMAX", None))
            if target == "host":
                # One call's: never below zero, and the layers are most of it.
                self.assertTrue(0 <= profile["outside_layers"] < profile["total"] / 2, profile)
                self.assertTrue(all(row[unit] >= 0 for row in rows), profile)
                continue
            # The largest is a convolution, the smallest the softmax of ten; 10 to 100 instructions check three
            # arguments and call eight functions.
            self.assertRegex(max(rows, key=lambda row: row[unit])["op"], "CONV_2D$")
            self.assertTrue(0 < profile["outside_layers"] < 200, profile["outside_layers"])
            text = self.aotc("run", DIGITS, *options).out.split("\n\n", 1)[1].splitlines()
            self.assertEqual(len(text), 1 + len(rows) + 6)
            for line, row in zip(text[1:], rows):
                self.assertRegex(line, rf"^ +{row['op_index']}  {row['op']} .* {row['used_memory']:,} +{row['footprint_bytes']:,} .* {row[unit]:,} +[\d.]+%")
            self.assertRegex(text[-5], rf"whole inference .* {figures[total]:,}  100.0%$")
        # The same figure without the option, but for ticks of the board's timer.
        plain = json.loads(self.aotc("run", DIGITS, "-i", "2.bin", "--target", "cortex-m4", "--json", "-").out)
        exact = json.loads(self.aotc("run", DIGITS, "-i", "2.bin", "--target", "cortex-m4", "--profile", "--json",
                                     "-").out)
        self.assertNotIn("profile", plain)
        self.assertLessEqual(abs(plain["instructions"] - exact["instructions"]), 80)

    def test_save_elf(self):
        self.aotc("run", DIGITS, "--target", "cortex-m4", "--save-elf", "image.elf")
        self.assertEqual(read(self.path("image.elf"))[:4], b"\x7fELF")
        process = subprocess.run(
            ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial",
             "none", "-semihosting-config", "enable=on,target=native", "-kernel", "image.elf"],
            cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.refused("run", DIGITS, "--target", "cortex-m4", "--save-elf", "no/image.elf",
                     says=["cannot write 'no/image.elf'"])


class Verify(CliTest):
    def test_expectations_first(self):
        """Expectations that are missing or too few are found before the model runs."""
        elf = self.path("image")
        ran = ["--target", "cortex-m4", "--save-elf", elf]
        self.refused("verify", DIGITS, "--expect", "missing.bin", *ran, says=["missing.bin"])
        one = write(self.path("y.bin"), bytes(10))
        self.refused("verify", DIGITS, "--expect", one, "--expect", one, *ran,
                     says=["1 outputs", "2 files"])
        two = write(self.path("z.bin"), bytes(20))
        self.refused("verify", DIGITS, "--expect", two, *ran, says=["2 tensors", "1 inferences"])
        self.assertFalse(os.path.exists(elf))

    def setUp(self):
        super().setUp()
        write(self.path("in.bin"), tensors(2))
        self.options = ["--input", "in.bin"]
        self.aotc("run", DIGITS, *self.options, "--output-dir", "out", "--kernels", "ref")
        self.expected = read(self.path("out", self.files("out")[0]))

    def verify(self, data, *options, status, model=DIGITS):
        write(self.path("expected.bin"), data)
        return self.aotc("verify", model, *self.options, "--expect", "expected.bin", *options,
                         status=status)

    def test_equal(self):
        for target in ("host", "cortex-m4"):
            text = self.verify(self.expected, "--target", target, status=0).out
            self.assertIn("equal: 0 of 20 output elements differ over 2 inferences", text)

    def test_wrong_distance(self):
        """Kernels that declare smaller distances between input and output than they
        keep: the plan is believed, the outputs are wrong."""
        ir = self.aotc("compile", DIGITS, "--target", "cortex-m4", "--stop-after=lower").out
        for change, status in ((ir, 0), (re.sub("ascending = [0-9]+", "ascending = 0", ir), 1)):
            write(self.path("m.mlir"), change.encode())
            text = self.verify(self.expected, "--target", "cortex-m4", "--check-memory", model="m.mlir",
                               status=status).out
            self.assertIn("equal: 0 of 20" if not status else "different: ", text)
            self.assertIn("memory: 8 layers, each changed only its results and its scratch", text)

    def test_flipped(self):
        for at, place in ((0, "invocation 0 [0, 0]"), (13, "invocation 1 [0, 3]")):
            data = bytearray(self.expected)
            data[at] ^= 1
            text = self.verify(data, status=1).out
            self.assertIn(f"1 of 20 elements differ, the first at {place}: got ", text)
            signed = struct.unpack("b", data[at:at + 1])[0]
            self.assertIn(f"expected {signed}\n", text)

    def test_wrong_files(self):
        write(self.path("short.bin"), self.expected[:-1])
        write(self.path("one.bin"), self.expected[:10])
        options = ["verify", DIGITS, *self.options]
        self.refused(*options, "--expect", "short.bin", says=["short.bin", "19 bytes", "10 bytes"])
        self.refused(*options, "--expect", "one.bin", says=["one.bin", "1 tensor", "2 inferences"])
        self.refused(*options, "--expect", "none.bin", says=["none.bin", "No such file"])
        self.refused(*options, "-e", "one.bin", "-e", "one.bin", says=["1 output", "2 files"])

    def test_tolerance(self):
        self.aotc("run", FLOAT, "--output-dir", "float")
        data = read(self.path("float", self.files("float")[0]))
        values = list(struct.unpack("<10f", data))
        most = values.index(max(values))
        values[most] += 0.01
        self.options = []
        changed = struct.pack("<10f", *values)
        self.verify(data, "--abs", "0", "--rel", "0", status=0, model=FLOAT)
        text = self.verify(changed, status=1, model=FLOAT).out
        self.assertIn(f"the first at [0, {most}]", text)
        self.verify(changed, "--abs", "0.02", status=0, model=FLOAT)
        self.verify(changed, "--abs", "0", "--rel", "0.02", status=0, model=FLOAT)
        self.verify(changed, "--abs", "0.001", status=1, model=FLOAT)

    def shared_net(self, folder, name, outputs):
        models = folder if folder == "nets" else "models"
        arguments = ["verify", shared(models, name + ".tflite"), "--target", "cortex-m4",
                     "--input", shared(folder, name + ".in0.bin")]
        for i in range(outputs):
            arguments += ["--expect", shared(folder, f"{name}.out{i}.bin")]
        with open(shared(folder, name + ".tensors.json")) as file:
            return arguments, json.load(file)

    def test_tensors(self):
        arguments, checksums = self.shared_net("nets", "cnn_int8_3", 1)
        wrong = len(checksums) // 2
        checksums[wrong]["crc32"] = f"{int(checksums[wrong]['crc32'], 16) ^ 1:08x}"
        write(self.path("t.json"), json.dumps(checksums).encode())
        text = self.aotc(*arguments, "--keep-tensors", "--tensors", "t.json", status=1).out
        self.assertIn(f"first wrong layer: tensor {checksums[wrong]['index']} ", text)
        self.assertIn(checksums[wrong]["name"], text)
        self.assertIn(" 1 wrong, 0 not comparable", text)
        for bad in (b"", b"{}", b"[1]", b'[{"index": 1, "crc32": "xyz"}]'):
            write(self.path("t.json"), bad)
            self.assertIn("t.json", self.aotc(*arguments, "--tensors", "t.json", status=1).err)

    def test_keep_tensors(self):
        """PAD folded into a convolution leaves its result not comparable."""
        arguments, checksums = self.shared_net("reference_outputs/litert", "emza_ssd_slim_int8", 2)
        write(self.path("t.json"), json.dumps(checksums).encode())
        text = self.aotc(*arguments, "--tensors", "t.json").out
        self.assertRegex(text, r"not comparable: .* of PAD\b")
        text = self.aotc(*arguments, "--tensors", "t.json", "--keep-tensors").out
        self.assertIn(f"tensors: {len(checksums)} equal, 0 wrong, 0 not comparable", text)
