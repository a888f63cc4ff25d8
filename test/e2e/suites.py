#!/usr/bin/env python3
"""Runs whole suites of models through the compiler and compares bit for bit.

    suites.py --tool build/bin/aotc-suite --target cortex-m4 [--full] SUITE...

Suites: fifteen litert made tflm golden conformance nets unit bugs (all of them under
$AOTC_SHARED, else ../shared of the project) and examples (in the tree). Each is
turned into one flat list of jobs (model, inputs, expectations); aotc-suite
compiles many in one process and runs many per emulator start.

A case whose operators and types are those this version promises must match.
Any other case may match or be refused; it must never be wrong. Without --full
a fixed sample of the large suites is run. Exits 1 on any failure; the last line
counts.
"""
import argparse
import array
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")

OPERATORS = set("""CONV_2D DEPTHWISE_CONV_2D FULLY_CONNECTED AVERAGE_POOL_2D MAX_POOL_2D ADD MUL
PAD TRANSPOSE RESHAPE SQUEEZE EXPAND_DIMS SOFTMAX LOGISTIC RELU RELU6 MEAN CONCATENATION QUANTIZE
DEQUANTIZE""".split())

FIFTEEN = """mlperf_ad01_int8 mlperf_kws_dscnn_int8 mlperf_vww96_int8 mlperf_resnet8_int8
mlperf_resnet8_float tflm_person_detect_int8 tflm_hello_world_int8 tflm_hello_world_float
tflm_micro_speech_int8 magic_wand_float cifar10_float tinymaix_mnist_int8 kws_aww_int8
kws_arm_cnn_s_int8 tflm_simple_add_int8""".split()

# Those that are promised for all types of whole bytes.
ALL_TYPES = {"TRANSPOSE"}

# Conformance cases with an operator beside the one they test (here SHAPE) that
# is not among ours.
NEEDS_OTHERS = {"reshape_f32_03", "reshape_i8_03"}

# Golden outputs that were recorded with LiteRT's kernels, which round integer
# FULLY_CONNECTED once; we follow TensorFlow Lite Micro, which rounds twice, and
# that is more than the recipe's one step away here. For these the CRC-32 is
# that of TensorFlow Lite Micro's own output for the same input (PyPI package
# tflite-micro 0.dev20261023182759, its reference kernels).
ROUNDED_TWICE = {
    "kws_aww_int8/tum_0": 0xfe342238, "kws_aww_int8/tum_4": 0xe6872fc2,
    "mlperf_ad01_int8/tum_2": 0x7b1351c6, "mlperf_ad01_int8/tum_3": 0x685e4d56,
    "mlperf_ad01_int8/tum_4": 0x7238452b, "mlperf_ad01_int8/tum_5": 0xdccad8fc,
    "mlperf_ad01_int8/tum_6": 0xec27eba6, "mlperf_ad01_int8/tum_7": 0x4b30f41e,
    "mlperf_ad01_int8/tum_8": 0xa090f561, "mlperf_ad01_int8/tum_9": 0xcce06cb3,
    "mlperf_resnet8_int8/tum_1": 0x5a3fbe67, "mlperf_resnet8_int8/tum_4": 0xa93b3676,
    "mlperf_resnet8_int8/tum_6": 0x95c9ab49, "mlperf_resnet8_int8/tum_9": 0xa39c3db7,
}


def load(*parts):
    with open(os.path.join(SHARED, *parts)) as file:
        return json.load(file)


def job(group, name, model, inputs, expected, invocations, tolerance, expect):
    absolute, relative = (tolerance["abs"], tolerance["rel"]) if isinstance(tolerance, dict) \
        else (tolerance, 0)
    return {"name": f"{group}/{name}", "model": model, "inputs": inputs, "expected": expected,
            "invocations": invocations, "abs": absolute, "rel": relative, "expect": expect}


def files(folder, name, kind, count):
    return [os.path.join(SHARED, folder, f"{name}.{kind}{i}.bin") for i in range(count)]


FLOAT = {"abs": 1e-5, "rel": 1e-5}


def supported_dtypes(text):
    """dtypes as in models/index.json, e.g. "i8,i8,i32->i8"."""
    return set(text.replace("->", ",").split(",")) <= {"i8", "f32", "i32", "--", ""}


def models_jobs(names, group):
    records = {record["name"]: record for record in load("reference_outputs", "litert", "index.json")}
    for name in names:
        record = records.get(name)
        if record is None or not record.get("stored") or not record["outputs"]:
            continue
        tolerance = 0
        if record["outputs"][0]["dtype"] == "float32":
            # Deep networks with fused multiply-adds: relative to the largest
            # output where nothing is promised.
            largest = max(max(abs(t.get("min", 0)), abs(t.get("max", 0))) for t in record["outputs"])
            tolerance = FLOAT if name in FIFTEEN else {"abs": 1e-5 * max(1, largest), "rel": 1e-5}
        yield job(group, name, os.path.join(SHARED, "models", record["file"]),
                  files("reference_outputs/litert", name, "in", len(record["inputs"])),
                  files("reference_outputs/litert", name, "out", len(record["outputs"])),
                  record["invocations"], tolerance,
                  "match" if name in FIFTEEN else "any")


def fifteen():
    return list(models_jobs(FIFTEEN, "litert"))


def litert():
    names = [record["name"] for record in load("reference_outputs", "litert", "index.json")]
    return list(models_jobs([name for name in names if name not in FIFTEEN], "litert"))


def tflm():
    """Three inputs per model; those too large to be stored come from the generator."""
    outputs = load("baseline", "tflm", "outputs.json")
    folder = os.path.join(SHARED, "baseline", "tflm")
    sizes = {"mlperf_vww96_int8": 96 * 96 * 3}
    for name in FIFTEEN:
        for seed in (1, 2, 3):
            expected = os.path.join(folder, f"{name}.seed{seed}.out.bin")
            if not os.path.exists(expected):
                continue
            data = os.path.join(folder, f"{name}.seed{seed}.in.bin")
            if not os.path.exists(data):
                data = generated_input(seed, sizes[name])
            yield job("tflm", f"{name}.seed{seed}", os.path.join(SHARED, "models", name + ".tflite"),
                      [data], [expected], 1, 0, "match")


def generated_input(seed, size):
    """The generator of baseline/tflm/README.md."""
    x = seed * 0x9E3779B1 & 0xFFFFFFFF
    data = bytearray()
    for _ in range(size):
        x = (x * 1664525 + 1013904223) & 0xFFFFFFFF
        data.append(x >> 24)
    return scratch_file(bytes(data))


SCRATCH = tempfile.TemporaryDirectory(prefix="aotc-suites-")
_count = 0


def scratch_file(data, suffix=".bin"):
    global _count
    _count += 1
    path = os.path.join(SCRATCH.name, f"{_count}{suffix}")
    with open(path, "wb") as file:
        file.write(data)
    return path


def read_floats(path):
    values = array.array("f")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return list(values)


def quantise(values, tensor):
    scale, zero = tensor["scale"][0], tensor["zero_point"][0]
    return bytes(max(-128, min(127, round(v / scale) + zero)) & 255 for v in values)


def golden():
    """By the recipes in models/index.json; `check` is evaluated on our output."""
    index = load("models", "index.json")
    models = {model["file"]: model for model in index["models"]}
    for group in index["golden"]:
        name = group["model"][:-len(".tflite")] if group["model"].endswith(".tflite") else None
        if name not in FIFTEEN:
            continue
        model = models[group["model"]]
        for case in group["cases"]:
            folder = os.path.join(SHARED, "golden", name, case["case"])
            source = os.path.join(folder, case["inputs"][0])
            data = open(source, "rb").read()
            if source.endswith(".u8") and name != "tflm_person_detect_int8":
                # (person_detect's file already holds the int8 bytes: its
                # recorded output is met exactly so, and by far not otherwise.)
                data = bytes(value ^ 128 for value in data)
            elif source.endswith(".f32") and model["inputs"][0]["dtype"] == "INT8":
                data = quantise(read_floats(source), model["inputs"][0])
            record = job("golden", f"{name}/{case['case']}",
                         os.path.join(SHARED, "models", group["model"]), [scratch_file(data)],
                         [], 1, 0, "match")
            output = model["outputs"][0]
            if "expected_int8" in case:
                record["expected"] = [scratch_file(bytes(v & 255 for v in case["expected_int8"]))]
            elif "expected_difference" in case:
                record["check"] = ("difference", case["expected_difference"])
            elif "expected_xor32" in case:
                record["check"] = ("xor32", int(case["expected_xor32"], 16))
            else:
                expected = os.path.join(folder, case["outputs"][0])
                if f"{name}/{case['case']}" in ROUNDED_TWICE:
                    record["check"] = ("crc32", ROUNDED_TWICE[f"{name}/{case['case']}"])
                elif output["dtype"] == "INT8":
                    kind = "argmax" if "argmax" in group["recipe"] else "step"
                    scale, zero = output["scale"][0], output["zero_point"][0]
                    record["check"] = (kind, [v / scale + zero for v in read_floats(expected)])
                else:
                    record["expected"] = [expected]
                    record["abs"], record["rel"] = \
                        (1e-3, 0) if "1e-3 absolute" in group["recipe"] else (1e-5, 1e-5)
            if "check" in record:
                record["dump"] = os.path.join(SCRATCH.name, f"{name}.{case['case']}.out")
            yield record


def check_dump(check, path):
    """An error text, or None."""
    kind, expected = check
    values = array.array("b")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    if kind == "difference":
        got = values[1] - values[0]
    elif kind == "xor32":
        got = 0
        for i, value in enumerate(values):
            got ^= (value << (8 * (i % 4))) & 0xFFFFFFFF
    elif kind == "crc32":
        got = zlib.crc32(values.tobytes())
    elif kind == "argmax":
        got = max(range(len(values)), key=values.__getitem__)
        expected = max(range(len(expected)), key=expected.__getitem__)
    else:
        worst = max(abs(value - want) for value, want in zip(values, expected))
        return None if worst <= 1.001 and len(values) == len(expected) \
            else f"differs by {worst:.2f} steps, 1 is allowed"
    return None if got == expected else f"{kind}: got {got}, expected {expected}"


def conformance():
    for case in load("conformance", "index.json"):
        name = case["name"]
        types = {tensor["dtype"] for tensor in case["inputs"] + case["outputs"]}
        promised = name not in NEEDS_OTHERS and case["op"] in OPERATORS and types <= {"i8", "f32"} \
            and case["dtype"] in ("i8", "f32", "f32_i8", "i8_i8") or case["op"] in ALL_TYPES
        expect = "match" if promised else "any"
        yield job("conformance", name, os.path.join(SHARED, "conformance", name + ".tflite"),
                  files("conformance", name, "in", len(case["inputs"])),
                  files("conformance", name, "out", len(case["outputs"])),
                  case["invocations"], case["tolerance"], expect)


def nets():
    for case in load("nets", "index.json"):
        name = case["name"]
        promised = set(case["ops"]) <= OPERATORS and case["dtype"] in ("int8", "float32")
        yield job("nets", name, os.path.join(SHARED, "nets", name + ".tflite"),
                  files("nets", name, "in", len(case["inputs"])),
                  files("nets", name, "out", len(case["outputs"])),
                  case["invocations"], case["tolerance"], "match" if promised else "any")


def unit():
    seen = set()
    for case in load("models", "index.json")["unit"]:
        name = case["file"][len("unit/"):-len(".tflite")] if case["file"].endswith(".tflite") else None
        if name is None or name in seen:
            continue
        seen.add(name)
        folder = os.path.join(SHARED, "unit")
        inputs = [os.path.join(folder, f) for f in case["golden"] if ".in" in f]
        outputs = [os.path.join(folder, f) for f in case["golden"] if ".out" in f]
        promised = all(op["op"] in OPERATORS and supported_dtypes(op["dtypes"]) for op in case["ops"]) \
            and case["reference_runtime"] in ("runs", "not tried")
        yield job("unit", name, os.path.join(SHARED, case["file"]), inputs, outputs, 0, FLOAT,
                  "match" if promised and outputs else "any")


def made():
    """The larger networks of models_made; those kept compressed only with --full."""
    folder = os.path.join(SHARED, "models_made")
    for case in load("models_made", "index.json")["models"]:
        model = os.path.join(folder, case["file"])
        packed = case.get("compressed")
        types = {dtype for text in case["ops"] for dtype in text.split(" ")[1].replace("->", ",").split(",")}
        promised = {text.split(" ")[0] for text in case["ops"]} <= OPERATORS \
            and (types <= {"int8", "int32"} or types <= {"float32", "int32"})
        expect = "match" if promised else "any"
        # README.md beside them: hybrid models quantise as they run.
        tolerance = 1e-2 if "hybrid" in case["name"] else FLOAT
        record = job("made", case["name"], model, [os.path.join(folder, t["file"]) for t in case["inputs"]],
                     [os.path.join(folder, t["file"]) for t in case["outputs"]], 1, tolerance, expect)
        if packed:
            record["packed"] = os.path.join(folder, packed)
        yield record


def bugs():
    for case in load("bugs", "manifest.json"):
        if not case["file"].endswith(".tflite"):
            continue
        name = case["file"][:-len(".tflite")]
        folder = os.path.join(SHARED, "bugs")
        yield job("bugs", name, os.path.join(folder, case["file"]),
                  [os.path.join(folder, f) for f in case.get("inputs") or []],
                  [os.path.join(folder, f) for f in case.get("outputs") or []],
                  1, FLOAT, "refuse" if case["expect"] == "refuse" else "any")


def examples():
    """The models in the tree, against outputs of TensorFlow Lite Micro."""
    with open(os.path.join(ROOT, "test", "e2e", "digits_expected.json")) as file:
        expected = json.load(file)
    # The int8 model's input: scale 1/255 as float32, zero point -128.
    quantisation = {"scale": [0.003921568859368563], "zero_point": [-128]}
    for kind in ("int8", "float"):
        pixels = [[p / 16 for p in picture] for picture in expected["pictures"]]
        if kind == "int8":
            data = b"".join(quantise(picture, quantisation) for picture in pixels)
            wanted = b"".join(bytes(v & 255 for v in row) for row in expected[kind])
        else:
            data = b"".join(array.array("f", picture).tobytes() for picture in pixels)
            wanted = b"".join(array.array("f", row).tobytes() for row in expected[kind])
        yield job("examples", f"digits_{kind}",
                  os.path.join(ROOT, "examples", "digits", f"digits_{kind}.tflite"),
                  [scratch_file(data)], [scratch_file(wanted)], len(pixels),
                  0 if kind == "int8" else FLOAT, "match")


def unpack(record):
    if "packed" not in record:
        return record
    with lzma.open(record.pop("packed")) as file:
        return dict(record, model=scratch_file(file.read(), ".tflite"))


SUITES = {"examples": examples, "fifteen": fifteen, "litert": litert, "made": made, "tflm": tflm, "golden": golden,
          "conformance": conformance, "nets": nets, "unit": unit, "bugs": bugs}
SAMPLE = {"conformance": 4, "nets": 4, "unit": 3}  # one in n promised cases


def sample(suite, jobs, target_index, every):
    """A fixed part: a case belongs to it by its own name, whatever else the data holds, and to
    another part for another target: one in n of the promised ones, one in 4 n of the others."""
    step = every if every and suite in SAMPLE else SAMPLE.get(suite, 1)

    def chosen(record):
        parts = step if record["expect"] == "match" else 4 * step
        return zlib.crc32(record["name"].encode()) % parts == target_index % parts
    return jobs if step == 1 else [record for record in jobs if chosen(record)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True, help="aotc-suite")
    parser.add_argument("--target", required=True)
    parser.add_argument("--full", action="store_true",
                        default=bool(os.environ.get("AOTC_TEST_FULL")))
    parser.add_argument("--every", type=int, metavar="N",
                        help="of the large suites, one in N promised cases instead of the sample")
    parser.add_argument("--verbose", action="store_true", help="list the refused cases too")
    parser.add_argument("--option", action="append", default=[], help="passed to aotc-suite")
    parser.add_argument("--full-only", default="", help="suites that are run with --full only, a,b,c")
    parser.add_argument("suites", nargs="+", choices=SUITES)
    arguments = parser.parse_args()
    if arguments.full and arguments.full_only:
        arguments.suites += arguments.full_only.split(",")
    if arguments.suites != ["examples"] and not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
        return 77  # CTest: skipped
    target_index = sum(arguments.target.encode())
    jobs = []
    for suite in arguments.suites:
        some = list(SUITES[suite]())
        jobs += some if arguments.full else sample(suite, some, target_index, arguments.every)
    jobs = [unpack(record) for record in jobs if arguments.full or "packed" not in record]
    names = {record["name"]: record for record in jobs}
    path = os.path.join(SCRATCH.name, "jobs.json")
    with open(path, "w") as file:
        json.dump([{k: v for k, v in record.items() if k != "check"} for record in jobs], file)
    process = subprocess.run([arguments.tool, path, "--target", arguments.target] + arguments.option,
                             stdout=subprocess.PIPE, text=True)
    counts = {}
    failures = 0
    finished = False
    for line in process.stdout.splitlines():
        parts = line.split("\t")
        if parts[0] == "skipped":
            print(line.replace("\t", ": "))
            return 77
        if parts[0] == "done":
            finished = True
            continue
        verdict, name, text = parts[0], parts[1], parts[2] if len(parts) > 2 else ""
        if missing := re.search("'(qemu-[a-z0-9-]+)' not found|on this machine, which lacks ([a-z0-9_, -]+)", text):
            print(f"skipped: needs {missing[1] or 'a CPU with ' + missing[2]}")
            return 77
        if verdict == "pass" and "check" in names[name]:
            error = check_dump(names[name]["check"], names[name]["dump"] + ".0.bin")
            if error:
                verdict, text = "fail", error
        group = name.split("/")[0]
        count = counts.setdefault(group, {"pass": 0, "refused": 0, "ran": 0, "fail": 0})
        count[verdict] += 1
        if verdict == "fail":
            failures += 1
            print(f"FAIL {name} on {arguments.target}: {text}")
        elif arguments.verbose and verdict == "refused":
            print(f"refused {name}: {text}")
    for group, count in counts.items():
        print(f"{arguments.target:14s} {group:12s} pass {count['pass']:4d}  "
              f"refused with reason {count['refused']:4d}  ran, nothing to compare {count['ran']:3d}  "
              f"fail {count['fail']:3d}")
    if process.returncode or not finished:
        print(f"FAIL: {arguments.tool} stopped with status {process.returncode}")
        return 1
    return 1 if failures or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
