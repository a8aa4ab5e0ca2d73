"""LoRA by hand on a GPT-NeoX model (pythia-like), eager attention, bf16 frozen weights and fp32 adapters."""
import math
import os
import tempfile

import torch
import torch.nn as nn
from transformers import AutoModelForCausalLM, GPTNeoXConfig


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int, alpha: float, dropout: float = 0.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale = alpha / r
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        y = self.base(x)
        z = self.drop(x).to(self.A.dtype) @ self.A.t() @ self.B.t()
        return y + (self.scale * z).to(y.dtype)

    @torch.no_grad()
    def merge(self):
        self.base.weight += (self.scale * self.B @ self.A).to(self.base.weight.dtype)
        return self.base


def inject(model, names, r=8, alpha=16, dropout=0.05):
    count = 0
    for module in list(model.modules()):
        for child_name, child in list(module.named_children()):
            if isinstance(child, nn.Linear) and child_name in names:
                setattr(module, child_name, LoRALinear(child, r, alpha, dropout))
                count += 1
    return count


def merge_all(model):
    for module in list(model.modules()):
        for child_name, child in list(module.named_children()):
            if isinstance(child, LoRALinear):
                setattr(module, child_name, child.merge())


def lora_state(model):
    return {k: v.cpu() for k, v in model.state_dict().items() if k.endswith(".A") or k.endswith(".B")}


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    vocab, seq, bs = 50304, 768, 6
    cfg = GPTNeoXConfig(vocab_size=vocab, hidden_size=1024, num_hidden_layers=16, num_attention_heads=8,
                        intermediate_size=4096, max_position_embeddings=2048, use_cache=False)
    model = AutoModelForCausalLM.from_config(cfg, attn_implementation="eager").to(torch.bfloat16)
    model.requires_grad_(False)
    n = inject(model, {"query_key_value", "dense"})
    model.to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    print(f"wrapped {n} linears, {sum(p.numel() for p in params) / 1e6:.2f}M trainable")

    opt = torch.optim.AdamW(params, lr=1e-3, weight_decay=0.0)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=2)

    model.train()
    for step in range(4):
        ids = torch.randint(0, vocab, (bs, seq), device=device)
        logits = model(input_ids=ids).logits
        loss = nn.functional.cross_entropy(logits[:, :-1].float().reshape(-1, vocab), ids[:, 1:].reshape(-1))
        loss.backward()
        gn = nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        print(f"{step} loss {loss.item():.4f} grad {gn.item():.4f}")

    with tempfile.TemporaryDirectory() as d:
        f = os.path.join(d, "lora.pt")
        torch.save(lora_state(model), f)
        print("adapter file", os.path.getsize(f) // 1024, "KiB")
        model.load_state_dict(torch.load(f), strict=False)

    merge_all(model)
    model.eval()
    with torch.no_grad():
        out = model(input_ids=torch.randint(0, vocab, (1, 256), device=device)).logits
    print("merged ok", tuple(out.shape))


if __name__ == "__main__":
    main()
