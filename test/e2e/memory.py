#!/usr/bin/env python3
"""The memory promises, confirmed by painting memory in the emulator.

    memory.py AOTC [MODEL or CORE...]

For every model, compiled for Cortex-M4: the arena is within its limit; the
bytes that were written (`aotc run --check-memory`: two paints, then layer by
layer) are those of the map's buffers, from the first to the last; the painted
stack agrees with the map. With --share=in-place the tensors alone take
exactly the bytes that are live at once (memory_bounds.json of the shared data:
lower_bound_file_order), the scratch beside them. For TensorFlow Lite Micro's
five models, overlap costs at most 2 % more instructions than no sharing.

Written bytes and painted stack also of one model on a core of each other level
of Cortex-M kernels.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")
# file: (most bytes of arena, name in memory_bounds.json, one of the five)
MODELS = {
    "models/mlperf_kws_dscnn_int8": (8800, "kws_ref_model", True),
    "models/mlperf_vww96_int8": (37400, "vww_96_int8", True),
    "models/mlperf_resnet8_int8": (34000, "pretrainedResnet_quant", True),
    "models/tflm_person_detect_int8": (37400, "person_detect", True),
    "models/mlperf_ad01_int8": (768, "ad01_int8", True),
    "models/tflm_micro_speech_int8": (4400, "micro_speech_quantized", False),
    "models/mcunet_vww_int8": (78000, "mcunet_vww", False),
    "models_made/mobilenet_v2_100_224_int8": (1206000, "mobilenet_v2_1.0_224_quant", False),
}
OTHER_CORES = ("cortex-m0plus", "cortex-m3", "cortex-m55")  # thumb1, thumb2, mve
ON_OTHERS = "models/mlperf_kws_dscnn_int8"
MAX_COST = 1.02
# Words of a frame that the deepest call does not write look untouched.
STACK_SLACK = 64


def main():
    aotc, chosen = sys.argv[1], sys.argv[2:]
    if not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
        return 77  # CTest: skipped
    if not shutil.which("qemu-system-arm"):
        print("skipped: needs qemu-system-arm")
        return 77
    with open(os.path.join(SHARED, "memory", "memory_bounds.json")) as file:
        bounds = {entry["model"]: entry["lower_bound_file_order"] for entry in json.load(file)["models"]}
    failures = 0

    def check(name, what, good):
        nonlocal failures
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {name:26s} {what}")

    with tempfile.TemporaryDirectory() as folder:
        def compiled(model, *options, core="cortex-m4"):
            subprocess.run([aotc, "compile", model, "--target", core, "--name", "m", "-o", folder,
                            *options], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(folder, "m.map.json")) as file:
                return json.load(file)

        def run(model, *options, core="cortex-m4"):
            path = os.path.join(folder, "run.json")
            subprocess.run([aotc, "run", model, "--target", core, "--json", path, "--timeout", "1000",
                            *options], check=True, stdout=subprocess.DEVNULL)
            with open(path) as file:
                return json.load(file)

        def painted(name, plan, ran):
            """The map's buffers and stack, against those found by painting."""
            buffers = [(b["offset"], b["offset"] + b["bytes"]) for b in plan["buffers"]]
            first, end = min(b for b, _ in buffers), max(e for _, e in buffers)
            covered, at = 0, 0
            for begin, stop in sorted(buffers):
                covered += max(0, stop - max(at, begin))
                at = max(at, stop)
            written = ran["arena_written"]
            check(name, f"written: bytes {written['first']:,} to {written['end']:,}, {written['bytes']:,} of them; "
                        f"buffers: {first:,} to {end:,}, {covered:,}; the map's arena: {plan['arena_bytes']:,}",
                  (written["first"], written["end"], written["bytes"]) == (first, end, covered)
                  and first == 0 and end == plan["arena_bytes"] == ran["arena_bytes"])
            stack = ran["stack_bytes"]
            check(name, f"stack painted {stack}, in the map {plan['stack_bytes']}",
                  plan["stack_bytes"] - STACK_SLACK <= stack <= plan["stack_bytes"])

        for file, (limit, bound, is_five) in MODELS.items():
            name = os.path.basename(file)
            if chosen and name not in chosen:
                continue
            model = os.path.join(SHARED, file + ".tflite")
            plan, ran = compiled(model), run(model, "--check-memory")
            check(name, f"arena {plan['arena_bytes']:,} (<= {limit:,})", plan["arena_bytes"] <= limit)
            painted(name, plan, ran)

            plan = compiled(model, "--share=in-place")
            bare, least = plan["arena_without_scratch_bytes"], bounds[bound]
            scratch = max(layer["scratch_bytes"] for layer in plan["layers"])
            check(name, f"in place: {bare:,} without scratch (= {least:,}), {plan['arena_bytes']:,} with it "
                        f"(at most {scratch:,} more)", bare == least and bare <= plan["arena_bytes"] <= bare + scratch)
            if is_five:
                none, overlap = run(model, "--share=none")["instructions"], ran["instructions"]
                check(name, f"instructions: overlap {overlap:,} / no sharing {none:,} = {overlap / none:.4f} "
                            f"(<= {MAX_COST})", overlap <= MAX_COST * none)
        for core in OTHER_CORES:
            model = os.path.join(SHARED, ON_OTHERS + ".tflite")
            if not chosen or core in chosen:
                painted(f"kws {core}", compiled(model, core=core), run(model, "--check-memory", core=core))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
