"""Attention with a window and slopes, by flex_attention, in a decoder that is trained."""
import torch
import torch.nn as nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

torch.manual_seed(0)
heads, width, length = 8, 512, 1024
slopes = torch.exp2(-torch.arange(1, heads + 1, device="cuda").float())


def window(b, h, q, k):
    return (q >= k) & (q - k <= 256)


def alibi(score, b, h, q, k):
    return score + slopes[h] * (k - q)


mask = create_block_mask(window, None, None, length, length, device="cuda")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.RMSNorm(width), nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.ff = nn.Sequential(nn.RMSNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (z.view(b, t, heads, c // heads).transpose(1, 2) for z in self.qkv(self.norm(x)).chunk(3, -1))
        x = x + self.out(flex_attention(q, k, v, score_mod=alibi, block_mask=mask).transpose(1, 2).reshape(b, t, c))
        return x + self.ff(x)


model = torch.compile(nn.Sequential(nn.Embedding(1000, width), *(Block() for _ in range(3)), nn.Linear(width, 1000)).cuda().bfloat16())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(4):
    tokens = torch.randint(0, 1000, (8, length + 1), device="cuda")
    loss = nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
