"""VQ-VAE with EMA codebook, dead-code restart and a custom straight-through Function."""
import os
import tempfile
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(21)
IMG = 128
BATCH = 32
STEPS = 5
CODES = 2048
CDIM = 64
CH = 96
dev = torch.device("cuda")


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, q):
        return q.clone()

    @staticmethod
    def backward(ctx, g):
        return g, None


class EMAQuantizer(nn.Module):
    def __init__(self, n, d, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("codebook", torch.randn(n, d))
        self.register_buffer("count", torch.ones(n))
        self.register_buffer("sum", self.codebook.clone())

    def forward(self, z):
        B, C, H, W = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, C).float()
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codebook.T + self.codebook.pow(2).sum(1)
        idx = dist.argmin(1)
        q = self.codebook[idx]
        if self.training:
            self.update(flat.detach(), idx)
        q = q.view(B, H, W, C).permute(0, 3, 1, 2)
        commit = F.mse_loss(z, q)
        p = torch.bincount(idx, minlength=len(self.codebook)).float() / len(idx)
        perplexity = torch.exp(-(p * (p + 1e-10).log()).sum())
        return StraightThrough.apply(z, q), commit, perplexity

    @torch.no_grad()
    def update(self, flat, idx):
        onehot = F.one_hot(idx, len(self.codebook)).to(flat.dtype)
        self.count.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.sum.mul_(self.decay).add_(onehot.T @ flat, alpha=1 - self.decay)
        self.codebook.copy_(self.sum / (self.count[:, None] + 1e-5))
        dead = self.count < 0.98
        rand = flat[torch.randint(0, len(flat), (len(self.codebook),), device=flat.device)]
        self.codebook.copy_(torch.where(dead[:, None], rand, self.codebook))
        self.sum.copy_(torch.where(dead[:, None], rand, self.sum))
        self.count.masked_fill_(dead, 1.0)


class Res(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.net = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, c, 3, padding=1),
                                 nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, c, 1))

    def forward(self, x):
        return x + self.net(x)


encoder = nn.Sequential(nn.Conv2d(3, CH, 4, 2, 1), Res(CH), nn.Conv2d(CH, CH * 2, 4, 2, 1), Res(CH * 2), Res(CH * 2),
                        nn.Conv2d(CH * 2, CDIM, 1)).to(dev)
decoder = nn.Sequential(nn.Conv2d(CDIM, CH * 2, 3, padding=1), Res(CH * 2), Res(CH * 2), nn.ConvTranspose2d(CH * 2, CH, 4, 2, 1),
                        Res(CH), nn.ConvTranspose2d(CH, 3, 4, 2, 1)).to(dev)
quant = EMAQuantizer(CODES, CDIM).to(dev)
params = list(encoder.parameters()) + list(decoder.parameters())
opt = torch.optim.NAdam(params, lr=3e-4)


def batch(n):
    """blobs"""
    ax = torch.linspace(-1, 1, IMG, device=dev)
    cy, cx = torch.rand(2, n, 5, 1, 1, device=dev) * 2 - 1
    r = torch.rand(n, 5, 1, 1, device=dev) * 0.3 + 0.05
    blob = torch.exp(-((ax[:, None] - cy) ** 2 + (ax[None] - cx) ** 2) / r**2)
    col = torch.rand(n, 3, 5, device=dev)
    return torch.einsum("nkhw,nck->nchw", blob, col).clamp(0, 1)


for step in range(STEPS):
    x = batch(BATCH)
    z = encoder(x)
    q, commit, ppl = quant(z)
    rec = decoder(q)
    # L1 on image plus L1 on finite differences
    dx = (rec[..., 1:] - rec[..., :-1]) - (x[..., 1:] - x[..., :-1])
    dy = (rec[..., 1:, :] - rec[..., :-1, :]) - (x[..., 1:, :] - x[..., :-1, :])
    loss = (rec - x).abs().mean() + dx.abs().mean() + dy.abs().mean() + 0.25 * commit
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{step} loss {loss.item():.4f} commit {commit.item():.4f} ppl {ppl.item():.1f}")

quant.eval()
with torch.no_grad():
    x = batch(8)
    psnr = -10 * torch.log10(F.mse_loss(decoder(quant(encoder(x))[0]), x))
print("psnr", psnr.item())
with tempfile.TemporaryDirectory() as d:
    torch.save([m.state_dict() for m in (encoder, decoder, quant)], os.path.join(d, "vqvae.pt"))
print(torch.cuda.max_memory_allocated() / 1e9, "GB")
