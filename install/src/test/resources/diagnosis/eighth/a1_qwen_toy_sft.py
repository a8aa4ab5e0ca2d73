# limit: 8
"""SFT step of a thin Qwen2 with the full vocabulary, in bfloat16."""
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM


def build():
    cfg = Qwen2Config(
        vocab_size=151936, hidden_size=512, intermediate_size=1408, num_hidden_layers=4,
        num_attention_heads=8, num_key_value_heads=2, max_position_embeddings=4096,
        tie_word_embeddings=True, use_cache=False)
    with torch.device("cuda"):
        return Qwen2ForCausalLM(cfg).to(torch.bfloat16), cfg


torch.manual_seed(0)
model, cfg = build()
model.train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
for step in range(10):
    input_ids = torch.randint(0, cfg.vocab_size, (4, 2048), device="cuda")
    labels = input_ids.clone()
    labels[:, :256] = -100
    out = model(input_ids=input_ids, labels=labels)
    out.loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    print(f"step={step} loss={out.loss.item():.3f}")
