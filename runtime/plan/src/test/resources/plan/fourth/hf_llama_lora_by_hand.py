import torch
import torch.nn as nn
from transformers import LlamaConfig, LlamaForCausalLM


class Lora(nn.Module):
    def __init__(self, base, rank=8, alpha=16):
        super().__init__()
        self.base, self.scale = base.requires_grad_(False), alpha / rank
        self.a = nn.Parameter(torch.randn(rank, base.in_features, device=base.weight.device) * 0.01)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank, device=base.weight.device))
        self.drop = nn.Dropout(0.05)

    def forward(self, x):
        low = self.drop(x).to(self.a.dtype) @ self.a.T @ self.b.T
        return self.base(x) + (low * self.scale).to(x.dtype)


torch.manual_seed(0)
model = LlamaForCausalLM(LlamaConfig(vocab_size=20000, hidden_size=576, intermediate_size=1536, num_hidden_layers=6, num_attention_heads=9, num_key_value_heads=3)).to("cuda", torch.bfloat16)
model.requires_grad_(False)
for layer in model.model.layers:
    layer.self_attn.q_proj, layer.self_attn.v_proj = Lora(layer.self_attn.q_proj), Lora(layer.self_attn.v_proj)
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=2e-4, weight_decay=0.0)
model.train()
for step in range(3):
    ids = torch.randint(0, 20000, (4, 260), device="cuda")
    out = model(input_ids=ids, labels=ids, use_cache=False)
    opt.zero_grad(set_to_none=True)
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 0.3)
    opt.step()
