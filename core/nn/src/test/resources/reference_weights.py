"""Random weights of the references beside this file, and the files they are written to."""
import json
import math
import os
import struct

import numpy as np


class Weights:
    def __init__(self, seed):
        self.random, self.tensors = np.random.default_rng(seed), {}

    def __call__(self, name, *shape, centre=0.0, size=None):
        if name not in self.tensors:
            size = size or 1 / math.sqrt(shape[-1])
            self.tensors[name] = (centre + size * self.random.standard_normal(shape)).astype(np.float32)
        return self.tensors[name].astype(np.float64)

    def save(self, folder, config, expected):
        """A checkpoint in the hub's layout, and what it computes."""
        os.makedirs(folder, exist_ok=True)
        header, data = {}, b""
        for name, tensor in sorted(self.tensors.items()):
            kind = "U8" if tensor.dtype == np.uint8 else "F32"
            header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + tensor.nbytes]}
            data += tensor.tobytes()
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(folder, "model.safetensors"), "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + data)
        for name, content in (("config.json", config), ("expected.json", expected)):
            with open(os.path.join(folder, name), "w") as file:
                file.write(json.dumps(content, indent=1 if name == "config.json" else None) + "\n")
