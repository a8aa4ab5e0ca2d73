import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.n1, self.n2 = heads, nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.gate, self.up, self.down = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, 3 * width, bias=False), nn.Linear(3 * width, width, bias=False)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, c))
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class GPT(nn.Module):
    def __init__(self, vocab=16000, width=512, depth=6):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList(Block(width, 8) for _ in range(depth))
        self.norm = nn.RMSNorm(width)

    def forward(self, ids, targets):
        x = self.embed(ids)
        for n, block in enumerate(self.blocks):
            x = checkpoint(block, x, use_reentrant=False) if self.training and n % 2 == 0 else block(x)
        logits = F.linear(self.norm(x), self.embed.weight)
        return F.cross_entropy(15 * torch.tanh(logits.float().flatten(0, 1) / 15), targets.flatten())


model = GPT().cuda()
decay = [p for p in model.parameters() if p.dim() >= 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}], lr=6e-4, betas=(0.9, 0.95), fused=True)
data = torch.randint(0, 16000, (200000,))


def batch(size=6, length=384):
    at = torch.randint(0, len(data) - length - 1, (size,)).tolist()
    rows = torch.stack([data[i:i + length + 1] for i in at]).cuda(non_blocking=True)
    return rows[:, :-1].contiguous(), rows[:, 1:].contiguous()


for step in range(3):
    for group in opt.param_groups:
        group["lr"] = 6e-4 * 0.5 * (1 + math.cos(math.pi * step / 3))
    model.train()
    for micro in range(4):
        x, y = batch()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(x, y) / 4
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
    model.eval()
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        print(sum(model(*batch(12)).item() for _ in range(2)) / 2)
