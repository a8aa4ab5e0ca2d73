# Tiny NeRF: positional encoding, coarse + fine networks, hierarchical sampling, chunked rendering of a test view
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
H = W = 80
FOCAL = 90.0
N_RAYS = 1024
N_COARSE, N_FINE = 64, 64
NEAR, FAR = 2.0, 6.0
ITERS = 6
CHUNK = 2048


def posenc(x, L):
    f = 2.0 ** torch.arange(L, device=x.device)
    a = (x[..., None, :] * f[:, None]).flatten(-2)
    return torch.cat([x, a.sin(), a.cos()], -1)


class NeRF(nn.Module):
    def __init__(self, D=8, Wd=256, skip=4, Lx=10, Ld=4):
        super().__init__()
        self.Lx, self.Ld, self.skip = Lx, Ld, skip
        ix, idr = 3 + 6 * Lx, 3 + 6 * Ld
        self.pts = nn.ModuleList([nn.Linear(ix, Wd)] + [nn.Linear(Wd + (ix if i == skip else 0), Wd) for i in range(D - 1)])
        self.sigma, self.feat = nn.Linear(Wd, 1), nn.Linear(Wd, Wd)
        self.view, self.rgb = nn.Linear(Wd + idr, Wd // 2), nn.Linear(Wd // 2, 3)

    def forward(self, x, d):
        e = posenc(x, self.Lx)
        h = e
        for i, l in enumerate(self.pts):
            h = F.relu(l(h))
            if i == self.skip:
                h = torch.cat([e, h], -1)
        v = torch.cat([self.feat(h), posenc(d, self.Ld)], -1)
        return torch.sigmoid(self.rgb(F.relu(self.view(v)))), self.sigma(h).squeeze(-1)


def composite(rgb, sigma, z, noise=0.0):
    delta = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 1e10)], 1)
    alpha = 1 - torch.exp(-F.relu(sigma + noise * torch.randn_like(sigma)) * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1) + (1 - w.sum(1, keepdim=True)), w


def sample_pdf(bins, w, n):
    pdf = (w + 1e-5) / (w + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), pdf.cumsum(-1)], -1)
    u = torch.rand(len(w), n, device=w.device)
    i = torch.searchsorted(cdf.contiguous(), u, right=True)
    lo, hi = (i - 1).clamp(0), i.clamp(max=cdf.size(1) - 1)
    c0, c1 = cdf.gather(1, lo), cdf.gather(1, hi)
    b0, b1 = bins.gather(1, lo.clamp(max=bins.size(1) - 1)), bins.gather(1, hi.clamp(max=bins.size(1) - 1))
    t = (u - c0) / (c1 - c0).clamp_min(1e-5)
    return b0 + t * (b1 - b0)


def get_rays(pose):
    j, i = torch.meshgrid(torch.arange(H, device=device), torch.arange(W, device=device), indexing="ij")
    d = torch.stack([(i - W / 2) / FOCAL, -(j - H / 2) / FOCAL, -torch.ones_like(i)], -1).float()
    d = (d[..., None, :] * pose[:3, :3]).sum(-1)
    return pose[:3, 3].expand_as(d).reshape(-1, 3), d.reshape(-1, 3)


def random_pose():
    eye = F.normalize(torch.randn(3, device=device), dim=0) * 4
    z = F.normalize(eye, dim=0)
    x = F.normalize(torch.linalg.cross(torch.tensor([0.0, 1.0, 0.01], device=device), z), dim=0)
    pose = torch.eye(4, device=device)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = x, torch.linalg.cross(z, x), z, eye
    return pose


def target_color(o, d):
    """ground truth: a coloured unit sphere on white"""
    dn = F.normalize(d, dim=-1)
    b = (o * dn).sum(-1)
    disc = b ** 2 - (o.square().sum(-1) - 1)
    hit = disc > 0
    p = o + (-b - disc.clamp_min(0).sqrt())[:, None] * dn
    return torch.where(hit[:, None], 0.5 + 0.5 * p.clamp(-1, 1), torch.ones_like(p))


def render(coarse, fine, o, d, train):
    dirs = F.normalize(d, dim=-1)
    z = torch.linspace(NEAR, FAR, N_COARSE, device=device).expand(len(o), -1)
    if train:
        z = z + torch.rand_like(z) * (FAR - NEAR) / N_COARSE
    pts = o[:, None] + d[:, None] * z[..., None]
    rgb, sig = coarse(pts, dirs[:, None].expand_as(pts))
    c0, w = composite(rgb, sig, z, noise=1.0 if train else 0.0)
    zf = sample_pdf(0.5 * (z[:, 1:] + z[:, :-1]), w[:, 1:-1].detach(), N_FINE)
    z2 = torch.cat([z, zf], -1).sort(-1).values
    pts = o[:, None] + d[:, None] * z2[..., None]
    rgb, sig = fine(pts, dirs[:, None].expand_as(pts))
    return c0, composite(rgb, sig, z2, noise=1.0 if train else 0.0)[0]


torch.manual_seed(17)
coarse, fine = NeRF().to(device), NeRF().to(device)
opt = torch.optim.Adam([*coarse.parameters(), *fine.parameters()], lr=5e-4)
for it in range(ITERS):
    o, d = get_rays(random_pose())
    pick = torch.randperm(len(o), device=device)[:N_RAYS]
    o, d = o[pick], d[pick]
    gt = target_color(o, d)
    c0, c1 = render(coarse, fine, o, d, True)
    loss = F.mse_loss(c0, gt) + F.mse_loss(c1, gt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for g in opt.param_groups:
        g["lr"] = 5e-4 * 0.1 ** ((it + 1) / 500)
    print(f"iter {it} loss {loss.item():.4f} psnr {-10 * F.mse_loss(c1, gt).log10().item():.2f}")
with torch.no_grad():
    o, d = get_rays(random_pose())
    img = torch.cat([render(coarse, fine, a, b, False)[1] for a, b in zip(o.split(CHUNK), d.split(CHUNK))])
    print("test psnr", round(-10 * F.mse_loss(img, target_color(o, d)).log10().item(), 2))
print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
