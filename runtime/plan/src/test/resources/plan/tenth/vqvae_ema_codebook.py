"""VQ-VAE with an EMA codebook and straight-through gradients on 128px images."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    hidden: int = 192
    res_hidden: int = 96
    n_res: int = 3
    codes: int = 1024
    dim: int = 64
    decay: float = 0.99
    beta: float = 0.25
    batch: int = 64
    image: int = 128
    steps: int = 4
    lr: float = 3e-4


class Res(nn.Module):
    def __init__(self, c, h):
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(), nn.Conv2d(c, h, 3, padding=1), nn.ReLU(), nn.Conv2d(h, c, 1))

    def forward(self, x):
        return x + self.net(x)


class Quantizer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        embed = torch.randn(cfg.codes, cfg.dim)
        self.register_buffer("embed", embed)
        self.register_buffer("cluster_size", torch.ones(cfg.codes))
        self.register_buffer("embed_avg", embed.clone())
        self.cfg = cfg

    def forward(self, z):
        b, c, h, w = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, c)
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed.t() + self.embed.pow(2).sum(1)
        idx = dist.argmin(1)
        q = F.embedding(idx, self.embed)
        if self.training:
            with torch.no_grad():
                onehot = F.one_hot(idx, self.cfg.codes).type_as(flat)
                d = self.cfg.decay
                self.cluster_size.mul_(d).add_(onehot.sum(0), alpha=1 - d)
                self.embed_avg.mul_(d).add_(onehot.t() @ flat, alpha=1 - d)
                n = self.cluster_size.sum()
                size = (self.cluster_size + 1e-5) / (n + self.cfg.codes * 1e-5) * n
                self.embed.copy_(self.embed_avg / size[:, None])
        q = q.view(b, h, w, c).permute(0, 3, 1, 2)
        commit = F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        probs = torch.bincount(idx, minlength=self.cfg.codes).float() / idx.numel()
        perplexity = torch.exp(-(probs * (probs + 1e-10).log()).sum())
        return q, commit, perplexity


class VQVAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        h = cfg.hidden
        res = lambda: [Res(h, cfg.res_hidden) for _ in range(cfg.n_res)]
        self.enc = nn.Sequential(
            nn.Conv2d(3, h // 2, 4, 2, 1), nn.ReLU(), nn.Conv2d(h // 2, h, 4, 2, 1), nn.ReLU(),
            nn.Conv2d(h, h, 3, padding=1), *res(), nn.ReLU(), nn.Conv2d(h, cfg.dim, 1))
        self.vq = Quantizer(cfg)
        self.dec = nn.Sequential(
            nn.Conv2d(cfg.dim, h, 3, padding=1), *res(), nn.ReLU(),
            nn.ConvTranspose2d(h, h // 2, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(h // 2, 3, 4, 2, 1))

    def forward(self, x):
        q, commit, ppl = self.vq(self.enc(x))
        return self.dec(q), commit, ppl


def main(cfg=Config()):
    torch.manual_seed(0)
    model = VQVAE(cfg).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, amsgrad=True)
    low = torch.rand(cfg.batch * 2, 3, 8, 8)
    data = F.interpolate(low, size=cfg.image, mode="bicubic", align_corners=False) - 0.5
    var = data.var().item()
    for step in range(cfg.steps):
        x = data[torch.randperm(len(data))[:cfg.batch]].cuda()
        recon, commit, ppl = model(x)
        rec = F.mse_loss(recon, x) / var
        loss = rec + cfg.beta * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} rec {rec.item():.4f} commit {commit.item():.4f} perplexity {ppl.item():.1f}")


if __name__ == "__main__":
    main()
