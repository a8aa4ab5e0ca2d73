"""Vanilla coarse+fine NeRF: positional encoding, stratified + importance sampling, chunked image render."""
import torch
import torch.nn as nn
import torch.nn.functional as F

RAYS, N_COARSE, N_FINE = 1024, 64, 96
STEPS = 5
RENDER_HW = 96
CHUNK = 4096
NEAR, FAR = 2.0, 6.0
dev = "cuda"


def posenc(x, n):
    f = 2.0 ** torch.arange(n, device=x.device)
    a = (x[..., None] * f).flatten(-2)
    return torch.cat([x, a.sin(), a.cos()], -1)


class Field(nn.Module):
    def __init__(self, w=256, d=8):
        super().__init__()
        cin = 3 + 6 * 10
        self.layers = nn.ModuleList([nn.Linear(cin, w)] + [nn.Linear(w + (cin if i == 4 else 0), w) for i in range(1, d)])
        self.sigma, self.feat = nn.Linear(w, 1), nn.Linear(w, w)
        self.rgb = nn.Sequential(nn.Linear(w + 3 + 24, w // 2), nn.ReLU(), nn.Linear(w // 2, 3), nn.Sigmoid())

    def forward(self, x, d):
        e = h = posenc(x, 10)
        for i, l in enumerate(self.layers):
            h = F.relu(l(torch.cat([h, e], -1) if i == 4 else h))
        dirs = posenc(d, 4)[..., None, :].expand(*h.shape[:-1], -1)
        return self.rgb(torch.cat([self.feat(h), dirs], -1)), F.softplus(self.sigma(h)).squeeze(-1)


def composite(rgb, sigma, t):
    delta = torch.cat([t[:, 1:] - t[:, :-1], torch.full_like(t[:, :1], 1e10)], 1)
    alpha = 1 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1), w


@torch.no_grad()
def importance(t, w, n):
    mid = 0.5 * (t[:, 1:] + t[:, :-1])
    pdf = w[:, 1:-1] + 1e-5
    cdf = torch.cumsum(pdf / pdf.sum(1, keepdim=True), 1)
    cdf = torch.cat([torch.zeros_like(cdf[:, :1]), cdf], 1)
    u = torch.rand(len(t), n, device=t.device)
    i = torch.searchsorted(cdf, u, right=True).clamp(1, cdf.shape[1] - 1)
    c0, c1, m0, m1 = cdf.gather(1, i - 1), cdf.gather(1, i), mid.gather(1, i - 1), mid.gather(1, i)
    return m0 + (u - c0) / (c1 - c0).clamp(min=1e-5) * (m1 - m0)


def render(coarse, fine, o, d):
    t = torch.linspace(NEAR, FAR, N_COARSE, device=o.device).expand(len(o), -1)
    t = t + torch.rand_like(t) * (FAR - NEAR) / N_COARSE
    rgb_c, w = composite(*coarse(o[:, None] + d[:, None] * t[..., None], d), t)
    t2 = torch.cat([t, importance(t, w, N_FINE)], 1).sort(1).values
    rgb_f, _ = composite(*fine(o[:, None] + d[:, None] * t2[..., None], d), t2)
    return rgb_c, rgb_f


def rays(n):
    o = F.normalize(torch.randn(n, 3, device=dev), dim=1) * 4
    d = F.normalize(-o + 0.3 * torch.randn(n, 3, device=dev), dim=1)
    return o, d, (d * 0.5 + 0.5)


def main():
    torch.manual_seed(400)
    coarse, fine = Field().to(dev), Field().to(dev)
    opt = torch.optim.Adam([*coarse.parameters(), *fine.parameters()], lr=5e-4)
    sch = torch.optim.lr_scheduler.ExponentialLR(opt, 0.1 ** (1 / 250))
    for it in range(STEPS):
        o, d, target = rays(RAYS)
        c, f = render(coarse, fine, o, d)
        loss = F.mse_loss(c, target) + F.mse_loss(f, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sch.step()
        print(it, "psnr", round(-10 * torch.log10(F.mse_loss(f.detach(), target)).item(), 2))
    with torch.no_grad():
        o, d, _ = rays(RENDER_HW**2)
        img = torch.cat([render(coarse, fine, a, b)[1] for a, b in zip(o.split(CHUNK), d.split(CHUNK))])
    print("rendered", tuple(img.view(RENDER_HW, RENDER_HW, 3).shape), "peak", torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
