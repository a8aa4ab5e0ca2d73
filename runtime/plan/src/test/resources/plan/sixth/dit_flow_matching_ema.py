import copy, torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d, elementwise_affine=False), nn.LayerNorm(d, elementwise_affine=False)
        self.qkv, self.out, self.heads = nn.Linear(d, 3 * d), nn.Linear(d, d), heads
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU("tanh"), nn.Linear(4 * d, d))
        self.ada = nn.Sequential(nn.SiLU(), nn.Linear(d, 6 * d))

    def forward(self, x, c):
        s1, b1, g1, s2, b2, g2 = self.ada(c)[:, None].chunk(6, -1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(self.n1(x) * (1 + s1) + b1).chunk(3, -1))
        x = x + g1 * self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + g2 * self.mlp(self.n2(x) * (1 + s2) + b2)


class DiT(nn.Module):
    def __init__(self, d=384, depth=6):
        super().__init__()
        self.patch, self.time, self.label = nn.Conv2d(4, d, 2, 2), nn.Sequential(nn.Linear(128, d), nn.SiLU(), nn.Linear(d, d)), nn.Embedding(11, d)
        self.place = nn.Parameter(torch.zeros(1, 256, d))
        self.blocks, self.head = nn.ModuleList([Block(d, 6) for _ in range(depth)]), nn.Linear(d, 16)

    def forward(self, x, t, y):
        f = torch.exp(-torch.arange(64, device=x.device) / 64 * 9.2)
        c = self.time(torch.cat([(t[:, None] * f).sin(), (t[:, None] * f).cos()], 1)) + self.label(y)
        h = self.patch(x).flatten(2).transpose(1, 2) + self.place
        for block in self.blocks:
            h = block(h, c)
        return F.fold(self.head(h).transpose(1, 2), x.shape[-2:], 2, stride=2)


torch.manual_seed(0)
model = DiT().cuda()
ema = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.99))
for step in range(3):
    x, y = torch.randn(16, 4, 32, 32, device="cuda"), torch.randint(0, 10, (16,), device="cuda")
    y = torch.where(torch.rand(16, device="cuda") < 0.1, 10, y)
    noise, t = torch.randn_like(x), torch.rand(16, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        v = model((1 - t[:, None, None, None]) * noise + t[:, None, None, None] * x, t, y)
    loss = F.mse_loss(v.float(), x - noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        torch._foreach_lerp_(list(ema.parameters()), list(model.parameters()), 0.01)
