"""Tiny NeRF: coarse + fine networks, hierarchical sampling, torch.compile on the fine MLP, chunked rendering."""
import torch
import torch.nn as nn
import torch.nn.functional as F

H = W = 100
FOCAL = 120.0
N_RAYS = 1536
N_COARSE, N_FINE = 48, 64
NEAR, FAR = 2.0, 6.0
WIDTH, DEPTH = 256, 8
STEPS = 6
CHUNK = 2500
device = torch.device("cuda")


def posenc(x, n):
    freqs = 2.0 ** torch.arange(n, device=x.device)
    ang = x[..., None] * freqs
    return torch.cat([x, ang.sin().flatten(-2), ang.cos().flatten(-2)], -1)


class NeRF(nn.Module):
    def __init__(self):
        super().__init__()
        d_in, d_dir = 3 + 60, 3 + 24
        self.layers = nn.ModuleList([nn.Linear(d_in if i == 0 else WIDTH + (d_in if i == 5 else 0), WIDTH) for i in range(DEPTH)])
        self.sigma, self.feat = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, WIDTH)
        self.rgb = nn.Sequential(nn.Linear(WIDTH + d_dir, WIDTH // 2), nn.ReLU(), nn.Linear(WIDTH // 2, 3))

    def forward(self, pts, dirs):
        x0 = posenc(pts, 10)
        h = x0
        for i, layer in enumerate(self.layers):
            h = F.relu(layer(torch.cat([h, x0], -1) if i == 5 else h))
        d = posenc(dirs, 4)[:, None].expand(-1, pts.size(1), -1)
        rgb = torch.sigmoid(self.rgb(torch.cat([self.feat(h), d], -1)))
        return rgb, F.softplus(self.sigma(h) - 1).squeeze(-1)


def camera_rays(theta):
    j, i = torch.meshgrid(torch.arange(H, device=device), torch.arange(W, device=device), indexing="ij")
    d = torch.stack([(i - W / 2) / FOCAL, -(j - H / 2) / FOCAL, -torch.ones_like(i, dtype=torch.float)], -1)
    c, s = torch.cos(theta), torch.sin(theta)
    rot = torch.stack([torch.stack([c, 0 * c, s]), torch.stack([0 * c, 1 + 0 * c, 0 * c]), torch.stack([-s, 0 * c, c])])
    d = F.normalize(d.view(-1, 3) @ rot.T, dim=-1)
    return (rot @ torch.tensor([0.0, 0.0, 4.0], device=device)).expand_as(d), d


def composite(rgb, sigma, z):
    delta = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 1e2)], -1)
    alpha = 1 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1) + (1 - w.sum(-1, keepdim=True)), w


def sample_pdf(z_mid, w, n):
    pdf = (w + 1e-5) / (w + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), pdf.cumsum(-1)], -1)
    u = torch.rand(len(w), n, device=w.device)
    idx = torch.searchsorted(cdf.contiguous(), u, right=True)
    lo, hi = (idx - 1).clamp_min(0), idx.clamp_max(cdf.size(1) - 1)
    c0, c1 = cdf.gather(1, lo), cdf.gather(1, hi)
    hi_mid = hi.clamp_max(z_mid.size(1) - 1)
    lo_mid = lo.clamp_max(z_mid.size(1) - 1)
    t = (u - c0) / (c1 - c0).clamp_min(1e-5)
    return torch.lerp(z_mid.gather(1, lo_mid), z_mid.gather(1, hi_mid), t.clamp(0, 1))


def render(coarse, fine, o, d):
    z = torch.linspace(NEAR, FAR, N_COARSE, device=device).expand(len(o), -1)
    z = z + (torch.rand_like(z) - 0.5) * (FAR - NEAR) / N_COARSE
    rgb_c, w = composite(*coarse(o[:, None] + d[:, None] * z[..., None], d), z)
    z_f = sample_pdf(0.5 * (z[:, 1:] + z[:, :-1]), w[:, 1:-1].detach(), N_FINE)
    z_all = torch.cat([z, z_f], -1).sort(-1).values
    rgb_f, _ = composite(*fine(o[:, None] + d[:, None] * z_all[..., None], d), z_all)
    return rgb_c, rgb_f


def ground_truth(o, d):
    """White background with a shaded unit sphere at the origin."""
    b = (o * d).sum(-1)
    disc = b * b - (o * o).sum(-1) + 1
    n = o + d * (-b - disc.clamp_min(0).sqrt())[:, None]
    return torch.where((disc > 0)[:, None], 0.5 + 0.5 * n, torch.ones_like(n))


def main():
    torch.manual_seed(9458)
    coarse, fine = NeRF().to(device), NeRF().to(device)
    params = [*coarse.parameters(), *fine.parameters()]
    opt = torch.optim.Adam(params, lr=5e-4, eps=1e-7)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.999)
    c_fn, f_fn = coarse, torch.compile(fine)
    for step in range(STEPS):
        o, d = camera_rays(torch.rand((), device=device) * 6.28)
        pick = torch.randperm(H * W, device=device)[:N_RAYS]
        o, d = o[pick], d[pick]
        gt = ground_truth(o, d)
        rgb_c, rgb_f = render(c_fn, f_fn, o, d)
        loss = F.mse_loss(rgb_c, gt) + F.mse_loss(rgb_f, gt)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        psnr = -10 * torch.log10(F.mse_loss(rgb_f.detach(), gt))
        print(f"step {step} loss {loss.item():.4f} psnr {psnr.item():.2f}")
    with torch.no_grad():
        o, d = camera_rays(torch.tensor(0.3, device=device))
        img = torch.cat([render(coarse, fine, a, b)[1] for a, b in zip(o.split(CHUNK), d.split(CHUNK))])
    print("view", tuple(img.view(H, W, 3).shape), f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
