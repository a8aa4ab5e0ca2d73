import torch
from transformers import OPTConfig, OPTForCausalLM
torch.manual_seed(0)
model = OPTForCausalLM(OPTConfig(hidden_size=512, ffn_dim=2048, num_hidden_layers=6, num_attention_heads=8, vocab_size=16000, word_embed_proj_dim=512, max_position_embeddings=512)).to("cuda", torch.bfloat16).eval()
ids = torch.randint(4, 16000, (6, 40), device="cuda")
out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=24, min_new_tokens=24, do_sample=False, pad_token_id=1)
