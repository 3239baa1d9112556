"""Small checkpoints with random weights in the Hugging Face layout."""
import json, os, struct, numpy as np
rng=np.random.default_rng(7)
def write(folder, c, t):
    os.makedirs(folder, exist_ok=True); json.dump(c, open(folder+'/config.json','w'), indent=1)
    h={}; at=0; data=b''
    for n,a in t.items():
        a=np.ascontiguousarray(a,np.float32); h[n]={'dtype':'F32','shape':list(a.shape),'data_offsets':[at,at+a.nbytes]}; at+=a.nbytes; data+=a.tobytes()
    j=json.dumps(h).encode(); j+=b' '*(-len(j)%8)
    open(folder+'/model.safetensors','wb').write(struct.pack('<Q',len(j))+j+data)
def make(folder, m, cls, qkvbias=False, qknorm=False, **more):
    V,H,I,L,A,K,D=41,24,36,4,4,2,more.get('head_dim',6)
    c=dict(architectures=[cls],model_type=m,vocab_size=V,hidden_size=H,intermediate_size=I,num_hidden_layers=L,num_attention_heads=A,num_key_value_heads=K,max_position_embeddings=48,tie_word_embeddings=False,bos_token_id=0,eos_token_id=1,rms_norm_eps=1e-6,rope_theta=10000.0,**more)
    r=lambda *s: rng.standard_normal(s)*0.3
    t={'model.embed_tokens.weight':r(V,H),'model.norm.weight':1+r(H),'lm_head.weight':r(V,H)}
    for l in range(L):
        p=f'model.layers.{l}.'
        t|={p+'input_layernorm.weight':1+r(H),p+'post_attention_layernorm.weight':1+r(H),p+'self_attn.q_proj.weight':r(A*D,H),p+'self_attn.k_proj.weight':r(K*D,H),p+'self_attn.v_proj.weight':r(K*D,H),p+'self_attn.o_proj.weight':r(H,A*D),p+'mlp.gate_proj.weight':r(I,H),p+'mlp.up_proj.weight':r(I,H),p+'mlp.down_proj.weight':r(H,I)}
        if qkvbias: t|={p+'self_attn.q_proj.bias':r(A*D),p+'self_attn.k_proj.bias':r(K*D),p+'self_attn.v_proj.bias':r(K*D)}
        if qknorm: t|={p+'self_attn.q_norm.weight':1+r(D),p+'self_attn.k_norm.weight':1+r(D)}
    write(folder,c,t)
make('hf-llama','llama','LlamaForCausalLM',rope_scaling=dict(rope_type='llama3',factor=8.0,low_freq_factor=1.0,high_freq_factor=4.0,original_max_position_embeddings=16))
make('hf-qwen2','qwen2','Qwen2ForCausalLM',qkvbias=True,rope_scaling=dict(rope_type='yarn',factor=4.0,original_max_position_embeddings=12))
make('hf-qwen3','qwen3','Qwen3ForCausalLM',qknorm=True,head_dim=8)
