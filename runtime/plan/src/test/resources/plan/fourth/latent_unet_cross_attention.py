import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class Res(nn.Module):
    def __init__(self, a, b, t):
        super().__init__()
        self.n1, self.c1, self.n2, self.c2 = nn.GroupNorm(32, a), nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(32, b), nn.Conv2d(b, b, 3, padding=1)
        self.t, self.skip = nn.Linear(t, b), nn.Conv2d(a, b, 1) if a != b else nn.Identity()

    def forward(self, x, t):
        h = self.c1(F.silu(self.n1(x))) + self.t(F.silu(t))[:, :, None, None]
        return self.skip(x) + self.c2(F.silu(self.n2(h)))


class Attend(nn.Module):
    def __init__(self, c, context, heads=4):
        super().__init__()
        self.heads, self.norm = heads, nn.LayerNorm(c)
        self.q, self.k, self.v, self.o = nn.Linear(c, c, bias=False), nn.Linear(context, c, bias=False), nn.Linear(context, c, bias=False), nn.Linear(c, c)
        self.ff = nn.Sequential(nn.LayerNorm(c), nn.Linear(c, 4 * c), nn.GELU(), nn.Linear(4 * c, c))

    def forward(self, x, context=None):
        b, c, h, w = x.shape
        s = x.flatten(2).transpose(1, 2)
        n = self.norm(s)
        context = n if context is None else context
        split = lambda z: z.view(b, -1, self.heads, c // self.heads).transpose(1, 2)
        a = F.scaled_dot_product_attention(split(self.q(n)), split(self.k(context)), split(self.v(context)))
        s = s + self.o(a.transpose(1, 2).reshape(b, -1, c))
        return (s + self.ff(s)).transpose(1, 2).reshape(b, c, h, w)


class Unet(nn.Module):
    def __init__(self, c=64, t=256, text=128):
        super().__init__()
        self.c, self.time, self.first = c, nn.Sequential(nn.Linear(c, t), nn.SiLU(), nn.Linear(t, t)), nn.Conv2d(4, c, 3, padding=1)
        self.r1, self.down, self.r2 = Res(c, c, t), nn.Conv2d(c, 2 * c, 3, stride=2, padding=1), Res(2 * c, 2 * c, t)
        self.own, self.cross, self.mid = Attend(2 * c, 2 * c), Attend(2 * c, text), Res(2 * c, 2 * c, t)
        self.up, self.r3 = nn.Conv2d(2 * c, c, 3, padding=1), Res(2 * c, c, t)
        self.last = nn.Sequential(nn.GroupNorm(32, c), nn.SiLU(), nn.Conv2d(c, 4, 3, padding=1))

    def forward(self, x, t, text):
        f = torch.exp(-math.log(10000) * torch.arange(self.c // 2, device=x.device) / (self.c // 2))
        a = t[:, None].float() * f[None]
        t = self.time(torch.cat([a.cos(), a.sin()], -1))
        skip = self.r1(self.first(x), t)
        h = self.r2(self.down(skip), t)
        h = self.mid(self.cross(self.own(h), text), t)
        h = self.up(F.interpolate(h, scale_factor=2, mode="nearest"))
        return self.last(self.r3(torch.cat([h, skip], 1), t))


torch.manual_seed(0)
model = Unet().cuda()
alphas = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 1000), 0).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(3):
    x, text = torch.randn(12, 4, 32, 32, device="cuda"), torch.randn(12, 20, 128, device="cuda")
    t, noise = torch.randint(0, 1000, (12,), device="cuda"), torch.randn_like(x)
    a = alphas[t].view(-1, 1, 1, 1)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.mse_loss(model(a.sqrt() * x + (1 - a).sqrt() * noise, t, text).float(), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
model.eval()
with torch.no_grad():
    x = torch.randn(4, 4, 32, 32, device="cuda")
    for t in range(999, 0, -333):
        e = model(x, torch.full((4,), t, device="cuda"), torch.randn(4, 20, 128, device="cuda"))
        x = (x - (1 - alphas[t]).sqrt() * e) / alphas[t].sqrt()
