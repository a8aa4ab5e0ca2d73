import torch
from transformers import Gemma2Config, Gemma2ForCausalLM
torch.manual_seed(0)
model = Gemma2ForCausalLM(Gemma2Config(hidden_size=512, intermediate_size=2048, num_hidden_layers=6, num_attention_heads=8, num_key_value_heads=4, head_dim=64, vocab_size=20000, sliding_window=64)).to("cuda", torch.bfloat16).eval()
ids = torch.randint(5, 20000, (4, 80), device="cuda")
with torch.inference_mode():
    model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=16, min_new_tokens=16, do_sample=True, top_k=40, top_p=0.9, temperature=0.8, pad_token_id=0, cache_implementation="dynamic")
