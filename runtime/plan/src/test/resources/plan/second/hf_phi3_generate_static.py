import torch
from transformers import Phi3Config, Phi3ForCausalLM
torch.manual_seed(0)
config = Phi3Config(hidden_size=768, intermediate_size=2048, num_hidden_layers=6, num_attention_heads=12, num_key_value_heads=4, vocab_size=16000, max_position_embeddings=1024, pad_token_id=0, eos_token_id=1, bos_token_id=2)
with torch.device("cuda"):
    model = Phi3ForCausalLM(config).to(torch.float16).eval()
ids = torch.randint(3, 16000, (8, 64), device="cuda")
model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=20, min_new_tokens=20, do_sample=False, cache_implementation="static", disable_compile=True)
