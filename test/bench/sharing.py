# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each step of memory planning saves, and what it costs in instructions."""
import lzma
import os
import subprocess

import figures


def planned(aotc, model, target, folder, *options):
    subprocess.run([aotc, "compile", model, "--target", target, "--name", "m", "-o", folder, *options],
                   check=True, stdout=subprocess.DEVNULL)
    return figures.load(os.path.join(folder, "m.map.json"))


def first_fit(plan):
    """Every buffer at its first use in the lowest hole that holds it, as an
    allocator at run time would; the height."""
    live, height = [], 0
    for buffer in sorted(plan["buffers"], key=lambda b: b["first_step"]):
        live = [(at, end, last) for at, end, last in live if last >= buffer["first_step"]]
        offset = 0
        for at, end, _ in sorted(live):
            if at - offset >= buffer["bytes"]:
                break
            offset = max(offset, -(-end // buffer["align"]) * buffer["align"])
        live.append((offset, offset + buffer["bytes"], buffer["last_step"]))
        height = max(height, offset + buffer["bytes"])
    return height


def resnet50(bench):
    """ResNet-50 in float, whose largest layer needs the most of all shared models."""
    model = os.path.join(bench.folder, "resnet50.tflite")
    with lzma.open(os.path.join(bench.shared, "models_made", "resnet50_v1_224_float32.tflite.xz")) as packed:
        with open(model, "wb") as file:
            file.write(packed.read())
    target = "x86-64-v3"
    plain = planned(bench.aotc, model, target, bench.folder, "--keep-tensors", "--share=none")
    views = planned(bench.aotc, model, target, bench.folder, "--share=none")
    in_place = planned(bench.aotc, model, target, bench.folder, "--share=in-place")
    overlap = planned(bench.aotc, model, target, bench.folder)
    os.remove(model)
    total = sum(buffer["bytes"] for buffer in plain["buffers"])
    print("\nResNet-50, float, 224x224: bytes of arena, step by step")
    for text, value in (
            ("no reuse: all tensors of the file", total),
            ("tensors folded away (PAD, RESHAPE), copies forwarded", sum(b["bytes"] for b in views["buffers"])),
            ("reuse of dead memory, first fit in order of execution", first_fit(views)),
            ("exact offsets", views["arena_bytes"]),
            ("in place: a result on its dying input", in_place["arena_bytes"]),
            ("overlap: a result partly on its dying input", overlap["arena_bytes"])):
        print(f"{text:56s} {value:>12,} {value / total:7.1%}")
    print(f"least for these lifetimes: {overlap['plan_optimal'] and 'proved' or 'not proved'}; "
          f"for any order: {overlap['order_proved'] and 'proved' or 'not proved'}")


def cost(bench):
    """Sharing against no sharing on Cortex-M4, emulated."""
    print("\nCortex-M4: arena and instructions, no sharing / in place / overlap")
    for name in filter(figures.FIVE.__contains__, bench.models):
        found = [figures.run(bench, name, "cortex-m4", ["--share", share])
                 for share in ("none", "in-place", "overlap")]
        arenas = " / ".join(f"{f['arena_bytes']:>7,}" for f in found)
        counts = " / ".join(f"{f['instructions']:>12,}" for f in found)
        print(f"{name:26s} {arenas}   {counts}  {found[2]['instructions'] / found[0]['instructions'] - 1:+.2%}")
