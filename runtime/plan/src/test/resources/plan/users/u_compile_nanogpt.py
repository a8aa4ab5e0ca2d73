import torch
import torch.nn as nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.n1, self.n2 = h, nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.h, d // self.h).transpose(1, 2) for z in self.qkv(self.n1(x)).split(d, 2))
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.n2(x))


class GPT(nn.Module):
    def __init__(self, v=8192, d=384, layers=6, t=256):
        super().__init__()
        self.tok, self.pos = nn.Embedding(v, d), nn.Embedding(t, d)
        self.blocks, self.norm, self.head = nn.ModuleList(Block(d, 6) for _ in range(layers)), nn.LayerNorm(d), nn.Linear(d, v, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, i, targets=None):
        x = self.tok(i) + self.pos(torch.arange(i.shape[1], device=i.device))
        for b in self.blocks:
            x = b(x)
        logits = self.head(self.norm(x))
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


torch.manual_seed(1337)
torch.set_float32_matmul_precision("high")
model = GPT().to("cuda")
import os
if os.environ.get("EAGER") != "1":
    model = torch.compile(model)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95), fused=True)
ctx = torch.amp.autocast(device_type="cuda", dtype=torch.bfloat16)
for it in range(5):
    x, y = torch.randint(0, 8192, (16, 256)).pin_memory().to("cuda", non_blocking=True), torch.randint(0, 8192, (16, 256)).pin_memory().to("cuda", non_blocking=True)
    with ctx:
        _, loss = model(x, y)
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
print(loss.item())
