"""Wrote models/*.gguf: checkpoints in the Hugging Face layout as GGUF files, with llama.cpp's own writer (its gguf-py, GGUF_PY) and by the
rules of its converter (its conversion/*.py, which needs torch): names, metadata, permuted queries and keys, norms of Gemma with one added,
joined projections. Most checkpoints are those of ../decoders, llama, qwen2 and qwen3 those of checkpoints.py. What llama.cpp (fork
ngxson/llama.cpp of August 2026, one thread, caches in 32 bits, no flash attention) computes of five of them is in models/*.json."""
import json, re, struct, sys, os
import numpy as np
sys.path.insert(0, os.environ['GGUF_PY'])
import gguf

ARCH = {'llama':'llama','qwen2':'qwen2','qwen3':'qwen3','gemma':'gemma','gemma2':'gemma2','gemma3_text':'gemma3','phi3':'phi3','gpt2':'gpt2',
        'gpt_neox':'gptneox','olmo2':'olmo2','granite':'granite','starcoder2':'starcoder2','smollm3':'smollm3',
        'mixtral':'llama','qwen3_moe':'qwen3moe','gpt_oss':'gpt-oss'}
PERMUTED = {'llama','mixtral','granite','smollm3'}

def tensors(folder):
    with open(f'{folder}/model.safetensors','rb') as f:
        n, = struct.unpack('<Q', f.read(8)); head = json.loads(f.read(n)); data = f.read()
    out = {}
    for name, e in head.items():
        if name == '__metadata__': continue
        raw = data[e['data_offsets'][0]:e['data_offsets'][1]]
        if e['dtype'] == 'BF16':
            a = (np.frombuffer(raw, np.uint16).astype(np.uint32) << 16).view(np.float32)
        else:
            a = np.frombuffer(raw, {'F32':np.float32,'F16':np.float16,'U8':np.uint8}[e['dtype']])
            a = a if e['dtype'] == 'U8' else a.astype(np.float32)
        out[name] = a.reshape(e['shape'])
    return out

def blocks(codes, scales):
    """MXFP4 as ggml has it: the first half of a block's floats in the lower halves of its bytes."""
    floats = np.stack([codes & 15, codes >> 4], -1).reshape(*codes.shape[:-1], 32)
    halves = floats[..., :16] | floats[..., 16:] << 4
    rows = np.concatenate([scales[..., None], halves], -1)
    return rows.reshape(*rows.shape[:-2], -1)

def stacked(t, c):
    """Experts as the converter stacks them; gate and up of gpt-oss apart."""
    out, many = {}, c.get('num_local_experts', c.get('num_experts'))
    for name, a in t.items():
        parts = re.match(r'(.*experts)\.(\d+)\.(\w+)\.weight', name)
        if parts:
            if parts[2] == '0': out[f'{parts[1]}.{parts[3]}.weight'.replace('model.', '').replace('block_sparse_moe', 'feed_forward') if 'w' == parts[3][0]
                                    else f'{parts[1]}.{parts[3]}.weight'] = np.stack([t[f'{parts[1]}.{e}.{parts[3]}.weight'] for e in range(many)])
        elif name.endswith('_blocks'):
            at = name[:-len('_blocks')]; a = blocks(a, t[at + '_scales'])
            if at.endswith('gate_up_proj'):
                for i, which in enumerate(('gate_proj', 'up_proj')): out[at.replace('gate_up_proj', which) + '.weight'] = a[:, i::2]
            else: out[at + '.weight'] = a
        elif name.endswith('gate_up_proj_bias'):
            for i, which in enumerate(('gate_proj', 'up_proj')): out[name.replace('gate_up_proj_bias', which) + '.bias'] = a[:, i::2]
        elif name.endswith('down_proj_bias'): out[name.replace('_bias', '.bias')] = a
        elif name.endswith('sinks'): out[name + '.weight'] = a
        elif not name.endswith('_scales'): out[name] = a
    return out

def permute(w, heads):
    return w.reshape(heads, 2, w.shape[0]//heads//2, *w.shape[1:]).swapaxes(1,2).reshape(w.shape)

def convert(folder, path, kind='F32', text=None, rename=None):
    c = json.load(open(f'{folder}/config.json')); t = tensors(folder)
    m = c['model_type']; arch = ARCH[m]
    w = gguf.GGUFWriter(path, arch)
    hidden = c.get('hidden_size', c.get('n_embd')); layers = c.get('num_hidden_layers', c.get('n_layer'))
    heads = c.get('num_attention_heads', c.get('n_head')); kv = c.get('num_key_value_heads', heads)
    inner = c.get('intermediate_size', 4*hidden)
    w.add_context_length(c.get('max_position_embeddings', c.get('n_positions')))
    w.add_embedding_length(hidden); w.add_block_count(layers); w.add_feed_forward_length(inner); w.add_head_count(heads)
    if m not in ('gpt2','gpt_neox'): w.add_head_count_kv(kv)
    for k in ('rms_norm_eps',):
        if k in c: w.add_layer_norm_rms_eps(c[k])
    for k in ('layer_norm_eps','layer_norm_epsilon','norm_epsilon'):
        if k in c: w.add_layer_norm_eps(c[k])
    head = c.get('head_dim', hidden//heads)
    if 'head_dim' in c and m != 'granite': w.add_key_length(head); w.add_value_length(head)
    if 'rope_theta' in c: w.add_rope_freq_base(c['rope_theta'])
    if 'num_experts_per_tok' in c:
        t = stacked(t, c); w.add_expert_count(c.get('num_local_experts', c.get('num_experts'))); w.add_expert_used_count(c['num_experts_per_tok'])
        if 'moe_intermediate_size' in c: w.add_expert_feed_forward_length(c['moe_intermediate_size'])
    if m == 'gpt_oss': w.add_sliding_window(c['sliding_window']); w.add_expert_feed_forward_length(inner)
    if m in PERMUTED: w.add_rope_dimension_count(head); w.add_vocab_size(c['vocab_size'])
    rs = c.get('rope_scaling') or {}
    kindof = rs.get('rope_type', rs.get('type'))
    extra = {}
    if kindof == 'linear': w.add_rope_scaling_type(gguf.RopeScalingType.LINEAR); w.add_rope_scaling_factor(rs['factor'])
    if kindof == 'yarn':
        w.add_rope_scaling_type(gguf.RopeScalingType.YARN); w.add_rope_scaling_factor(rs['factor'])
        w.add_rope_scaling_orig_ctx_len(rs['original_max_position_embeddings'])
        if 'beta_fast' in rs: w.add_rope_scaling_yarn_beta_fast(rs['beta_fast']); w.add_rope_scaling_yarn_beta_slow(rs['beta_slow'])
    if kindof == 'llama3':
        base = c['rope_theta']; fr = []
        for i in range(0, head, 2):
            f = 1.0/(base**(np.float32(i)/head)); wl = 2*np.pi/f
            lo, hi, fac, old = rs['low_freq_factor'], rs['high_freq_factor'], rs['factor'], rs['original_max_position_embeddings']
            if wl < old/hi: fr.append(1)
            elif wl > old/lo: fr.append(fac)
            else:
                s = (old/wl - lo)/(hi-lo); fr.append(1/((1-s)/fac + s))
        extra['rope_freqs.weight'] = np.array(fr, np.float32)
    if m == 'phi3':
        part = int(head*c.get('partial_rotary_factor', 1)); old = c.get('original_max_position_embeddings', c['max_position_embeddings'])
        w.add_rope_dimension_count(part); w.add_rope_scaling_orig_ctx_len(old); w.add_sliding_window(c.get('sliding_window') or 0)
        if 'long_factor' in rs:
            scale = c['max_position_embeddings']/old
            w.add_rope_scaling_attn_factors(float(np.sqrt(1+np.log(scale)/np.log(old))) if scale > 1 else 1.0)
            extra['rope_factors_long.weight'] = np.array(rs['long_factor'], np.float32)
            extra['rope_factors_short.weight'] = np.array(rs['short_factor'], np.float32)
    if m == 'gpt_neox':
        w.add_rope_dimension_count(int(c['rotary_pct']*(hidden//heads))); w.add_parallel_residual(c.get('use_parallel_residual', True))
    if m in ('gemma2','gemma3_text'): w.add_sliding_window(c['sliding_window'])
    if m == 'gemma2': w.add_attn_logit_softcapping(c['attn_logit_softcapping']); w.add_final_logit_softcapping(c['final_logit_softcapping'])
    if m == 'gemma3_text' and 'sliding_window_pattern' in c: w.add_sliding_window_pattern(c['sliding_window_pattern'])
    if m == 'granite':
        w.add_attention_scale(c['attention_multiplier']); w.add_embedding_scale(c['embedding_multiplier'])
        w.add_residual_scale(c['residual_multiplier']); w.add_logit_scale(c['logits_scaling'])
    if text: text(w, folder, c)
    else: w.add_tokenizer_model('no_vocab'); w.add_bos_token_id(c['bos_token_id']); w.add_eos_token_id(c['eos_token_id'])
    if m not in PERMUTED: w.add_vocab_size(c['vocab_size'])
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[arch.replace('-', '_').upper()], layers)
    for name, a in sorted(t.items()):
        if name.endswith(('.attn.bias','.masked_bias')) or name == 'lm_head.weight' and m.startswith('gemma'): continue
        new = names.get_name(name, ('.weight','.bias'))
        if new is None: raise SystemExit(f'no name for {name}')
        if m in PERMUTED and ('q_proj' in name or 'k_proj' in name): a = permute(a, heads if 'q_proj' in name else kv)
        if m.startswith('gemma') and name.endswith('norm.weight'): a = a + np.float32(1)
        if m == 'gpt2' and name.endswith(('c_attn.weight','c_proj.weight','c_fc.weight')): a = a.T
        if m == 'gpt_neox' and 'query_key_value' in name:
            q = a.reshape(heads, 3, hidden//heads, -1); a = np.concatenate([q[:,i].reshape(hidden, -1) for i in range(3)])
            if name.endswith('bias'): a = a.reshape(-1)
        if a.dtype == np.uint8: w.add_tensor(new, np.ascontiguousarray(a), raw_dtype=gguf.GGMLQuantizationType.MXFP4); continue
        a = np.ascontiguousarray(a, np.float32)
        if a.ndim == 2 and kind == 'F16': w.add_tensor(new, a.astype(np.float16))
        elif a.ndim == 2 and kind == 'BF16':
            w.add_tensor(new, gguf.quants.quantize(a, gguf.GGMLQuantizationType.BF16), raw_dtype=gguf.GGMLQuantizationType.BF16)
        else: w.add_tensor(new, a)
    for name, a in extra.items(): w.add_tensor(name, a)
    w.add_file_type(gguf.LlamaFileType.ALL_F32)
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()

def bpe(w, folder, c):
    """As the converter's _set_vocab_gpt2."""
    j = json.load(open(f'{folder}/tokenizer.json')); v = j['model']['vocab']
    added = {a['id']: a for a in j['added_tokens']}
    back = {i: s for s, i in v.items()}; tok = []; typ = []
    for i in range(c['vocab_size']):
        if i in added: tok.append(added[i]['content']); typ.append(3 if added[i]['special'] else 4)
        elif i in back: tok.append(back[i]); typ.append(1)
        else: tok.append(f'[PAD{i}]'); typ.append(5)
    w.add_tokenizer_model('gpt2'); w.add_tokenizer_pre(os.environ.get('PRE','gpt-2')); w.add_token_list(tok); w.add_token_types(typ)
    w.add_token_merges([' '.join(m) if isinstance(m, list) else m for m in j['model']['merges']])
    w.add_bos_token_id(c['bos_token_id']); w.add_eos_token_id(c['eos_token_id']); w.add_add_bos_token(False)

if __name__ == '__main__':
    convert(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else 'F32', bpe if os.path.exists(sys.argv[1]+'/tokenizer.json') else None)
