"""VQ-VAE for 128x128 textures: residual quantiser (2 stages), EMA codebooks with dead-code revival, multi-scale spectral loss."""
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(88)
device = torch.device("cuda")

HID, DIM, CODES, STAGES = 128, 64, 1024, 2
BATCH, SIZE, STEPS = 32, 128, 6


class Res(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.f = nn.Sequential(nn.GroupNorm(8, c), nn.GELU(), nn.Conv2d(c, c, 3, padding=1), nn.GELU(), nn.Conv2d(c, c, 1))

    def forward(self, x):
        return x + self.f(x)


class EMAQuantizer(nn.Module):
    def __init__(self, codes, dim, decay=0.95, revive=0.02):
        super().__init__()
        self.decay, self.revive = decay, revive
        self.register_buffer("book", torch.randn(codes, dim))
        self.register_buffer("count", torch.ones(codes))
        self.register_buffer("total", self.book.clone())

    def forward(self, z):
        with torch.no_grad():
            dist = z.square().sum(1, keepdim=True) - 2 * z @ self.book.T + self.book.square().sum(1)
            idx = dist.argmin(1)
        q = self.book[idx]
        if self.training:
            self.update(z.detach(), idx)
        return q, idx

    @torch.no_grad()
    def update(self, z, idx):
        n = torch.bincount(idx, minlength=len(self.book)).float()
        s = torch.zeros_like(self.book).index_add_(0, idx, z)
        self.count.lerp_(n, 1 - self.decay)
        self.total.lerp_(s, 1 - self.decay)
        self.book.copy_(self.total / (self.count + 1e-5).unsqueeze(1))
        dead = (self.count < self.revive).nonzero().flatten()
        if len(dead):
            pick = z[torch.randint(0, len(z), (len(dead),), device=z.device)]
            self.book[dead], self.total[dead], self.count[dead] = pick, pick, torch.ones_like(self.count[dead])


class VQVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(3, HID // 2, 4, 2, 1), nn.GELU(), nn.Conv2d(HID // 2, HID, 4, 2, 1), Res(HID), Res(HID), nn.Conv2d(HID, DIM, 1)
        )
        self.stages = nn.ModuleList([EMAQuantizer(CODES, DIM) for _ in range(STAGES)])
        self.dec = nn.Sequential(
            nn.Conv2d(DIM, HID, 3, padding=1), Res(HID), Res(HID),
            nn.ConvTranspose2d(HID, HID // 2, 4, 2, 1), nn.GELU(), nn.ConvTranspose2d(HID // 2, 3, 4, 2, 1),
        )

    def quantize(self, z):
        b, c, h, w = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, c)
        rest, out, ids = flat, torch.zeros_like(flat), []
        for s in self.stages:
            q, i = s(rest)
            out, rest = out + q, rest - q
            ids.append(i)
        commit = F.mse_loss(flat, out.detach())
        st = flat + (out - flat).detach()
        return st.view(b, h, w, c).permute(0, 3, 1, 2), commit, ids

    def forward(self, x):
        z, commit, ids = self.quantize(self.enc(x))
        return self.dec(z), commit, ids


def spectral(a, b):
    loss = 0.0
    for k in (1, 2, 4):
        fa, fb = (torch.fft.rfft2(F.avg_pool2d(t, k), norm="ortho").abs() for t in (a, b))
        loss = loss + (fa - fb).abs().mean()
    return loss


def textures(n):
    g = torch.linspace(0, 6.28, SIZE, device=device)
    f = torch.rand(n, 2, 1, 1, device=device) * 8
    base = torch.sin(g[None, :, None] * f[:, 0] + g[None, None, :] * f[:, 1])
    return base[:, None] * torch.rand(n, 3, 1, 1, device=device) + 0.1 * torch.randn(n, 3, SIZE, SIZE, device=device)


model = VQVAE().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.99), weight_decay=1e-4)
with tempfile.TemporaryDirectory() as folder:
    for step in range(STEPS):
        model.train()
        x = textures(BATCH)
        y, commit, ids = model(x)
        rec = F.mse_loss(y, x)
        loss = rec + 0.25 * commit + 0.1 * spectral(y, x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        perp = [torch.exp(-(p := torch.bincount(i, minlength=CODES).float() / len(i)).mul((p + 1e-9).log()).sum()).item() for i in ids]
        print(f"{step} rec {rec.item():.4f} commit {commit.item():.4f} perplexity {perp[0]:.0f}/{perp[1]:.0f}")
        if step == STEPS // 2:
            torch.save(model.state_dict(), os.path.join(folder, "vq.pt"))
    best = torch.load(os.path.join(folder, "vq.pt"), map_location=device, weights_only=True)
    model.load_state_dict(best)
model.eval()
with torch.no_grad():
    x = textures(2 * BATCH)
    print("eval mse", F.mse_loss(model(x)[0], x).item(), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)
