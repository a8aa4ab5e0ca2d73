import math
import torch
from torch import nn
import torch.nn.functional as F


class ResBlock(nn.Module):
    def __init__(self, i, o, t):
        super().__init__()
        self.a, self.b = nn.Sequential(nn.GroupNorm(8, i), nn.SiLU(), nn.Conv2d(i, o, 3, padding=1)), nn.Sequential(nn.GroupNorm(8, o), nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(o, o, 3, padding=1))
        self.t, self.s = nn.Linear(t, o), nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, t):
        return self.b(self.a(x) + self.t(F.silu(t))[:, :, None, None]) + self.s(x)


class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n, self.m = nn.GroupNorm(8, c), nn.MultiheadAttention(c, 4, batch_first=True)

    def forward(self, x):
        b, c, h, w = x.shape
        y = self.n(x).flatten(2).transpose(1, 2)
        return x + self.m(y, y, y, need_weights=False)[0].transpose(1, 2).reshape(b, c, h, w)


class UNet(nn.Module):
    def __init__(self, c=64, t=256):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(c, t), nn.SiLU(), nn.Linear(t, t))
        self.inp = nn.Conv2d(3, c, 3, padding=1)
        self.d1, self.d2, self.d3 = ResBlock(c, c, t), ResBlock(c, 2 * c, t), ResBlock(2 * c, 4 * c, t)
        self.p1, self.p2 = nn.Conv2d(c, c, 3, 2, 1), nn.Conv2d(2 * c, 2 * c, 3, 2, 1)
        self.att, self.mid = Attn(4 * c), ResBlock(4 * c, 4 * c, t)
        self.u2, self.u1 = ResBlock(6 * c, 2 * c, t), ResBlock(3 * c, c, t)
        self.out = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))
        self.c = c

    def forward(self, x, t):
        f = torch.exp(-math.log(10000) * torch.arange(self.c // 2, device=x.device) / (self.c // 2))
        e = t[:, None].float() * f[None]
        e = self.time(torch.cat([e.sin(), e.cos()], -1))
        a = self.d1(self.inp(x), e)
        b = self.d2(self.p1(a), e)
        m = self.mid(self.att(self.d3(self.p2(b), e)), e)
        u = self.u2(torch.cat([F.interpolate(m, scale_factor=2, mode="nearest"), b], 1), e)
        return self.out(self.u1(torch.cat([F.interpolate(u, scale_factor=2, mode="nearest"), a], 1), e))


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = UNet().to(device)
print(sum(p.numel() for p in model.parameters()) / 1e6, "M parameters")
beta = torch.linspace(1e-4, 0.02, 1000, device=device)
alpha = torch.cumprod(1 - beta, 0)
opt = torch.optim.AdamW(model.parameters(), lr=2e-4)
for step in range(3):
    x0 = torch.randn(16, 3, 64, 64, device=device)
    t = torch.randint(0, 1000, (16,), device=device)
    noise = torch.randn_like(x0)
    xt = alpha[t].sqrt()[:, None, None, None] * x0 + (1 - alpha[t]).sqrt()[:, None, None, None] * noise
    loss = F.mse_loss(model(xt, t), noise)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    print(step, f"{loss.item():.4f}")
model.eval()
with torch.no_grad():
    x = torch.randn(8, 3, 64, 64, device=device)
    for i in reversed(range(990, 1000)):
        t = torch.full((8,), i, device=device)
        e = model(x, t)
        x = (x - beta[i] / (1 - alpha[i]).sqrt() * e) / (1 - beta[i]).sqrt()
        if i > 990:
            x = x + beta[i].sqrt() * torch.randn_like(x)
images = ((x.clamp(-1, 1) + 1) / 2 * 255).to(torch.uint8).permute(0, 2, 3, 1).cpu().numpy()
print(images.shape)
