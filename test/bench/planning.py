"""How long planning takes, and what is proved: the hard instances, Glow's
traces, and every model at hand."""
import glob
import lzma
import os
import re
import subprocess
import time

# MiniMalloc's own figures for a fit in 1,048,576 (its best height, nodes, seconds), measured on a busy x86 host.
MINIMALLOC = {"A": (1048576, 116412, 8.6), "C": (1039360, 609, 0.03), "D": (1025024, 156348, 109),
              "E": (1048576, 154625, 5.2), "F": (1048576, 52454, 8.8), "H": (1048576, 9507, 3.0),
              "I": (1048576, 14507, 5.3), "K": (1048576, 10126, 0.8)}


def plan(aotc_plan, path):
    """Height, bound, optimal, nodes; seconds of the whole command."""
    start = time.monotonic()
    line = subprocess.run([aotc_plan, path], check=True, capture_output=True, text=True).stdout
    return dict(field.split("=") for field in line.split()), time.monotonic() - start


def hard(aotc_plan, shared):
    print("\nplanner: aotc-plan / MiniMalloc")
    print(f"{'':2s} {'height':>21s} {'bound':>9s} {'optimal':>7s} {'nodes':>17s} {'seconds':>14s}")
    total = 0.0
    for name, (height, nodes, seconds) in MINIMALLOC.items():
        ours, took = plan(aotc_plan, os.path.join(shared, "data", "minimalloc", name + ".1048576.csv"))
        total += took
        print(f"{name:2s} {int(ours['height']):>9,} / {height:>9,} {int(ours['bound']):>9,} {ours['optimal']:>7s}"
              f" {int(ours['nodes']):>7,} / {nodes:>7,} {took:>6.2f} / {seconds:>5.2f}")
    published = sum(seconds for _, _, seconds in MINIMALLOC.values())
    print(f"all eight: {total:.1f} / {published:.1f} s")


def read_traces(path):
    """Yields (name, CSV text) for each model of a Glow trace."""
    align, name, buffers, now = 1, "", {}, 0
    with open(path) as file:
        for line in file:
            word, *rest = line.split() or ["#"]
            if word == "MODEL":
                name, buffers, now = rest[0], {}, 0
            elif word == "ALIGN":
                align = int(rest[0])
            elif word == "ALLOC":
                size = -(-int(rest[1]) // align) * align
                buffers[rest[0]] = [now, now + 1, size]
                now += 1
            elif word == "FREE":
                buffers[rest[0]][1] = now
            elif word == "MEM":
                rows = [f"{name},{first},{last},{size},{align}"
                        for name, (first, last, size) in buffers.items()]
                yield name, "\n".join(["id,lower,upper,size,align", *rows]) + "\n"


def glow(aotc_plan, shared, folder):
    traces = os.path.join(shared, "data", "glow_allocation_traces", "MemoryAllocatorTestModels.txt")
    results = []
    for name, text in read_traces(traces):
        path = os.path.join(folder, "trace.csv")
        with open(path, "w") as file:
            file.write(text)
        ours, took = plan(aotc_plan, path)
        results.append((took, name, ours["optimal"] == "yes"))
    took, name, _ = max(results)
    print(f"\nGlow's traces: {sum(proved for *_, proved in results)} of {len(results)} proved optimal,"
          f" {sum(result[0] for result in results):.1f} s; the longest, {name}: {took:.2f} s")


def pass_seconds(text, name):
    """Of one pass in the report of --mlir-timing."""
    found = re.findall(rf"([0-9.]+) \([^)]*\)\s+{name}\b", text)
    return sum(float(seconds) for seconds in found)


def models(aotc, shared, folder):
    """Order and offsets of every model that compiles, for cortex-m4."""
    paths = [path for where in ("models", "models_made", "nets")
             for path in sorted(glob.glob(os.path.join(shared, where, "*.tflite*")))]
    aotc_opt = os.path.join(os.path.dirname(aotc), "aotc-opt")
    done, slow, unproved, longest = 0, [], [], (0.0, "")
    for path in paths:
        name = os.path.basename(path).split(".")[0]
        model = path
        if path.endswith(".xz"):
            model = os.path.join(folder, "model.tflite")
            with lzma.open(path) as packed, open(model, "wb") as file:
                file.write(packed.read())
        lowered = os.path.join(folder, "2-lower.mlir")
        made = subprocess.run([aotc, "compile", model, "--target", "cortex-m4", "--dump-phases", folder,
                               "--stop-after", "lower"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if made.returncode:
            continue # says why by itself; not the planner's matter
        planned = subprocess.run([aotc_opt, lowered, "--aotc-phase-memory", "--mlir-timing",
                                  "--mlir-elide-elementsattrs-if-larger=1"],
                                 check=True, capture_output=True, text=True)
        order, offsets = (pass_seconds(planned.stderr, name) for name in ("Schedule", "PlanMemory"))
        done += 1
        longest = max(longest, (order + offsets, name))
        if order + offsets >= 1:
            slow.append(f"{name} {order:.2f} + {offsets:.2f} s")
        head = planned.stdout.split("{", 3)
        figures = dict(re.findall(r"instr\.(\w+) = (\w+)", "{".join(head)[:4000]))
        if figures.get("plan_optimal") != "true":
            unproved.append(f"{name} {int(figures['arena_bytes']):,} over {int(figures['plan_bound']):,}")
        if figures.get("order_proved") != "true":
            unproved.append(f"{name} (order)")
    print(f"\nplanning of {done} models (order and offsets, cortex-m4): longest {longest[1]}, {longest[0]:.2f} s")
    print("a second or more: " + (", ".join(slow) or "none"))
    print("not proved: " + (", ".join(unproved) or "none"))
