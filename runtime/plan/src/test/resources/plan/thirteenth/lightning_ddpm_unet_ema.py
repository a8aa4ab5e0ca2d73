"""DDPM on 64x64 images as a LightningModule, with EMA as a callback and DDIM sampling after training."""
import copy
import logging
import math
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)

SIZE = 64
CH = 96
BATCH = 24
T = 1000


def timestep_embedding(t, dim):
    freqs = torch.exp(-math.log(10000) * torch.arange(dim // 2, device=t.device) / (dim // 2))
    a = t[:, None].float() * freqs[None]
    return torch.cat([a.cos(), a.sin()], -1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, emb):
        super().__init__()
        self.a = nn.Sequential(nn.GroupNorm(8, cin), nn.SiLU(), nn.Conv2d(cin, cout, 3, padding=1))
        self.t = nn.Linear(emb, cout * 2)
        self.n = nn.GroupNorm(8, cout)
        self.b = nn.Sequential(nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(cout, cout, 3, padding=1))
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, e):
        scale, shift = self.t(e)[:, :, None, None].chunk(2, 1)
        h = self.n(self.a(x)) * (1 + scale) + shift
        return self.b(h) + self.skip(x)


class SelfAttn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n, self.qkv, self.o = nn.GroupNorm(8, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.n(x)).view(b, 3, 4, c // 4, h * w).transpose(-1, -2).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v).transpose(-1, -2).reshape(b, c, h, w)
        return x + self.o(y)


class UNet(nn.Module):
    def __init__(self, ch=CH, mults=(1, 2, 3)):
        super().__init__()
        self.ch, emb = ch, ch * 4
        self.temb = nn.Sequential(nn.Linear(ch, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.inp = nn.Conv2d(3, ch, 3, padding=1)
        dims = [ch * m for m in mults]
        self.down, self.up, c = nn.ModuleList(), nn.ModuleList(), ch
        for i, d in enumerate(dims):
            self.down.append(nn.ModuleList([ResBlock(c, d, emb), ResBlock(d, d, emb), nn.Conv2d(d, d, 3, 2, 1)]))
            c = d
        self.mid1, self.attn, self.mid2 = ResBlock(c, c, emb), SelfAttn(c), ResBlock(c, c, emb)
        for d in reversed(dims):
            self.up.append(nn.ModuleList([ResBlock(c + d, d, emb), ResBlock(d, d, emb)]))
            c = d
        self.out = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t):
        e = self.temb(timestep_embedding(t, self.ch))
        x, skips = self.inp(x), []
        for r1, r2, pool in self.down:
            x = r2(r1(x, e), e)
            skips.append(x)
            x = pool(x)
        x = self.mid2(self.attn(self.mid1(x, e)), e)
        for r1, r2 in self.up:
            x = F.interpolate(x, scale_factor=2, mode="nearest")
            x = r2(r1(torch.cat([x, skips.pop()], 1), e), e)
        return self.out(x)


class DDPM(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = UNet()
        beta = torch.linspace(1e-4, 0.02, T)
        self.register_buffer("abar", torch.cumprod(1 - beta, 0))

    def training_step(self, batch, idx):
        x = batch[0]
        t = torch.randint(0, T, (len(x),), device=x.device)
        eps = torch.randn_like(x)
        a = self.abar[t].view(-1, 1, 1, 1)
        loss = F.mse_loss(self.net(a.sqrt() * x + (1 - a).sqrt() * eps, t), eps)
        print(f"step {idx} loss {loss.item():.4f}")
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-4)


class EMA(pl.Callback):
    def on_train_start(self, trainer, module):
        self.shadow = copy.deepcopy(module.net).eval().requires_grad_(False)

    def on_train_batch_end(self, trainer, module, *args):
        for s, q in zip(self.shadow.parameters(), module.net.parameters()):
            s.lerp_(q.detach(), 0.001)


@torch.no_grad()
def ddim(net, abar, n, steps, device):
    x = torch.randn(n, 3, SIZE, SIZE, device=device)
    ts = torch.linspace(T - 1, 0, steps, device=device).long()
    for i, t in enumerate(ts):
        eps = net(x, t.expand(n))
        x0 = ((x - (1 - abar[t]).sqrt() * eps) / abar[t].sqrt()).clamp(-1, 1)
        nxt = abar[ts[i + 1]] if i + 1 < steps else torch.ones((), device=device)
        x = nxt.sqrt() * x0 + (1 - nxt).sqrt() * eps
    return x


if __name__ == "__main__":
    pl.seed_everything(5, verbose=False)
    data = TensorDataset(torch.rand(BATCH * 5, 3, SIZE, SIZE) * 2 - 1)
    ema, model = EMA(), DDPM()
    device = torch.device("cuda")
    with tempfile.TemporaryDirectory() as root:
        trainer = pl.Trainer(max_epochs=1, accelerator=device.type, devices=1, precision="bf16-mixed", callbacks=[ema],
                             gradient_clip_val=1.0, logger=False, enable_checkpointing=False, default_root_dir=root,
                             enable_progress_bar=False, enable_model_summary=False)
        trainer.fit(model, DataLoader(data, BATCH, shuffle=True))
    img = ddim(ema.shadow.to(device), model.abar.to(device), 16, 6, device)
    print("samples", tuple(img.shape), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)
