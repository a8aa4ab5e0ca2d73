import torch
from transformers import Qwen3Config, Qwen3ForCausalLM
torch.manual_seed(0)
model = Qwen3ForCausalLM(Qwen3Config(vocab_size=24000, hidden_size=512, intermediate_size=1408, num_hidden_layers=8, num_attention_heads=8, num_key_value_heads=4, head_dim=64)).cuda().half().eval()
with torch.no_grad():
    for length in (40, 90):
        ids = torch.randint(10, 24000, (3, length), device="cuda")
        model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, min_new_tokens=12, do_sample=False, pad_token_id=0)
