"""Small random decoders in the quantised forms that others publish, for the tests of this folder's name.

    python3 reference.py .

writes a folder a form: config.json, model.safetensors and expected.json, which has for every matrix the SHA-256 of its numbers as
little-endian 32-bit floats, row after row, outputs for rows.

Written from the published definitions alone, with numpy, and from no program that reads these files:
  - compressed-tensors: pack-quantized (integers moved up by 2^(bits-1), packed along the rows, the first in the lowest bits of a
    32-bit word; zero points likewise along the columns), int-quantized, float-quantized
  - GPTQ, Frantar et al. 2022, in AutoGPTQ's files: qweight [in / n, out], qzeros [groups, out / n] less one (gptq_v2: as they are)
  - AWQ, Lin et al. 2023, in AutoAWQ's files of version GEMM: a word's nibbles from the lowest are outputs 0 2 4 6 1 3 5 7
  - weights of experts have these forms one by one; routers stay as they are
  - FP8 with block scales: DeepSeek-AI 2024 (DeepSeek-V3), section 3.3; E4M3: Micikevicius et al. 2022
A number is (integer - zero) * scale, or float * scale, in 32 bits.
"""

import hashlib
import json
import os
import sys

import numpy as np

HIDDEN, INNER, VOCABULARY, KEYS = 64, 192, 32, 32
MATRICES = {
    "self_attn.q_proj": (HIDDEN, HIDDEN),
    "self_attn.k_proj": (KEYS, HIDDEN),
    "self_attn.v_proj": (KEYS, HIDDEN),
    "self_attn.o_proj": (HIDDEN, HIDDEN),
    "mlp.gate_proj": (INNER, HIDDEN),
    "mlp.up_proj": (INNER, HIDDEN),
    "mlp.down_proj": (HIDDEN, INNER),
}
EXPERTS, EXPERT = 3, 32


def matrices(model):
    """Of a layer, by name; and which rows of them have other names in Llama."""
    if model == "phi3":
        fused = {"self_attn.qkv_proj": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"],
                 "mlp.gate_up_proj": ["mlp.gate_proj", "mlp.up_proj"]}
        own = {name: shape for name, shape in MATRICES.items() if not any(name in parts for parts in fused.values())}
        return {**own, **{name: (sum(MATRICES[part][0] for part in parts), HIDDEN) for name, parts in fused.items()}}, fused
    if model == "llama":
        return MATRICES, {}
    block, opening, down = {"mixtral": ("block_sparse_moe", ["w1", "w3"], "w2"), "qwen3_moe": ("mlp", ["gate_proj", "up_proj"], "down_proj")}[model]
    shapes = {name: shape for name, shape in MATRICES.items() if name.startswith("self_attn")}
    for expert in range(EXPERTS):
        at = f"{block}.experts.{expert}."
        shapes.update({at + part: (EXPERT, HIDDEN) for part in opening})
        shapes[at + down] = (HIDDEN, EXPERT)
    return shapes, {}


MODELS = {
    "mixtral": {"model_type": "mixtral", "num_local_experts": EXPERTS, "num_experts_per_tok": 2, "intermediate_size": EXPERT},
    "qwen3_moe": {"model_type": "qwen3_moe", "num_experts": EXPERTS, "num_experts_per_tok": 2, "moe_intermediate_size": EXPERT,
                  "norm_topk_prob": True},
    "phi3": {"model_type": "phi3"},
}


def words(integers, bits, order=None):
    """Integers [a, b] as words [a, ceil(b / n)], place i of a word being integer order[i]."""
    n = 32 // bits
    order = order or range(n)
    a, b = integers.shape
    padded = np.zeros((a, -(-b // n) * n), dtype=np.uint32)
    padded[:, :b] = integers
    grouped = padded.reshape(a, -1, n)
    result = np.zeros(grouped.shape[:2], dtype=np.uint32)
    for place, which in enumerate(order):
        result |= grouped[:, :, which] << np.uint32(bits * place)
    return result.view(np.int32)


def bfloat16(numbers):
    """Cut to 16 bits: as words, and as numbers."""
    bits = np.asarray(numbers, dtype=np.float32).view(np.uint32) >> 16
    return bits.astype(np.uint16), (bits << 16).astype(np.uint32).view(np.float32)


def stored(scales, kind):
    """Scales as a tensor, and as the 32-bit floats that those are."""
    if kind == "F16":
        half = scales.astype(np.float16)
        return ("F16", half), half.astype(np.float32)
    if kind == "BF16":
        half, numbers = bfloat16(scales)
        return ("BF16", half), numbers
    return ("F32", scales.astype(np.float32)), scales.astype(np.float32)


def e4m3():
    values = np.zeros(256, dtype=np.float32)
    for byte in range(256):
        exponent, fraction = byte >> 3 & 15, byte & 7
        size = fraction / 8 * 2.0**-6 if exponent == 0 else (1 + fraction / 8) * 2.0 ** (exponent - 7)
        values[byte] = -size if byte & 128 else size
    return values


def spread(scales, rows, columns, high, wide):
    """A scale of a tile for each number of it."""
    return np.repeat(np.repeat(scales, high, 0), wide, 1)[:rows, :columns]


def tiles(count, size):
    return 1 if size < 0 else -(-count // size)


class Form:
    def __init__(self, seed, config, kind, bits=4, group=-1, scale="F16", zeros=False, rows=1, **more):
        self.random = np.random.default_rng(seed)
        self.config, self.kind, self.bits, self.group, self.scale = config, kind, bits, group, scale
        self.zeros, self.rows, self.more = zeros, rows, more

    def scales(self, high, wide):
        step = {"fp8": 0.004, 4: 0.02, 8: 0.001}["fp8" if self.kind == "fp8" else self.bits]
        return (self.random.random((high, wide)) + 0.5).astype(np.float32) * np.float32(step)

    def matrix(self, rows, columns):
        """Tensors by what their names end with, and the numbers."""
        wide = columns if self.group < 0 else self.group
        groups = tiles(columns, self.group)
        if self.kind == "fp8":
            high = rows if self.rows < 0 else self.rows
            codes = self.random.integers(0, 256, (rows, columns), dtype=np.uint8)
            codes[codes & 127 == 127] = 3
            scale, numbers = stored(self.scales(tiles(rows, self.rows), groups), self.scale)
            if self.rows < 0:
                scale = (scale[0], scale[1].reshape(self.more.get("shape", [1])))
            tensors = {"weight": ("F8_E4M3", codes), self.more.get("suffix", "weight_scale"): scale}
            if self.more.get("input"):
                tensors["input_scale"] = ("F32", np.full(self.more.get("shape", [1]), 0.01, dtype=np.float32))
            return tensors, e4m3()[codes] * spread(numbers, rows, columns, high, wide)
        most = 1 << self.bits
        codes = self.random.integers(0, most, (rows, columns)).astype(np.uint32)
        middle = np.full((rows, groups), most // 2, dtype=np.uint32)
        zeros = self.random.integers(0, most, (rows, groups)).astype(np.uint32) if self.zeros else middle
        scale, numbers = stored(self.scales(rows, groups), self.scale)
        spreaded = [spread(each, rows, columns, 1, wide) for each in (zeros.astype(np.float32), numbers)]
        values = (codes.astype(np.float32) - spreaded[0]) * spreaded[1]
        across = (scale[0], scale[1].T.copy())
        if self.kind == "packed":
            tensors = {
                "weight_packed": ("I32", words(codes, self.bits)),
                "weight_scale": scale,
                "weight_shape": ("I64", np.array([rows, columns], dtype=np.int64)),
            }
            if self.zeros and self.more.get("old"):
                tensors["weight_zero_point"] = ("I8", (zeros.astype(np.int32) - most // 2).astype(np.int8))
            elif self.zeros:
                tensors["weight_zero_point"] = ("I32", words(zeros.T, self.bits).T.copy())
            return tensors, values
        if self.kind == "integers":
            return {"weight": ("I8", (codes.astype(np.int32) - 128).astype(np.int8)), "weight_scale": scale}, values
        if self.kind == "gptq":
            less = 0 if self.more.get("second") else 1
            tensors = {
                "qweight": ("I32", words(codes, self.bits).T.copy()),
                "qzeros": ("I32", words((zeros.T - np.uint32(less)) % most, self.bits)),
                "scales": across,
            }
            if self.more.get("order"):
                tensors["g_idx"] = ("I32", (np.arange(columns) // wide).astype(np.int32))
            return tensors, values
        order = [0, 2, 4, 6, 1, 3, 5, 7]
        return {
            "qweight": ("I32", words(codes.T, 4, order)),
            "qzeros": ("I32", words(zeros.T, 4, order)),
            "scales": across,
        }, values


def compressed(format, strategy, bits=4, group=None, symmetric=True, type="int", **more):
    weights = {
        "num_bits": bits, "type": type, "symmetric": symmetric, "strategy": strategy, "group_size": group,
        "dynamic": False, "actorder": None, "observer": "minmax", "observer_kwargs": {}, "block_structure": None,
    }
    settings = {"targets": ["Linear"], "weights": weights, "input_activations": None, "output_activations": None}
    weights.update({key: value for key, value in more.items() if key == "block_structure"})
    settings.update({key: value for key, value in more.items() if key == "input_activations"})
    return {
        "quant_method": "compressed-tensors", "format": format, "quantization_status": "compressed", "ignore": ["lm_head"],
        "kv_cache_scheme": None, "config_groups": {"group_0": settings}, "global_compression_ratio": None,
    }


def gptq(bits, group, sym, **more):
    return {
        "quant_method": "gptq", "bits": bits, "group_size": group, "sym": sym, "desc_act": False, "damp_percent": 0.1,
        "static_groups": False, "true_sequential": True, "model_name_or_path": None, **more,
    }


def awq(group):
    return {
        "quant_method": "awq", "bits": 4, "group_size": group, "version": "gemm", "zero_point": True,
        "modules_to_not_convert": None,
    }


FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3", "weight_block_size": [128, 128]}
STATIC = {"num_bits": 8, "type": "float", "symmetric": True, "strategy": "tensor", "dynamic": False}
INTEGER_ROWS = {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "token", "dynamic": True}
ROUNDED = {"num_bits": 8, "type": "float", "symmetric": True, "strategy": "token", "dynamic": True}
FORMS = {
    "gptq4-g32": Form(1, gptq(4, 32, False), "gptq", group=32, zeros=True),
    "gptq4-g128-sym": Form(2, gptq(4, 128, True, checkpoint_format="gptq"), "gptq", group=128, order=True),
    "gptq4-g64-v2": Form(3, gptq(4, 64, False, checkpoint_format="gptq_v2"), "gptq", group=64, zeros=True, second=True),
    "gptq8": Form(4, gptq(8, -1, False), "gptq", bits=8, zeros=True, scale="BF16", order=True),
    "awq4-g32": Form(5, awq(32), "awq", group=32, zeros=True),
    "awq4-g128": Form(6, awq(128), "awq", group=128, zeros=True),
    "packed4-g32-bf16": Form(7, compressed("pack-quantized", "group", 4, 32), "packed", group=32, scale="BF16"),
    "packed4-g128": Form(8, compressed("pack-quantized", "group", 4, 128, False), "packed", group=128, zeros=True),
    "packed4": Form(9, compressed("pack-quantized", "channel"), "packed", scale="F32"),
    "packed8-g64": Form(
        10, compressed("pack-quantized", "group", 8, 64, False), "packed", bits=8, group=64, zeros=True, old=True),
    "packed8": Form(11, compressed("pack-quantized", "channel", 8), "packed", bits=8, scale="BF16"),
    "int8": Form(12, compressed("int-quantized", "channel", 8), "integers", bits=8, scale="BF16"),
    "float8": Form(13, compressed("float-quantized", "tensor", 8, type="float"), "fp8", rows=-1, scale="BF16"),
    "float8-rows": Form(
        14, compressed("float-quantized", "channel", 8, type="float", input_activations=ROUNDED), "fp8", scale="BF16"),
    "float8-blocks": Form(
        15, compressed("float-quantized", "block", 8, type="float", block_structure=[128, 128]), "fp8", group=128, rows=128,
        scale="F32"),
    "fp8": Form(16, FP8, "fp8", group=128, rows=128, scale="F32", suffix="weight_scale_inv"),
    "fp8-bf16": Form(
        17, {**FP8, "modules_to_not_convert": ["lm_head"]}, "fp8", group=128, rows=128, scale="BF16",
        suffix="weight_scale_inv"),
    "awq4": Form(18, awq(-1), "awq", zeros=True),
    "mixtral-gptq4-g32": Form(19, gptq(4, 32, False), "gptq", group=32, zeros=True, model="mixtral"),
    "mixtral-awq4-g32": Form(
        20, {**awq(32), "modules_to_not_convert": ["gate"]}, "awq", group=32, zeros=True, model="mixtral"),
    "mixtral-packed4-g32": Form(21, compressed("pack-quantized", "group", 4, 32), "packed", group=32, scale="BF16", model="mixtral"),
    "qwen3_moe-fp8": Form(
        22, {**FP8, "modules_to_not_convert": ["lm_head", "model.layers.0.mlp.gate"]}, "fp8", group=128, rows=128, scale="BF16",
        suffix="weight_scale_inv", model="qwen3_moe"),
    "phi3-gptq4-g32": Form(23, gptq(4, 32, False), "gptq", group=32, zeros=True, model="phi3"),
    "phi3-awq4-g128": Form(24, awq(128), "awq", group=128, zeros=True, model="phi3"),
    "float8-static": Form(
        25, compressed("float-quantized", "tensor", 8, type="float", input_activations=STATIC), "fp8", rows=-1, scale="BF16", input=True),
    "fp8-static": Form(
        26, {"quant_method": "fp8", "activation_scheme": "static", "ignored_layers": ["lm_head"]}, "fp8", rows=-1, scale="F32", input=True,
        shape=[]),
    "int8-rows": Form(27, compressed("int-quantized", "channel", 8, input_activations=INTEGER_ROWS), "integers", bits=8, scale="BF16"),
}


def write(folder, form):
    os.makedirs(folder, exist_ok=True)
    config = {
        "model_type": "llama", "hidden_size": HIDDEN, "intermediate_size": INNER, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 32, "vocab_size": VOCABULARY,
        "max_position_embeddings": 64, "rms_norm_eps": 1e-5, "tie_word_embeddings": False, "torch_dtype": "float16",
        "quantization_config": form.config,
    }
    model = form.more.get("model", "llama")
    config.update(MODELS.get(model, {}))
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config, file)
        file.write("\n")
    tensors, digests = {}, {}
    for name, shape in (("model.embed_tokens", (VOCABULARY, HIDDEN)), ("lm_head", (VOCABULARY, HIDDEN))):
        tensors[name + ".weight"] = ("F16", form.random.standard_normal(shape).astype(np.float16))
    layer = "model.layers.0."
    for name in ("model.norm", layer + "input_layernorm", layer + "post_attention_layernorm"):
        tensors[name + ".weight"] = ("F16", (1 + 0.1 * form.random.standard_normal(HIDDEN)).astype(np.float16))
    router = {"mixtral": "block_sparse_moe.gate.weight", "qwen3_moe": "mlp.gate.weight"}.get(model)
    if router:
        tensors[layer + router] = ("F16", form.random.standard_normal((EXPERTS, HIDDEN)).astype(np.float16))
    if model == "qwen3_moe":
        for name in ("q_norm", "k_norm"):
            tensors[layer + f"self_attn.{name}.weight"] = ("F16", (1 + 0.1 * form.random.standard_normal(32)).astype(np.float16))
    shapes, fused = matrices(model)
    for name, (rows, columns) in shapes.items():
        parts, numbers = form.matrix(rows, columns)
        for part, tensor in parts.items():
            tensors[layer + name + "." + part] = tensor
        at = 0
        for own in fused.get(name, [name]):
            high = MATRICES[own][0] if name in fused else rows
            digests[layer + own + ".weight"] = hashlib.sha256(numbers[at : at + high].astype("<f4").tobytes()).hexdigest()
            at += high
    header, data = {}, b""
    for name in sorted(tensors, key=lambda name: (-tensors[name][1].itemsize, name)):
        kind, values = tensors[name]
        raw = np.ascontiguousarray(values).tobytes()
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + data)
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(digests, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    for name, form in FORMS.items():
        write(os.path.join(sys.argv[1], name), form)
