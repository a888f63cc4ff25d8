# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sections of ./dev bench share: the choice made on its command line, and figures of a run."""
import json
import math
import os
import subprocess
from dataclasses import dataclass

FIVE = ["mlperf_ad01_int8", "mlperf_kws_dscnn_int8", "mlperf_vww96_int8", "mlperf_resnet8_int8",
        "tflm_person_detect_int8"]
MODELS = FIVE + ["mlperf_resnet8_float"]


@dataclass
class Bench:
    """`models`: names in the shared data folder's models/; `settings`: (label, options of aotc) to compare."""
    aotc: str
    shared: str
    folder: str
    models: list
    settings: list


def load(path):
    with open(path) as file:
        return json.load(file)


def model_path(bench, name):
    return os.path.join(bench.shared, "models", name + ".tflite")


def run(bench, name, target, options=()):
    """What `aotc run --json` says."""
    path = os.path.join(bench.folder, "figures.json")
    subprocess.run([bench.aotc, "run", model_path(bench, name), "--target", target, "--json", path, *options],
                   check=True, stdout=subprocess.DEVNULL)
    return load(path)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))
