"""NeRF: positional encoding, coarse + fine MLPs (the fine one, which does most of the work, is compiled), hierarchical sampling; renders an image in chunks."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

dev = "cuda"


def posenc(x, n):
    f = (2.0 ** torch.arange(n, device=x.device)) * math.pi
    a = (x[..., None] * f).flatten(-2)
    return torch.cat([x, a.sin(), a.cos()], -1)


class NeRF(nn.Module):
    def __init__(self, width=256, depth=8, lx=10, ld=4):
        super().__init__()
        self.lx, self.ld = lx, ld
        cx, cd = 3 + 6 * lx, 3 + 6 * ld
        self.skip = depth // 2
        self.pts = nn.ModuleList(
            nn.Linear(cx if i == 0 else width + (cx if i == self.skip else 0), width) for i in range(depth))
        self.sigma = nn.Linear(width, 1)
        self.feat = nn.Linear(width, width)
        self.view = nn.Linear(width + cd, width // 2)
        self.rgb = nn.Linear(width // 2, 3)

    def forward(self, x, d):
        ex, ed = posenc(x, self.lx), posenc(d, self.ld)
        h = ex
        for i, l in enumerate(self.pts):
            if i == self.skip:
                h = torch.cat([h, ex], -1)
            h = F.relu(l(h))
        s = self.sigma(h).squeeze(-1)
        h = F.relu(self.view(torch.cat([self.feat(h), ed], -1)))
        return torch.sigmoid(self.rgb(h)), s


def composite(rgb, sigma, z, noise):
    delta = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 1e10)], -1)
    alpha = 1 - torch.exp(-F.relu(sigma + noise * torch.randn_like(sigma)) * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1), w


def sample_pdf(bins, w, n):
    pdf = (w + 1e-5) / (w + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), pdf.cumsum(-1)], -1)
    u = torch.rand(len(w), n, device=w.device)
    i = torch.searchsorted(cdf.contiguous(), u, right=True).clamp(1, cdf.size(1) - 1)
    c0, c1 = cdf.gather(1, i - 1), cdf.gather(1, i)
    b0, b1 = bins.gather(1, i - 1), bins.gather(1, i)
    return b0 + (u - c0) / (c1 - c0).clamp(min=1e-5) * (b1 - b0)


def query(net, o, d, z):
    pts = o[:, None] + d[:, None] * z[..., None]
    n, s = z.shape
    rgb, sig = net(pts.reshape(-1, 3), F.normalize(d, dim=-1)[:, None].expand(n, s, 3).reshape(-1, 3))
    return rgb.view(n, s, 3), sig.view(n, s)


def render(coarse, fine, o, d, nc, nf, noise=0.0):
    edges = torch.linspace(2.0, 6.0, nc + 1, device=o.device)
    z = edges[:-1] + (edges[1:] - edges[:-1]) * torch.rand(len(o), nc, device=o.device)
    rgb_c, w = composite(*query(coarse, o, d, z), z, noise)
    mids = 0.5 * (z[:, 1:] + z[:, :-1])
    z2 = sample_pdf(mids, w[:, 1:-1].detach(), nf)
    zf = torch.sort(torch.cat([z, z2], -1), -1).values
    rgb_f, _ = composite(*query(fine, o, d, zf), zf, noise)
    return rgb_c, rgb_f


def camera_rays(h, w):
    j, i = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    f = 1.2 * w
    d = torch.stack([(i - w / 2) / f, -(j - h / 2) / f, -torch.ones_like(i, dtype=torch.float)], -1).view(-1, 3)
    return torch.tensor([0.0, 0.0, 4.0]).expand_as(d), d


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rays", type=int, default=1024)
    ap.add_argument("--coarse", type=int, default=64)
    ap.add_argument("--fine", type=int, default=96)
    ap.add_argument("--width", type=int, default=192)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--image", type=int, default=64)
    a = ap.parse_args()
    torch.manual_seed(3)
    c, f = NeRF(a.width, depth=6).to(dev), NeRF(a.width, depth=6).to(dev)
    fast_fine = torch.compile(f)
    opt = torch.optim.Adam([*c.parameters(), *f.parameters()], lr=5e-4)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    o, d = camera_rays(256, 256)
    gt = torch.rand(len(o), 3)
    for step in range(a.steps):
        idx = torch.randint(len(o), (a.rays,))
        rc, rf = render(c, fast_fine, o[idx].to(dev), d[idx].to(dev), a.coarse, a.fine, noise=1.0)
        target = gt[idx].to(dev)
        loss = F.mse_loss(rc, target) + F.mse_loss(rf, target)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        print(f"step {step} loss {loss.item():.4f} psnr {-10 * math.log10(loss.item() / 2):.2f} "
              f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    o, d = camera_rays(a.image, a.image)
    with torch.no_grad():   # eager modules here: another chunk size would recompile
        img = torch.cat([render(c, f, oo.to(dev), dd.to(dev), a.coarse, a.fine)[1].cpu()
                         for oo, dd in zip(o.split(2048), d.split(2048))])
    print("rendered", tuple(img.view(a.image, a.image, 3).shape), f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
