import torch, torch.nn as nn
from models import GPT
class LoRA(nn.Module):
    def __init__(self, base, r=8):
        super().__init__(); self.base = base
        self.a, self.b = nn.Parameter(torch.randn(r, base.in_features) * 0.01), nn.Parameter(torch.zeros(base.out_features, r))
    def forward(self, x): return self.base(x) + (x @ self.a.t()) @ self.b.t() * 2.0
model = GPT(vocab=16000, d=768, layers=6, heads=12, ctx=512)
for p in model.parameters(): p.requires_grad_(False)
for b in model.blocks: b.qkv, b.proj = LoRA(b.qkv), LoRA(b.proj)
model.cuda(); params = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(params, lr=1e-4)
for step in range(3):
    x, y = torch.randint(0, 16000, (4, 512), device="cuda"), torch.randint(0, 16000, (4, 512), device="cuda")
    logits, loss = model(x, y); loss.backward(); optimizer.step(); optimizer.zero_grad()
