"""Small random decoders in the layouts of the Hugging Face hub, and what they compute, in float64.

Each family is written out on its own, token by token, from its paper or model card, without looking at Outrider's code:

    python3 reference.py        # needs numpy; writes the folders beside it
"""
import math
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from reference_weights import Weights  # noqa: E402

V, D, F, LAYERS, POSITIONS = 41, 24, 36, 4, 48
TOKENS = [3, 17, 9, 40, 22, 8, 15, 2, 30, 11, 25, 6, 19]


def save(weights, name, config, logits):
    expected = {"tokens": TOKENS, "logits": [[float("%.8g" % x) for x in row] for row in logits]}
    weights.save(os.path.join(HERE, name), config, expected)


def rms(x, weight, eps):
    return x / np.sqrt((x * x).mean() + eps) * weight


def layer_norm(x, weight, bias, eps):
    x = x - x.mean()
    return x / np.sqrt((x * x).mean() + eps) * weight + bias


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def silu(x):
    return x / (1 + np.exp(-x))


def rotate(x, position, frequencies, amplitude=1.0):
    half = len(frequencies)
    if half == 0:
        return x
    angle = position * np.asarray(frequencies)
    a, b, rest = x[:half], x[half : 2 * half], x[2 * half :]
    c, s = np.cos(angle) * amplitude, np.sin(angle) * amplitude
    return np.concatenate([a * c - b * s, b * c + a * s, rest])


def frequencies(theta, size):
    return [theta ** (-2 * i / size) for i in range(size // 2)]


def attention(q, keys, values, group, scale, cap=None):
    """q: [heads][head]; keys, values: per earlier token, per key head."""
    out = []
    for head, query in enumerate(q):
        scores = np.array([query @ k[head // group] for k in keys]) * scale
        if cap:
            scores = cap * np.tanh(scores / cap)
        weights = np.exp(scores - scores.max())
        weights /= weights.sum()
        out.append(sum(w * v[head // group] for w, v in zip(weights, values)))
    return np.concatenate(out)


def visible(position, window):
    return 0 if window is None else max(0, position - window + 1)


def run(step):
    """Feeds the tokens one by one; every layer keeps its keys and values."""
    memory = [([], []) for _ in range(LAYERS)]
    return [step(token, position, memory) for position, token in enumerate(TOKENS)]


def neox():
    w, heads, size = Weights(1), 3, 8
    turns = frequencies(10000, int(size * 0.5))

    def ln(x, at):
        return layer_norm(x, w(at + ".weight", D, centre=1, size=0.1), w(at + ".bias", D, size=0.1), 1e-5)

    def lin(x, at, n):
        return w(at + ".weight", n, len(x)) @ x + w(at + ".bias", n, size=0.1)

    def step(token, position, memory):
        x = w("gpt_neox.embed_in.weight", V, D, size=0.5)[token]
        for layer in range(LAYERS):
            at = f"gpt_neox.layers.{layer}"
            fused = lin(ln(x, at + ".input_layernorm"), at + ".attention.query_key_value", 3 * D).reshape(heads, 3, size)
            keys, values = memory[layer]
            keys.append([rotate(fused[h, 1], position, turns) for h in range(heads)])
            values.append([fused[h, 2] for h in range(heads)])
            mixed = attention([rotate(fused[h, 0], position, turns) for h in range(heads)], keys, values, 1, size**-0.5)
            attended = lin(mixed, at + ".attention.dense", D)
            inner = gelu(lin(ln(x, at + ".post_attention_layernorm"), at + ".mlp.dense_h_to_4h", F))
            x = x + attended + lin(inner, at + ".mlp.dense_4h_to_h", D)
        return w("embed_out.weight", V, D) @ ln(x, "gpt_neox.final_layer_norm")

    logits = run(step)
    save(w, "gpt_neox", {
        "architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "vocab_size": V, "hidden_size": D, "intermediate_size": F,
        "num_hidden_layers": LAYERS, "num_attention_heads": heads, "rotary_pct": 0.5, "rotary_emb_base": 10000, "hidden_act": "gelu",
        "use_parallel_residual": True, "layer_norm_eps": 1e-5, "max_position_embeddings": POSITIONS, "tie_word_embeddings": False,
        "bos_token_id": 0, "eos_token_id": 0}, logits)


def gpt2():
    w, heads, size = Weights(2), 3, 8

    def ln(x, at):
        return layer_norm(x, w(at + ".weight", D, centre=1, size=0.1), w(at + ".bias", D, size=0.1), 1e-5)

    def conv1d(x, at, n):
        return x @ w(at + ".weight", len(x), n, size=1 / math.sqrt(len(x))) + w(at + ".bias", n, size=0.1)

    def step(token, position, memory):
        x = w("transformer.wte.weight", V, D, size=0.5)[token] + w("transformer.wpe.weight", POSITIONS, D, size=0.5)[position]
        for layer in range(LAYERS):
            at = f"transformer.h.{layer}"
            q, k, v = np.split(conv1d(ln(x, at + ".ln_1"), at + ".attn.c_attn", 3 * D), 3)
            keys, values = memory[layer]
            keys.append(k.reshape(heads, size))
            values.append(v.reshape(heads, size))
            x = x + conv1d(attention(q.reshape(heads, size), keys, values, 1, size**-0.5), at + ".attn.c_proj", D)
            x = x + conv1d(gelu_tanh(conv1d(ln(x, at + ".ln_2"), at + ".mlp.c_fc", 4 * D)), at + ".mlp.c_proj", D)
        return w("transformer.wte.weight", V, D) @ ln(x, "transformer.ln_f")

    logits = run(step)
    save(w, "gpt2", {
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": V, "n_embd": D, "n_layer": LAYERS, "n_head": heads,
        "n_positions": POSITIONS, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "bos_token_id": 0, "eos_token_id": 0}, logits)


def opt():
    w, heads, size = Weights(3), 3, 8

    def ln(x, at):
        return layer_norm(x, w(at + ".weight", D, centre=1, size=0.1), w(at + ".bias", D, size=0.1), 1e-5)

    def lin(x, at, n):
        return w(at + ".weight", n, len(x)) @ x + w(at + ".bias", n, size=0.1)

    def step(token, position, memory):
        x = w("model.decoder.embed_tokens.weight", V, D, size=0.5)[token] + w("model.decoder.embed_positions.weight", POSITIONS + 2, D, size=0.5)[position + 2]
        for layer in range(LAYERS):
            at = f"model.decoder.layers.{layer}"
            h = ln(x, at + ".self_attn_layer_norm")
            keys, values = memory[layer]
            keys.append(lin(h, at + ".self_attn.k_proj", D).reshape(heads, size))
            values.append(lin(h, at + ".self_attn.v_proj", D).reshape(heads, size))
            mixed = attention(lin(h, at + ".self_attn.q_proj", D).reshape(heads, size), keys, values, 1, size**-0.5)
            x = x + lin(mixed, at + ".self_attn.out_proj", D)
            x = x + lin(np.maximum(lin(ln(x, at + ".final_layer_norm"), at + ".fc1", F), 0), at + ".fc2", D)
        return w("model.decoder.embed_tokens.weight", V, D) @ ln(x, "model.decoder.final_layer_norm")

    logits = run(step)
    save(w, "opt", {
        "architectures": ["OPTForCausalLM"], "model_type": "opt", "vocab_size": V, "hidden_size": D, "ffn_dim": F, "num_hidden_layers": LAYERS,
        "num_attention_heads": heads, "word_embed_proj_dim": D, "do_layer_norm_before": True, "activation_function": "relu",
        "max_position_embeddings": POSITIONS, "bos_token_id": 2, "eos_token_id": 2, "pad_token_id": 1}, logits)


def llama_like(name, seed, config, heads=4, key_heads=2, size=6, norm_shift=0.0, eps=1e-6, place="before", qk_norm=None, act=silu, scale=None,
               score_cap=None, logit_cap=None, embedding=1.0, residual=1.0, logits_by=1.0, tied=False, bias=False, fused=False,
               layer_norms=False, turns=None, window=None, amplitude=1.0, qkv_bias=False, mixture=None):
    """turns, window: per layer. place: before, result (OLMo 2), around (Gemma 2). mixture: experts of a layer, None where it has none."""
    w, group = Weights(seed), heads // key_heads
    scale = scale or size**-0.5
    turns = turns or [frequencies(10000, size)] * LAYERS
    window = window or [None] * LAYERS

    def norm(x, at, width=D):
        weight = w(at + ".weight", width, centre=1 - norm_shift, size=0.1) + norm_shift
        return layer_norm(x, weight, w(at + ".bias", width, size=0.1), eps) if layer_norms else rms(x, weight, eps)

    def lin(x, at, n):
        return w(at + ".weight", n, len(x)) @ x + (w(at + ".bias", n, size=0.1) if bias else 0)

    def project(h, at):
        if fused:
            return np.split(lin(h, at + ".qkv_proj", (heads + 2 * key_heads) * size), [heads * size, (heads + key_heads) * size])
        made = [lin(h, at + f".{which}_proj", n * size) for which, n in (("q", heads), ("k", key_heads), ("v", key_heads))]
        return [one + w(at + f".{which}_proj.bias", len(one), size=0.1) for which, one in zip("qkv", made)] if qkv_bias else made

    def feed(h, at):
        if layer_norms:
            return lin(act(lin(h, at + ".c_fc", F)), at + ".c_proj", D)
        if fused:
            gate, up = np.split(lin(h, at + ".gate_up_proj", 2 * F), 2)
        else:
            gate, up = lin(h, at + ".gate_proj", F), lin(h, at + ".up_proj", F)
        return lin(act(gate) * up, at + ".down_proj", D)

    def step(token, position, memory):
        x = w("model.embed_tokens.weight", V, D, size=0.5)[token] * embedding
        for layer in range(LAYERS):
            at = f"model.layers.{layer}"
            h = x if place == "result" else norm(x, at + ".input_layernorm")
            q, k, v = project(h, at + ".self_attn")
            if qk_norm == "whole":
                q, k = norm(q, at + ".self_attn.q_norm", heads * size), norm(k, at + ".self_attn.k_norm", key_heads * size)
            q, k, v = q.reshape(heads, size), k.reshape(key_heads, size), v.reshape(key_heads, size)
            if qk_norm == "head":
                q = [norm(one, at + ".self_attn.q_norm", size) for one in q]
                k = [norm(one, at + ".self_attn.k_norm", size) for one in k]
            keys, values = memory[layer]
            keys.append([rotate(one, position, turns[layer], amplitude) for one in k])
            values.append(v)
            first = visible(position, window[layer])
            mixed = attention([rotate(one, position, turns[layer], amplitude) for one in q], keys[first:], values[first:], group, scale, score_cap)
            made = lin(mixed, at + ".self_attn.o_proj", D)
            x = x + residual * (made if place == "before" else norm(made, at + ".post_attention_layernorm"))
            h = {"before": lambda: norm(x, at + ".post_attention_layernorm"), "result": lambda: x,
                 "around": lambda: norm(x, at + ".pre_feedforward_layernorm")}[place]()
            sparse = mixture and mixture(w, h, layer)
            made = feed(h, at + ".mlp") if sparse is None else sparse
            x = x + residual * (made if place == "before" else norm(made, at + ".post_feedforward_layernorm"))
        x = norm(x, "model.norm")
        logits = w("model.embed_tokens.weight" if tied else "lm_head.weight", V, D) @ x * logits_by
        return logit_cap * np.tanh(logits / logit_cap) if logit_cap else logits

    logits = run(step)
    save(w, name, {
        "vocab_size": V, "hidden_size": D, "intermediate_size": F, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
        "num_key_value_heads": key_heads, "max_position_embeddings": POSITIONS, "tie_word_embeddings": tied, "bos_token_id": 0,
        "eos_token_id": 1, **config}, logits)


def gemmas():
    gemma = {"head_dim": 6, "rms_norm_eps": 1e-6, "hidden_activation": "gelu_pytorch_tanh"}
    common = {"norm_shift": 1.0, "act": gelu_tanh, "embedding": math.sqrt(D), "tied": True}
    llama_like("gemma", 4, {"architectures": ["GemmaForCausalLM"], "model_type": "gemma", **gemma}, **common)
    llama_like("gemma2", 5, {
        "architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2", "query_pre_attn_scalar": 9, "attn_logit_softcapping": 5.0,
        "final_logit_softcapping": 3.0, "sliding_window": 4, **gemma}, place="around", scale=1 / 3, score_cap=5.0, logit_cap=3.0,
        window=[4, None, 4, None], **common)
    local, full = frequencies(10000, 6), [f / 8 for f in frequencies(1000000, 6)]
    llama_like("gemma3_text", 6, {
        "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "query_pre_attn_scalar": 6, "sliding_window": 4,
        "sliding_window_pattern": 3, "rope_theta": 1000000, "rope_local_base_freq": 10000,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0}, **gemma}, place="around", qk_norm="head",
        window=[4, 4, None, 4], turns=[local, local, full, local], **common)


def others():
    llama_like("olmo2", 7, {"architectures": ["Olmo2ForCausalLM"], "model_type": "olmo2", "rms_norm_eps": 1e-5, "rope_theta": 500000},
               place="result", qk_norm="whole", eps=1e-5, turns=[frequencies(500000, 6)] * LAYERS)
    llama_like("granite", 8, {
        "architectures": ["GraniteForCausalLM"], "model_type": "granite", "rms_norm_eps": 1e-5, "embedding_multiplier": 12.0,
        "residual_multiplier": 0.22, "attention_multiplier": 0.0625, "logits_scaling": 8.0}, eps=1e-5, embedding=12.0, residual=0.22, scale=0.0625,
        logits_by=1 / 8, tied=True)
    llama_like("smollm3", 9, {
        "architectures": ["SmolLM3ForCausalLM"], "model_type": "smollm3", "rms_norm_eps": 1e-6, "no_rope_layers": [1, 1, 1, 0]}, tied=True,
        turns=[frequencies(10000, 6)] * 3 + [[]])
    llama_like("starcoder2", 10, {
        "architectures": ["Starcoder2ForCausalLM"], "model_type": "starcoder2", "norm_epsilon": 1e-5, "use_bias": True, "sliding_window": 5,
        "hidden_act": "gelu_pytorch_tanh"}, eps=1e-5, act=gelu_tanh, tied=True, bias=True, layer_norms=True, window=[5] * LAYERS)
    size, short, long = 8, [1.0, 1.25, 1.5], [2.0, 3.5, 6.0]
    plain = frequencies(10000, 6)
    llama_like("phi3", 11, {
        "architectures": ["Phi3ForCausalLM"], "model_type": "phi3", "rms_norm_eps": 1e-5, "head_dim": size, "partial_rotary_factor": 0.75,
        "original_max_position_embeddings": 16, "rope_scaling": {"type": "longrope", "short_factor": short, "long_factor": long}}, size=size,
        eps=1e-5, fused=True, turns=[[f / by for f, by in zip(plain, long)]] * LAYERS,
        amplitude=math.sqrt(1 + math.log(POSITIONS / 16) / math.log(16)))


def expert(w, h, gate, up, down, inner):
    return w(down, D, inner) @ (silu(w(gate, inner, D) @ h) * (w(up, inner, D) @ h))


def mixtures():
    def mixtral(w, h, layer, count=5, chosen=2):
        at = f"model.layers.{layer}.block_sparse_moe"
        scores = w(at + ".gate.weight", count, D) @ h
        best = sorted(range(count), key=lambda e: -scores[e])[:chosen]
        shares = np.exp(scores[best]) / np.exp(scores[best]).sum()
        made = [expert(w, h, *[f"{at}.experts.{e}.{part}.weight" for part in ("w1", "w3", "w2")], F) for e in range(count)]
        return sum(share * made[e] for share, e in zip(shares, best))

    def qwen(w, h, layer, count, chosen, inner, norm, shared=None):
        at, parts = f"model.layers.{layer}.mlp", ("gate_proj", "up_proj", "down_proj")
        scores = np.exp(w(at + ".gate.weight", count, D) @ h)
        scores /= scores.sum()
        best = sorted(range(count), key=lambda e: -scores[e])[:chosen]
        made = [expert(w, h, *[f"{at}.experts.{e}.{part}.weight" for part in parts], inner) for e in range(count)]
        total = sum(scores[e] * made[e] for e in best) / (scores[best].sum() if norm else 1)
        if shared:
            opened = 1 / (1 + np.exp(-(w(at + ".shared_expert_gate.weight", 1, D) @ h)))
            total = total + opened * expert(w, h, *[f"{at}.shared_expert.{part}.weight" for part in parts], shared)
        return total

    llama_like("mixtral", 12, {
        "architectures": ["MixtralForCausalLM"], "model_type": "mixtral", "rms_norm_eps": 1e-5, "rope_theta": 1000000.0, "num_local_experts": 5,
        "num_experts_per_tok": 2, "sliding_window": None}, eps=1e-5, turns=[frequencies(1000000, 6)] * LAYERS, mixture=mixtral)
    llama_like("qwen3_moe", 13, {
        "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "head_dim": 8, "rms_norm_eps": 1e-6, "num_experts": 6,
        "num_experts_per_tok": 3, "moe_intermediate_size": 20, "norm_topk_prob": True, "decoder_sparse_step": 1, "mlp_only_layers": [2]}, size=8,
        qk_norm="head", mixture=lambda w, h, layer: None if layer == 2 else qwen(w, h, layer, 6, 3, 20, True))
    llama_like("qwen3_moe-all", 17, {
        "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "head_dim": 8, "rms_norm_eps": 1e-6, "num_experts": 3,
        "num_experts_per_tok": 2, "moe_intermediate_size": 12, "norm_topk_prob": True, "decoder_sparse_step": 1, "mlp_only_layers": []}, size=8,
        qk_norm="head", mixture=lambda w, h, layer: qwen(w, h, layer, 3, 2, 12, True))
    llama_like("qwen2_moe", 14, {
        "architectures": ["Qwen2MoeForCausalLM"], "model_type": "qwen2_moe", "rms_norm_eps": 1e-6, "num_experts": 7, "num_experts_per_tok": 2,
        "moe_intermediate_size": 20, "shared_expert_intermediate_size": 28, "norm_topk_prob": False, "decoder_sparse_step": 2,
        "mlp_only_layers": []}, qkv_bias=True,
        mixture=lambda w, h, layer: None if layer % 2 == 0 else qwen(w, h, layer, 7, 2, 20, False, 28))


def yarn(theta, size, factor, fast, slow, first):
    """Peng et al. 2023, section 3.2 with ends between pairs, and the amplitude of section 3.3."""
    turning = [size * math.log(first / (turns * 2 * math.pi)) / (2 * math.log(theta)) for turns in (fast, slow)]
    low, high = max(turning[0], 0), min(turning[1], size - 1)
    kept = [1 - min(max((pair - low) / (high - low), 0), 1) for pair in range(size // 2)]
    return [f * k + f / factor * (1 - k) for f, k in zip(frequencies(theta, size), kept)], 0.1 * math.log(factor) + 1


def gpt_oss(name="gpt_oss", seed=15, width=D, inner=20, limit=1.25, more=None, blocks=None):
    """OpenAI 2025: sinks, biases, windows in every other layer, YaRN, a bounded gate, experts of a layer in one tensor.

    limit: 7 in published models; lower, so that some gates reach it.
    blocks: makes an expert's matrices in four bits, [experts, outputs, inputs]."""
    w, heads, key_heads, size, count, chosen, window, eps = Weights(seed), 8, 2, 6, 5, 2, 4, 1e-5
    turns, amplitude = yarn(150000, size, 8.0, 32.0, 1.0, 16)

    def lin(x, at, n):
        return w(at + ".weight", n, len(x)) @ x + w(at + ".bias", n, size=0.1)

    def norm(x, at):
        return rms(x, w(at + ".weight", len(x), centre=1, size=0.1), eps)

    def with_sinks(q, keys, values, sinks):
        out = []
        for head, query in enumerate(q):
            group = head // (heads // key_heads)
            scores = np.array([query @ k[group] for k in keys]) / math.sqrt(size)
            powers = np.exp(scores)
            out.append(sum(p * v[group] for p, v in zip(powers, values)) / (powers.sum() + np.exp(sinks[head])))
        return np.concatenate(out)

    def projection(at, inputs, outputs):
        """[experts, inputs, outputs]"""
        if blocks:
            return blocks(w, at, count, outputs, inputs).transpose(0, 2, 1)
        return w(at, count, inputs, outputs, size=1.5 / math.sqrt(inputs))

    def mixture(x, at):
        scores = lin(x, at + ".router", count)
        best = sorted(range(count), key=lambda e: -scores[e])[:chosen]
        shares = np.exp(scores[best]) / np.exp(scores[best]).sum()
        opening, down = projection(at + ".experts.gate_up_proj", width, 2 * inner), projection(at + ".experts.down_proj", inner, width)
        biases = [w(at + f".experts.{part}_bias", count, n, size=0.3) for part, n in (("gate_up_proj", 2 * inner), ("down_proj", width))]
        total = 0
        for share, e in zip(shares, best):
            both = x @ opening[e] + biases[0][e]
            gate, up = np.minimum(both[0::2], limit), np.clip(both[1::2], -limit, limit)
            total = total + share * ((gate / (1 + np.exp(-1.702 * gate)) * (up + 1)) @ down[e] + biases[1][e])
        return total

    def step(token, position, memory):
        x = w("model.embed_tokens.weight", V, width, size=0.5)[token]
        for layer in range(LAYERS):
            at = f"model.layers.{layer}"
            h = norm(x, at + ".input_layernorm")
            q, k, v = (lin(h, at + f".self_attn.{which}_proj", n * size).reshape(n, size) for which, n in
                       (("q", heads), ("k", key_heads), ("v", key_heads)))
            keys, values = memory[layer]
            keys.append([rotate(one, position, turns, amplitude) for one in k])
            values.append(v)
            first = visible(position, window if layer % 2 == 0 else None)
            mixed = with_sinks([rotate(one, position, turns, amplitude) for one in q], keys[first:], values[first:],
                               w(at + ".self_attn.sinks", heads, size=1.0))
            x = x + lin(mixed, at + ".self_attn.o_proj", width)
            x = x + mixture(norm(x, at + ".post_attention_layernorm"), at + ".mlp")
        return w("lm_head.weight", V, width) @ norm(x, "model.norm")

    logits = run(step)
    save(w, name, {
        "architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss", "vocab_size": V, "hidden_size": width, "intermediate_size": inner,
        "num_hidden_layers": LAYERS, "num_attention_heads": heads, "num_key_value_heads": key_heads, "head_dim": size,
        "max_position_embeddings": POSITIONS, "rms_norm_eps": eps, "rope_theta": 150000, "attention_bias": True, "sliding_window": window,
        "layer_types": ["sliding_attention", "full_attention"] * (LAYERS // 2), "num_local_experts": count, "num_experts_per_tok": chosen,
        "swiglu_limit": limit, "tie_word_embeddings": False, "bos_token_id": 0, "eos_token_id": 1, "rope_scaling": {
            "rope_type": "yarn", "factor": 8.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
            "original_max_position_embeddings": 16}, **(more or {})}, logits)


def four_bits(w, at, count, outputs, inputs):
    """Open Compute Project 2023, microscaling formats: 32 floats E2M1 behind a power of two; a byte holds two, the first in its lower bits."""
    if at + "_blocks" not in w.tensors:
        codes = w.random.integers(0, 16, (count, outputs, inputs // 32, 32), dtype=np.uint8)
        w.tensors[at + "_blocks"] = codes[..., 0::2] | codes[..., 1::2] << 4
        w.tensors[at + "_scales"] = w.random.integers(121, 126, (count, outputs, inputs // 32)).astype(np.uint8)
    bytes_, powers = w.tensors[at + "_blocks"], w.tensors[at + "_scales"]
    codes = np.stack([bytes_ & 15, bytes_ >> 4], -1).reshape(count, outputs, inputs // 32, 32)
    exponent, fraction = codes >> 1 & 3, codes & 1
    sizes = np.where(exponent == 0, fraction / 2, (1 + fraction / 2) * 2.0 ** (exponent - 1.0))
    numbers = np.where(codes & 8, -sizes, sizes) * 2.0 ** (powers[..., None] - 127.0)
    return numbers.reshape(count, outputs, inputs)


if __name__ == "__main__":
    neox()
    gpt2()
    opt()
    gemmas()
    others()
    mixtures()
    gpt_oss()
    gpt_oss("gpt_oss-mxfp4", 16, 64, 32, 7.0, {"quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": [
        "model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]}}, four_bits)
