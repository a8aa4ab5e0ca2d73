"""NeRF on an analytic scene: coarse+fine MLP fields (fine one compiled), stratified and importance sampling, chunked render."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Opt:
    rays: int = 2048
    n_coarse: int = 48
    n_fine: int = 48
    width: int = 192
    steps: int = 6
    near: float = 1.0
    far: float = 5.0
    render_hw: int = 64
    chunk: int = 2048


def posenc(x, levels):
    f = 2.0 ** torch.arange(levels, device=x.device)
    ang = (x[..., None, :] * f[:, None]).flatten(-2)
    return torch.cat([x, ang.sin(), ang.cos()], -1)


class Field(nn.Module):
    def __init__(self, w):
        super().__init__()
        px, pd = 3 + 3 * 2 * 8, 3 + 3 * 2 * 3
        self.l1 = nn.Sequential(nn.Linear(px, w), nn.ReLU(), nn.Linear(w, w), nn.ReLU(), nn.Linear(w, w), nn.ReLU())
        self.l2 = nn.Sequential(nn.Linear(px + w, w), nn.ReLU(), nn.Linear(w, w), nn.ReLU())
        self.sigma = nn.Linear(w, 1)
        self.rgb = nn.Sequential(nn.Linear(w + pd, w // 2), nn.ReLU(), nn.Linear(w // 2, 3))

    def forward(self, x, d):
        e = posenc(x, 8)
        h = self.l2(torch.cat([e, self.l1(e)], -1))
        rgb = self.rgb(torch.cat([h, posenc(d, 3)], -1)).sigmoid()
        return F.softplus(self.sigma(h) - 1).squeeze(-1), rgb


def composite(sigma, rgb, z):
    dz = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 0.1)], 1)
    alpha = 1 - torch.exp(-sigma * dz)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha[:, :-1] + 1e-10], 1), 1)
    w = alpha * trans
    return (w[..., None] * rgb).sum(1) + (1 - w.sum(1, keepdim=True)), w


def importance(z, w, n):
    mid = 0.5 * (z[:, 1:] + z[:, :-1])
    pdf = w[:, 1:-1] + 1e-5
    cdf = torch.cumsum(pdf / pdf.sum(1, keepdim=True), 1)
    cdf = torch.cat([torch.zeros_like(cdf[:, :1]), cdf], 1)
    u = torch.rand(z.size(0), n, device=z.device)
    hi = torch.searchsorted(cdf, u, right=True).clamp(1, cdf.size(1) - 1)
    lo = hi - 1
    c0, c1, b0, b1 = cdf.gather(1, lo), cdf.gather(1, hi), mid.gather(1, lo), mid.gather(1, hi)
    return b0 + (u - c0) / (c1 - c0).clamp(min=1e-5) * (b1 - b0)


def render(coarse, fine, o, d, c):
    n = o.size(0)
    t = torch.linspace(0, 1, c.n_coarse, device=o.device)
    z = c.near + (c.far - c.near) * (t + torch.rand(n, c.n_coarse, device=o.device) / c.n_coarse)

    def query(field, zz):
        pts = o[:, None] + d[:, None] * zz[..., None]
        return composite(*field(pts, d[:, None].expand_as(pts)), zz)

    rgb_c, w = query(coarse, z)
    zf = torch.cat([z, importance(z, w.detach(), c.n_fine)], 1).sort(1).values
    rgb_f, _ = query(fine, zf)
    return rgb_c, rgb_f


def camera(n, device):
    ang = torch.rand(n, device=device) * 2 * math.pi
    o = torch.stack([3 * ang.cos(), 3 * ang.sin(), torch.full_like(ang, 0.8)], -1)
    target = (torch.rand(n, 3, device=device) - 0.5) * 1.8
    return o, F.normalize(target - o, dim=-1)


def truth(o, d):
    """white background, a sphere of radius 0.7 shaded by its normal"""
    b = (o * d).sum(-1)
    disc = b ** 2 - ((o ** 2).sum(-1) - 0.49)
    hit = disc > 0
    t = -b - disc.clamp(min=0).sqrt()
    normal = F.normalize(o + t[:, None] * d, dim=-1)
    return torch.where(hit[:, None], 0.5 + 0.5 * normal, torch.ones_like(normal))


def main():
    c, dev = Opt(), torch.device("cuda")
    torch.manual_seed(360)
    coarse, fine = Field(c.width).to(dev), Field(c.width).to(dev)
    fast_f = torch.compile(fine, dynamic=False)  # only the fine one, it is the one called with most points
    opt = torch.optim.Adam([*coarse.parameters(), *fine.parameters()], lr=1e-3, fused=True)
    for step in range(c.steps):
        o, d = camera(c.rays, dev)
        gt = truth(o, d)
        rc, rf = render(coarse, fast_f, o, d, c)
        loss = F.mse_loss(rc, gt) + F.mse_loss(rf, gt)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} psnr {-10 * math.log10(F.mse_loss(rf.detach(), gt).item()):.2f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    with torch.no_grad():
        o, d = camera(c.render_hw ** 2, dev)
        img = torch.cat([render(coarse, fine, a, b, c)[1] for a, b in zip(o.split(c.chunk), d.split(c.chunk))])
    print("rendered", tuple(img.shape), "mse", F.mse_loss(img, truth(o, d)).item())


if __name__ == "__main__":
    main()
