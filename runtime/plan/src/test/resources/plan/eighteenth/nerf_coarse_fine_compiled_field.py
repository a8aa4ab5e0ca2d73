"""Tiny NeRF: positional encoding, coarse + fine fields, hierarchical sampling, chunked full-image rendering.
The fine field goes through torch.compile."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

RAYS = 2048
N_COARSE, N_FINE = 64, 64
WIDTH, DEPTH = 192, 6
ITERS = 6
IMG = 100
CHUNK = 2500
device = torch.device("cuda")


def encode(x, bands):
    freqs = 2.0 ** torch.arange(bands, device=x.device)
    ang = (x[..., None] * freqs).flatten(-2)
    return torch.cat([x, ang.sin(), ang.cos()], -1)


class Field(nn.Module):
    def __init__(self, xb=10, db=4):
        super().__init__()
        self.xb, self.db = xb, db
        cin, cdir = 3 + 6 * xb, 3 + 6 * db
        self.layers = nn.ModuleList(
            nn.Linear(cin if i == 0 else WIDTH + (cin if i == DEPTH // 2 else 0), WIDTH) for i in range(DEPTH))
        self.sigma = nn.Linear(WIDTH, 1)
        self.feat = nn.Linear(WIDTH, WIDTH)
        self.rgb = nn.Sequential(nn.Linear(WIDTH + cdir, WIDTH // 2), nn.ReLU(), nn.Linear(WIDTH // 2, 3))

    def forward(self, pts, dirs):
        x = encode(pts, self.xb)
        h = x
        for i, layer in enumerate(self.layers):
            if i == DEPTH // 2:
                h = torch.cat([h, x], -1)
            h = F.relu(layer(h))
        d = encode(dirs, self.db).unsqueeze(1).expand(-1, pts.size(1), -1)
        return torch.sigmoid(self.rgb(torch.cat([self.feat(h), d], -1))), F.softplus(self.sigma(h).squeeze(-1) - 1)


def composite(rgb, sigma, z):
    delta = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 1e3)], -1)
    alpha = 1 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    w = alpha * trans
    return (w.unsqueeze(-1) * rgb).sum(1) + (1 - w.sum(1, keepdim=True)), w


def importance(z, w, n, det):
    mid = 0.5 * (z[:, 1:] + z[:, :-1])
    pdf = w[:, 1:-1] + 1e-5
    cdf = F.pad((pdf / pdf.sum(-1, keepdim=True)).cumsum(-1), (1, 0))
    u = torch.linspace(0, 1, n, device=z.device).expand(len(z), n) if det else torch.rand(len(z), n, device=z.device)
    idx = torch.searchsorted(cdf, u.contiguous(), right=True)
    lo, hi = (idx - 1).clamp(min=0), idx.clamp(max=cdf.size(1) - 1)
    c0, c1 = cdf.gather(1, lo), cdf.gather(1, hi)
    b0, b1 = mid.gather(1, lo), mid.gather(1, hi)
    t = (u - c0) / torch.where(c1 - c0 < 1e-5, torch.ones_like(c0), c1 - c0)
    return b0 + t * (b1 - b0)


def render(coarse, fine, o, d, near=2.0, far=6.0, train=True):
    z = torch.linspace(near, far, N_COARSE, device=o.device).expand(len(o), -1)
    if train:
        z = z + torch.rand_like(z) * (far - near) / N_COARSE
    rgb_c, w = composite(*coarse(o[:, None] + d[:, None] * z[..., None], d), z)
    z_f = importance(z, w.detach(), N_FINE, not train)
    z, _ = torch.cat([z, z_f], -1).sort(-1)
    rgb_f, _ = composite(*fine(o[:, None] + d[:, None] * z[..., None], d), z)
    return rgb_c, rgb_f


def camera_rays(angle, n):
    t = torch.linspace(-0.5, 0.5, n, device=device)
    yy, xx = torch.meshgrid(t, t, indexing="ij")
    d = torch.stack([xx, -yy, -torch.ones_like(xx)], -1).view(-1, 3)
    c, s = torch.cos(angle), torch.sin(angle)
    zero, one = torch.zeros_like(c), torch.ones_like(c)
    rot = torch.stack([c, zero, s, zero, one, zero, -s, zero, c]).view(3, 3)
    d = F.normalize(d @ rot.T, dim=-1)
    return (rot @ torch.tensor([0.0, 0.0, 4.0], device=device)).expand_as(d), d


def target_colour(o, d):
    """analytic picture of a shaded unit sphere"""
    b = (o * d).sum(-1)
    disc = b * b - (o * o).sum(-1) + 1
    hit = disc > 0
    p = o + (-b - disc.clamp(min=0).sqrt()).unsqueeze(-1) * d
    return torch.where(hit.unsqueeze(-1), p * 0.5 + 0.5, torch.ones_like(p))


def main():
    torch.manual_seed(360)
    coarse, fine = Field().to(device), Field().to(device)
    params = [*coarse.parameters(), *fine.parameters()]
    ff = torch.compile(fine, dynamic=False)      # the fine field does two thirds of the work
    opt = torch.optim.Adam(params, lr=5e-4, fused=True)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    for it in range(ITERS):
        o, d = camera_rays(torch.rand((), device=device) * 6.28, IMG)
        pick = torch.randint(0, len(o), (RAYS,), device=device)
        o, d = o[pick], d[pick]
        gt = target_colour(o, d)
        rc, rf = render(coarse, ff, o, d)
        loss = F.mse_loss(rf, gt) + F.mse_loss(rc, gt)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        print(f"iter {it} loss {loss.item():.4f} psnr {-10 * F.mse_loss(rf, gt).log10().item():.2f}")
    print(f"train peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    t0 = time.time()
    with torch.no_grad():        # eager modules here: no second compilation for another shape
        o, d = camera_rays(torch.zeros((), device=device), IMG)
        img = torch.cat([render(coarse, fine, a, b, train=False)[1] for a, b in zip(o.split(CHUNK), d.split(CHUNK))])
    print(f"rendered {tuple(img.view(IMG, IMG, 3).shape)} in {time.time() - t0:.2f}s, "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
