import copy
import math
import torch
from torch import nn
import torch.nn.functional as F

dev = "cuda"
T = 1000
IMG, CH, BS = 32, 128, 128


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    a = t[:, None].float() * freqs[None]
    return torch.cat([a.sin(), a.cos()], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, temb, drop=0.1):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(32, cin), nn.Conv2d(cin, cout, 3, padding=1)
        self.emb = nn.Linear(temb, cout)
        self.n2, self.c2 = nn.GroupNorm(32, cout), nn.Conv2d(cout, cout, 3, padding=1)
        self.drop = nn.Dropout(drop)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, e):
        h = self.c1(F.silu(self.n1(x)))
        h = h + self.emb(F.silu(e))[:, :, None, None]
        h = self.c2(self.drop(F.silu(self.n2(h))))
        return self.skip(x) + h


class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm, self.qkv, self.proj = nn.GroupNorm(32, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(b, 3, c, h * w).unbind(1)
        att = torch.softmax(torch.einsum("bci,bcj->bij", q, k) / math.sqrt(c), dim=-1)
        return x + self.proj(torch.einsum("bij,bcj->bci", att, v).reshape(b, c, h, w))


class UNet(nn.Module):
    def __init__(self, ch=CH, mult=(1, 2, 2), temb=CH * 4):
        super().__init__()
        self.ch = ch
        self.time = nn.Sequential(nn.Linear(ch, temb), nn.SiLU(), nn.Linear(temb, temb))
        self.inp = nn.Conv2d(3, ch, 3, padding=1)
        self.downs, self.ups = nn.ModuleList(), nn.ModuleList()
        c, skips = ch, [ch]
        for i, m in enumerate(mult):
            for _ in range(2):
                self.downs.append(nn.ModuleList([ResBlock(c, ch * m, temb), Attn(ch * m) if i == 1 else nn.Identity()]))
                c = ch * m
                skips.append(c)
            if i < len(mult) - 1:
                self.downs.append(nn.Conv2d(c, c, 3, stride=2, padding=1))
                skips.append(c)
        self.mid1, self.mida, self.mid2 = ResBlock(c, c, temb), Attn(c), ResBlock(c, c, temb)
        for i, m in reversed(list(enumerate(mult))):
            for _ in range(3):
                self.ups.append(nn.ModuleList([ResBlock(c + skips.pop(), ch * m, temb), Attn(ch * m) if i == 1 else nn.Identity()]))
                c = ch * m
            if i > 0:
                self.ups.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)))
        self.out = nn.Sequential(nn.GroupNorm(32, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t):
        e = self.time(timestep_embedding(t, self.ch))
        h = self.inp(x)
        hs = [h]
        for d in self.downs:
            h = d[1](d[0](h, e)) if isinstance(d, nn.ModuleList) else d(h)
            hs.append(h)
        h = self.mid2(self.mida(self.mid1(h, e)), e)
        for u in self.ups:
            h = u[1](u[0](torch.cat([h, hs.pop()], 1), e)) if isinstance(u, nn.ModuleList) else u(h)
        return self.out(h)


betas = torch.linspace(1e-4, 0.02, T, device=dev)
abar = torch.cumprod(1 - betas, 0)
model = UNet().to(dev)
ema = copy.deepcopy(model).eval().requires_grad_(False)
opt = torch.optim.Adam(model.parameters(), lr=2e-4)

for step in range(4):
    x0 = torch.rand(BS, 3, IMG, IMG, device=dev) * 2 - 1
    t = torch.randint(0, T, (BS,), device=dev)
    eps = torch.randn_like(x0)
    a = abar[t][:, None, None, None]
    loss = F.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t), eps)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    with torch.no_grad():
        for p, q in zip(ema.parameters(), model.parameters()):
            p.lerp_(q, 0.001)
    print(step, loss.item())

with torch.no_grad():  # ddim, 10 steps
    x = torch.randn(64, 3, IMG, IMG, device=dev)
    ts = torch.linspace(T - 1, 0, 10).long().tolist()
    for i, tt in enumerate(ts):
        e = ema(x, torch.full((64,), tt, device=dev))
        x0 = ((x - (1 - abar[tt]).sqrt() * e) / abar[tt].sqrt()).clamp(-1, 1)
        an = abar[ts[i + 1]] if i + 1 < len(ts) else torch.ones((), device=dev)
        x = an.sqrt() * x0 + (1 - an).sqrt() * e
print("samples", x.shape, x.std().item())
