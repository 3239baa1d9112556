"""A small Hydra++ head in its authors' layout, and what it computes, in float64.

Written from the paper and from zankner/Hydra (hydra/model/hydra_heads/prefix_mlp_head.py), without looking at Outrider's code:

    python3 reference.py        # needs numpy; writes the files beside it
"""
import json
import math
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../../core/nn/src/test/resources"))
from reference_weights import Weights  # noqa: E402

VOCABULARY, D, F, HEADS, SHARED, SIZE, GUESSES, BLOCKS, EPS, THETA = 13, 16, 20, 4, 2, 4, 3, 3, 1e-5, 10000.0
COMMITTED = [3, 7, 1, 12, 5, 9, 2]  # the last one is the root
DRAFTED = [4, 11]
LAYER = "prefix_embeding_layer.layers.0."


def rms(x, weight):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * weight


def silu(x):
    return x / (1 + np.exp(-x))


def rotate(x, position):
    half = SIZE // 2
    angle = position * THETA ** (-2 * np.arange(half) / SIZE)
    a, b = x[:half], x[half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)])


def prefix(w, states):
    """The prefix layer of all positions: a Llama layer and its final norm over the target's states."""
    q, k, v, out = [], [], [], []
    for position, state in enumerate(states):
        x = rms(state, w(LAYER + "input_layernorm.weight", D, centre=1.0, size=0.1))
        q.append((w(LAYER + "self_attn.q_proj.weight", HEADS * SIZE, D) @ x).reshape(HEADS, SIZE))
        k.append((w(LAYER + "self_attn.k_proj.weight", SHARED * SIZE, D) @ x).reshape(SHARED, SIZE))
        v.append((w(LAYER + "self_attn.v_proj.weight", SHARED * SIZE, D) @ x).reshape(SHARED, SIZE))
        q[-1] = np.stack([rotate(row, position) for row in q[-1]])
        k[-1] = np.stack([rotate(row, position) for row in k[-1]])
        seen = []
        for head in range(HEADS):
            of = head * SHARED // HEADS
            scores = np.array([q[-1][head] @ key[of] for key in k]) / math.sqrt(SIZE)
            share = np.exp(scores - scores.max())
            share /= share.sum()
            seen.append(sum(s * value[of] for s, value in zip(share, v)))
        x = state + w(LAYER + "self_attn.o_proj.weight", D, HEADS * SIZE) @ np.concatenate(seen)
        h = rms(x, w(LAYER + "post_attention_layernorm.weight", D, centre=1.0, size=0.1))
        gate = silu(w(LAYER + "mlp.gate_proj.weight", F, D) @ h) * (w(LAYER + "mlp.up_proj.weight", F, D) @ h)
        x = x + w(LAYER + "mlp.down_proj.weight", D, F) @ gate
        out.append(rms(x, w("prefix_embeding_layer.norm.weight", D, centre=1.0, size=0.1)))
    return out


def linear(w, name, rows, x):
    return w(name + ".weight", rows, len(x)) @ x + w(name + ".bias", rows, size=0.3)


def logits(w, head, state, tokens):
    """Head `head` reads the prefix layer's state and the embeddings of the root and of the tokens drafted after it."""
    embeddings = w("input_embed_fn.weight", VOCABULARY, D, size=0.8)
    x = np.concatenate([state] + [embeddings[token] for token in tokens])
    x = linear(w, f"hydra_mlp.{head}.1.res_connection", D, x) + silu(linear(w, f"hydra_mlp.{head}.1.linear", D, x))
    for _ in range(BLOCKS - 1):  # the authors repeat one module
        x = x + silu(linear(w, f"hydra_mlp.{head}.3.linear", D, x))
    return linear(w, f"hydra_lm_head.{head}.1", VOCABULARY, x)


def main():
    w = Weights(11)
    states = np.random.default_rng(5).standard_normal((len(COMMITTED) - 1, D)).astype(np.float32).astype(np.float64)
    prefixes = prefix(w, states)
    expected = {
        "tokens": COMMITTED,
        "drafted": DRAFTED,
        "states": states.tolist(),
        "prefix": [[float("%.9g" % x) for x in row] for row in prefixes],
        "logits": [],
    }
    for head in range(GUESSES):
        row = logits(w, head, prefixes[-1], [COMMITTED[-1]] + DRAFTED[:head])
        expected["logits"].append([float("%.9g" % x) for x in row])
    for head in range(GUESSES):  # as a state dict has a module that occurs several times
        for part in ("weight", "bias"):
            w.tensors[f"hydra_mlp.{head}.5.linear.{part}"] = w.tensors[f"hydra_mlp.{head}.3.linear.{part}"]
    w.tensors["prefix_embeding_layer.embed_tokens.weight"] = np.zeros((VOCABULARY, D), np.float32)
    w.tensors[LAYER + "self_attn.rotary_emb.inv_freq"] = np.ones(SIZE // 2, np.float32)
    config = {
        "hydra_num_heads": GUESSES, "hydra_num_layers": BLOCKS, "hydra_head_arch": "prefix-mlp", "grounded_heads": True,
        "hidden_state_offset": 0, "model_type": "llama", "vocab_size": VOCABULARY, "hidden_size": D, "intermediate_size": F,
        "num_hidden_layers": 1, "num_attention_heads": HEADS, "num_key_value_heads": SHARED, "head_dim": SIZE,
        "max_position_embeddings": 64, "rope_theta": THETA, "rms_norm_eps": EPS, "hidden_act": "silu",
    }
    w.save(HERE, config, expected)


if __name__ == "__main__":
    main()
