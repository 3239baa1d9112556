"""Blocks of every quantised format of GGUF, and the numbers that llama.cpp makes of them.

Origin: libggml-base of the fork ngxson/llama.cpp (August 2026), MIT licence, called through its C interface; nothing of its code is here.

    python3 reference.py libggml-base.so        # writes blocks.json beside it
"""
import base64
import ctypes
import json
import os
import random
import struct
import sys

TYPES = {"Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8, "Q2_K": 10, "Q3_K": 11, "Q4_K": 12, "Q5_K": 13, "Q6_K": 14, "MXFP4": 39}
COUNT = 512


class Traits(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("block", ctypes.c_int64), ("interleave", ctypes.c_int64), ("size", ctypes.c_size_t),
                ("quantised", ctypes.c_bool), ("to_float", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)),
                ("from_float", ctypes.c_void_p)]


def main(library):
    ggml = ctypes.CDLL(library)
    ggml.ggml_get_type_traits.restype = ctypes.POINTER(Traits)
    ggml.ggml_quantize_chunk.restype = ctypes.c_size_t
    ggml.ggml_quantize_chunk.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
    source, result = random.Random(7), {}
    for name, number in TYPES.items():
        traits = ggml.ggml_get_type_traits(number).contents
        size = COUNT // traits.block * traits.size
        numbers = (ctypes.c_float * COUNT)(*[source.gauss(0, 1) * 10 ** source.uniform(-2, 1) for _ in range(COUNT)])
        blocks = ctypes.create_string_buffer(size)
        ggml.ggml_quantize_chunk(number, numbers, blocks, 0, 1, COUNT, None)
        floats = (ctypes.c_float * COUNT)()
        traits.to_float(blocks, floats, COUNT)
        result[name] = {"type": number, "block": traits.block, "bytes": traits.size,
                        "data": base64.b64encode(blocks.raw[:size]).decode(),
                        "floats": base64.b64encode(struct.pack("<%df" % COUNT, *floats)).decode()}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "blocks.json"), "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
