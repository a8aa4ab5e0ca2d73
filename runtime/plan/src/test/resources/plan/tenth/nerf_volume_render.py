# tiny NeRF with coarse + fine sampling. scene = analytic coloured spheres rendered by the same integral.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda"
N_RAYS = 4096
N_COARSE = 64
N_FINE = 96
NEAR, FAR = 2.0, 6.0


def posenc(x, L):
    freqs = 2.0 ** torch.arange(L, device=x.device)
    xb = (x[..., None, :] * freqs[:, None]).flatten(-2)
    return torch.cat([x, xb.sin(), xb.cos()], -1)


class NeRF(nn.Module):
    def __init__(self, W=256, D=8, Lx=10, Ld=4):
        super().__init__()
        self.Lx, self.Ld = Lx, Ld
        dx, dd = 3 + 6 * Lx, 3 + 6 * Ld
        self.layers = nn.ModuleList()
        for i in range(D):
            cin = dx if i == 0 else W + (dx if i == 4 else 0)
            self.layers.append(nn.Linear(cin, W))
        self.sigma = nn.Linear(W, 1)
        self.feat = nn.Linear(W, W)
        self.color = nn.Sequential(nn.Linear(W + dd, W // 2), nn.ReLU(), nn.Linear(W // 2, 3), nn.Sigmoid())

    def forward(self, x, d):
        e = posenc(x, self.Lx)
        h = e
        for i, layer in enumerate(self.layers):
            if i == 4:
                h = torch.cat([h, e], -1)
            h = F.relu(layer(h))
        sigma = F.softplus(self.sigma(h)).squeeze(-1)
        rgb = self.color(torch.cat([self.feat(h), posenc(d, self.Ld)], -1))
        return rgb, sigma


def composite(rgb, sigma, t):
    delta = torch.cat([t[:, 1:] - t[:, :-1], torch.full_like(t[:, :1], 1e10)], -1)
    alpha = 1 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1), w


def sample_pdf(bins, weights, n):
    pdf = (weights + 1e-5) / (weights + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), pdf.cumsum(-1)], -1)
    u = torch.rand(cdf.size(0), n, device=cdf.device)
    idx = torch.searchsorted(cdf, u, right=True)
    lo, hi = (idx - 1).clamp(min=0), idx.clamp(max=cdf.size(-1) - 1)
    c0, c1 = cdf.gather(1, lo), cdf.gather(1, hi)
    b0, b1 = bins.gather(1, lo.clamp(max=bins.size(1) - 1)), bins.gather(1, hi.clamp(max=bins.size(1) - 1))
    return b0 + (u - c0) / (c1 - c0).clamp(min=1e-5) * (b1 - b0)


centers = torch.tensor([[0.0, 0, 0], [1.0, 0.5, 0], [-1.0, -0.3, 0.4]], device=device)


def scene(x, d):
    dist = (x[..., None, :] - centers).norm(dim=-1) - 0.6
    inside, which = dist.min(-1)
    return torch.eye(3, device=device)[which], F.relu(-inside) * 200


def get_rays(n):
    o = F.normalize(torch.randn(n, 3, device=device), dim=-1) * 4
    d = F.normalize(-o + 0.5 * torch.randn(n, 3, device=device), dim=-1)
    return o, d


def render(field, o, d, t):
    pts = o[:, None] + d[:, None] * t[..., None]
    rgb, sigma = field(pts, d[:, None].expand_as(pts))
    return composite(rgb, sigma, t)


coarse, fine = NeRF().to(device), NeRF().to(device)
opt = torch.optim.Adam(list(coarse.parameters()) + list(fine.parameters()), lr=5e-4)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.999)

for it in range(4):
    o, d = get_rays(N_RAYS)
    edges = torch.linspace(NEAR, FAR, N_COARSE + 1, device=device)
    t = edges[:-1] + torch.rand(N_RAYS, N_COARSE, device=device) * (FAR - NEAR) / N_COARSE
    with torch.no_grad():
        target, _ = render(scene, o, d, torch.linspace(NEAR, FAR, 256, device=device).expand(N_RAYS, -1))
    c_rgb, w = render(coarse, o, d, t)
    t_fine = sample_pdf(t, w.detach(), N_FINE)
    f_rgb, _ = render(fine, o, d, torch.cat([t, t_fine], -1).sort(-1).values)
    loss = F.mse_loss(c_rgb, target) + F.mse_loss(f_rgb, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    print(f"iter {it} loss {loss.item():.5f} psnr {-10 * torch.log10(F.mse_loss(f_rgb, target)).item():.2f}")
