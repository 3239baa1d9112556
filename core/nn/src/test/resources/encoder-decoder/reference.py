"""Small random encoder-decoders in the layouts of the Hugging Face hub, and what they compute, in float64.

Made from the published definitions alone (Raffel et al. 2020, section 2.1, and mesh-tensorflow's bucket function; Shazeer 2020;
Lewis et al. 2020, section 2; Vaswani et al. 2017), without looking at Outrider's code:

    python3 reference.py        # needs numpy; writes the folders beside it
"""
import math
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from reference_weights import Weights  # noqa: E402

VOCABULARY, WIDTH, HEADS, HEAD, INNER = 37, 24, 3, 8, 40
SOURCES = [[5, 9, 2, 30, 1], [7, 7, 19, 3, 28, 14, 11, 6, 23, 36, 20, 1]]
TARGET = [4, 17, 9, 22, 36, 8, 15, 2, 30, 11]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def erf(x):
    return np.vectorize(math.erf)(x)


ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2))),
    "gelu_new": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "swish": lambda x: x / (1 + np.exp(-x)),
}


def attend(q, k, v, bias, scale):
    """q, k, v: [tokens, heads * head]; bias broadcasts to [heads, queries, keys]."""
    q, k, v = (np.transpose(x.reshape(len(x), HEADS, HEAD), (1, 0, 2)) for x in (q, k, v))
    mixed = softmax(q @ np.transpose(k, (0, 2, 1)) * scale + bias) @ v
    return np.transpose(mixed, (1, 0, 2)).reshape(q.shape[1], HEADS * HEAD)


def causal(n):
    return np.where(np.arange(n)[None, :] > np.arange(n)[:, None], -np.inf, 0.0)[None]


# T5

def bucket(relative, bidirectional, buckets, furthest):
    result, n = 0, -relative
    if bidirectional:
        buckets //= 2
        result += buckets if n < 0 else 0
        n = abs(n)
    else:
        n = max(n, 0)
    exact = buckets // 2
    if n < exact:
        return result + n
    large = exact + int(np.float32(math.log(n / exact)) / np.float32(math.log(furthest / exact)) * (buckets - exact))
    return result + min(large, buckets - 1)


def t5(name, seed, layers, decoder_layers, projection, tied, buckets, furthest):
    w = Weights(seed)
    gated = projection.startswith("gated-")
    f = ACTIVATIONS["gelu_new" if projection == "gated-gelu" else projection]

    def rms(x, where):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * w(where, WIDTH, centre=1, size=0.1)

    def lin(x, where, outputs):
        return x @ w(where + ".weight", outputs, x.shape[-1]).T

    def biases(stack, n, bidirectional):
        table = w(f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", buckets, HEADS, size=1.0)
        return np.array([[[table[bucket(j - i, bidirectional, buckets, furthest), h] for j in range(n)] for i in range(n)] for h in range(HEADS)])

    def block(x, at, kind, read, bias):
        h = rms(x, at + ".layer_norm.weight")
        other = h if read is None else read
        q, k, v = lin(h, f"{at}.{kind}.q", HEADS * HEAD), lin(other, f"{at}.{kind}.k", HEADS * HEAD), lin(other, f"{at}.{kind}.v", HEADS * HEAD)
        return x + lin(attend(q, k, v, bias, 1.0), f"{at}.{kind}.o", WIDTH)

    def feed(x, at):
        h = rms(x, at + ".layer_norm.weight")
        at += ".DenseReluDense"
        inner = f(lin(h, at + ".wi_0", INNER)) * lin(h, at + ".wi_1", INNER) if gated else f(lin(h, at + ".wi", INNER))
        return x + lin(inner, at + ".wo", WIDTH)

    shared = w("shared.weight", VOCABULARY, WIDTH, size=1.0)

    def encode(source):
        x = shared[source]
        bias = biases("encoder", len(source), True)
        for layer in range(layers):
            x = block(x, f"encoder.block.{layer}.layer.0", "SelfAttention", None, bias)
            x = feed(x, f"encoder.block.{layer}.layer.1")
        return rms(x, "encoder.final_layer_norm.weight")

    def decode(states, target):
        x = shared[target]
        bias = biases("decoder", len(target), False) + causal(len(target))
        for layer in range(decoder_layers):
            x = block(x, f"decoder.block.{layer}.layer.0", "SelfAttention", None, bias)
            x = block(x, f"decoder.block.{layer}.layer.1", "EncDecAttention", states, 0.0)
            x = feed(x, f"decoder.block.{layer}.layer.2")
        x = rms(x, "decoder.final_layer_norm.weight")
        return (x * WIDTH**-0.5) @ shared.T if tied else lin(x, "lm_head", VOCABULARY)

    prompt = [0] + TARGET
    expected = {"prompt": prompt, "cases": [{"source": s, "logits": decode(encode(s), prompt).tolist()} for s in SOURCES]}
    config = {
        "architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "vocab_size": VOCABULARY, "d_model": WIDTH, "d_kv": HEAD,
        "d_ff": INNER, "num_layers": layers, "num_decoder_layers": decoder_layers, "num_heads": HEADS, "feed_forward_proj": projection,
        "relative_attention_num_buckets": buckets, "relative_attention_max_distance": furthest, "layer_norm_epsilon": 1e-6,
        "n_positions": 64, "tie_word_embeddings": tied, "is_encoder_decoder": True, "decoder_start_token_id": 0, "pad_token_id": 0,
        "eos_token_id": 1,
    }
    w.save(os.path.join(HERE, name), config, expected)


# BART and Marian

def bart(name, seed, marian):
    w = Weights(seed)
    f = ACTIVATIONS["swish" if marian else "gelu"]
    scale = math.sqrt(WIDTH) if marian else 1.0

    def norm(x, at):
        centred = x - x.mean(-1, keepdims=True)
        x = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return x * w(at + ".weight", WIDTH, centre=1, size=0.1) + w(at + ".bias", WIDTH, size=0.1)

    def lin(x, at, outputs):
        return x @ w(at + ".weight", outputs, x.shape[-1]).T + w(at + ".bias", outputs, size=0.1)

    def attention(x, at, read, bias):
        q, k, v = lin(x, at + ".q_proj", WIDTH), lin(read, at + ".k_proj", WIDTH), lin(read, at + ".v_proj", WIDTH)
        return lin(attend(q, k, v, bias, HEAD**-0.5), at + ".out_proj", WIDTH)

    shared = w("model.shared.weight", VOCABULARY, WIDTH, size=0.5)

    def start(tokens, stack):
        n = len(tokens)
        if marian:
            angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, WIDTH, 2) / WIDTH)
            return shared[tokens] * scale + np.concatenate([np.sin(angles), np.cos(angles)], 1)
        table = w(f"{stack}.embed_positions.weight", 64 + 2, WIDTH, size=0.5)
        return norm(shared[tokens] * scale + table[2 : n + 2], f"{stack}.layernorm_embedding")

    def layer(x, at, states, mask):
        x = norm(x + attention(x, at + ".self_attn", x, mask), at + ".self_attn_layer_norm")
        if states is not None:
            x = norm(x + attention(x, at + ".encoder_attn", states, 0.0), at + ".encoder_attn_layer_norm")
        return norm(x + lin(f(lin(x, at + ".fc1", INNER)), at + ".fc2", WIDTH), at + ".final_layer_norm")

    def encode(source):
        x = start(source, "model.encoder")
        for number in range(2):
            x = layer(x, f"model.encoder.layers.{number}", None, 0.0)
        return x

    def decode(states, target):
        x = start(target, "model.decoder")
        for number in range(2):
            x = layer(x, f"model.decoder.layers.{number}", states, causal(len(target)))
        return x @ shared.T + w("final_logits_bias", 1, VOCABULARY, size=0.5)

    prompt = ([36] if marian else [2, 0]) + TARGET
    expected = {"prompt": prompt, "cases": [{"source": s, "logits": decode(encode(s), prompt).tolist()} for s in SOURCES]}
    config = {
        "architectures": ["MarianMTModel" if marian else "BartForConditionalGeneration"], "model_type": "marian" if marian else "bart",
        "vocab_size": VOCABULARY, "d_model": WIDTH, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": HEADS,
        "decoder_attention_heads": HEADS, "encoder_ffn_dim": INNER, "decoder_ffn_dim": INNER,
        "activation_function": "swish" if marian else "gelu", "max_position_embeddings": 64, "scale_embedding": marian,
        "static_position_embeddings": marian, "tie_word_embeddings": True, "is_encoder_decoder": True,
        "decoder_start_token_id": 36 if marian else 2, "pad_token_id": 36 if marian else 1, "eos_token_id": 1 if marian else 2,
    }
    if not marian:
        config["forced_bos_token_id"] = 0
    w.save(os.path.join(HERE, name), config, expected)


if __name__ == "__main__":
    t5("t5-1.0", 1, 2, 3, "relu", True, 8, 10)
    t5("t5-1.1", 2, 2, 2, "gated-gelu", False, 32, 128)
    bart("bart", 3, False)
    bart("marian", 4, True)
