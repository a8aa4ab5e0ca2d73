"""NeRF with coarse and fine networks on an analytic scene; eval renders an image in ray chunks."""
from dataclasses import dataclass
import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class C:
    rays: int = 1536
    coarse: int = 48
    fine: int = 64
    width: int = 256
    depth: int = 6
    steps: int = 5
    eval_hw: int = 72
    chunk: int = 2048
    near: float = 2.0
    far: float = 6.0


def posenc(x, n):
    f = 2.0 ** torch.arange(n, device=x.device) * torch.pi
    a = (x[..., None] * f).flatten(-2)
    return torch.cat([x, a.sin(), a.cos()], -1)


class Field(nn.Module):
    def __init__(self, c):
        super().__init__()
        d_in = 3 + 3 * 2 * 10
        self.skip = c.depth // 2
        self.pts = nn.ModuleList(nn.Linear(d_in if i == 0 else c.width + (d_in if i == self.skip else 0), c.width) for i in range(c.depth))
        self.sigma, self.feat = nn.Linear(c.width, 1), nn.Linear(c.width, c.width)
        self.view = nn.Linear(c.width + 3 + 3 * 2 * 4, c.width // 2)
        self.rgb = nn.Linear(c.width // 2, 3)

    def forward(self, x, d):
        e = posenc(x, 10)
        h = e
        for i, l in enumerate(self.pts):
            if i == self.skip:
                h = torch.cat([e, h], -1)
            h = F.relu(l(h))
        v = F.relu(self.view(torch.cat([self.feat(h), posenc(d, 4)], -1)))
        return torch.sigmoid(self.rgb(v)), F.softplus(self.sigma(h).squeeze(-1) - 1)


def composite(rgb, sigma, z):
    dz = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 1e2)], 1)
    alpha = 1 - torch.exp(-sigma * dz)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1) + (1 - w.sum(1, keepdim=True)), w


def sample_pdf(bins, w, n):
    pdf = (w + 1e-5) / (w + 1e-5).sum(1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), pdf.cumsum(1)], 1)
    u = torch.rand(len(w), n, device=w.device)
    i = torch.searchsorted(cdf, u, right=True).clamp(1, cdf.shape[1] - 1)
    c0, c1 = cdf.gather(1, i - 1), cdf.gather(1, i)
    b0, b1 = bins.gather(1, (i - 1).clamp(max=bins.shape[1] - 1)), bins.gather(1, i.clamp(max=bins.shape[1] - 1))
    return b0 + (u - c0) / (c1 - c0).clamp_min(1e-5) * (b1 - b0)


def render(nets, o, d, c):
    z = torch.linspace(c.near, c.far, c.coarse, device=o.device).expand(len(o), -1)
    z = z + torch.rand_like(z) * (c.far - c.near) / c.coarse
    def query(net, z):
        pts = o[:, None] + d[:, None] * z[..., None]
        return composite(*net(pts, d[:, None].expand_as(pts)), z)
    col0, w = query(nets[0], z)
    mids = 0.5 * (z[:, 1:] + z[:, :-1])
    zf = sample_pdf(mids, w[:, 1:-1].detach(), c.fine)
    col1, _ = query(nets[1], torch.cat([z, zf], 1).sort(1)[0])
    return col0, col1


def camera_rays(n, dev):
    th = torch.rand(n, device=dev) * 2 * torch.pi
    o = torch.stack([4 * th.cos(), 4 * th.sin(), torch.rand(n, device=dev)], 1)
    target = torch.randn(n, 3, device=dev) * 0.7
    return o, F.normalize(target - o, dim=1)


def ground_truth(o, d):
    """lambert-shaded unit sphere on white"""
    b = (o * d).sum(1)
    disc = b**2 - (o.pow(2).sum(1) - 1)
    n = o + d * (-b - disc.clamp_min(0).sqrt())[:, None]
    return torch.where(disc[:, None] > 0, 0.5 * n + 0.5, torch.ones_like(n))


def main():
    c = C()
    torch.manual_seed(10)
    nets = nn.ModuleList([Field(c), Field(c)]).to("cuda")
    opt = torch.optim.Adam(nets.parameters(), lr=5e-4, eps=1e-7)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.1 ** (s / 250_000))
    for s in range(c.steps):
        o, d = camera_rays(c.rays, "cuda")
        gt = ground_truth(o, d)
        c0, c1 = render(nets, o, d, c)
        loss = F.mse_loss(c0, gt) + F.mse_loss(c1, gt)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"{s} loss {loss.item():.4f} psnr {-10 * torch.log10(F.mse_loss(c1, gt)).item():.2f}")
    with torch.no_grad():
        lin = torch.linspace(-0.4, 0.4, c.eval_hw, device="cuda")
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        d = F.normalize(torch.stack([-torch.ones_like(gx), gx, gy], -1).view(-1, 3), dim=1)
        o = torch.tensor([4.0, 0, 0], device="cuda").expand_as(d)
        img = torch.cat([render(nets, a, b, c)[1].cpu() for a, b in zip(o.split(c.chunk), d.split(c.chunk))])
    print("image", tuple(img.shape), "peak", torch.cuda.max_memory_allocated() / 2**30)


if __name__ == "__main__":
    main()
