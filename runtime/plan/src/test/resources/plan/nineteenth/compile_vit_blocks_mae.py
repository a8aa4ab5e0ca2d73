"""Masked autoencoder pre-training, ViT in plain PyTorch. The encoder's blocks are compiled one by one (they share one graph)."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

IMG, PATCH = 192, 16
ENC, DEC = dict(dim=768, depth=8, heads=12), dict(dim=384, depth=4, heads=6)
MASK = 0.6
BATCH, STEPS = 64, 6
dev = "cuda"
N = (IMG // PATCH) ** 2
KEEP = int(N * (1 - MASK))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.fc1, self.fc2 = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.g1, self.g2 = nn.Parameter(torch.full((dim,), 0.1)), nn.Parameter(torch.full((dim,), 0.1))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
        x = x + self.g1 * self.proj(a)
        return x + self.g2 * self.fc2(F.gelu(self.fc1(self.n2(x))))


class MAE(nn.Module):
    def __init__(self):
        super().__init__()
        e, d = ENC["dim"], DEC["dim"]
        self.embed = nn.Conv2d(3, e, PATCH, PATCH)
        self.pos_e, self.pos_d = (nn.Parameter(0.02 * torch.randn(1, N, k)) for k in (e, d))
        self.enc = nn.ModuleList(Block(e, ENC["heads"]) for _ in range(ENC["depth"]))
        self.norm_e, self.to_dec = nn.LayerNorm(e), nn.Linear(e, d)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, d))
        self.dec = nn.ModuleList(Block(d, DEC["heads"]) for _ in range(DEC["depth"]))
        self.norm_d, self.out = nn.LayerNorm(d), nn.Linear(d, PATCH * PATCH * 3)

    def patches(self, img):
        return F.unfold(img, PATCH, stride=PATCH).transpose(1, 2)

    def forward(self, img):
        b = len(img)
        x = self.embed(img).flatten(2).transpose(1, 2) + self.pos_e
        order = torch.rand(b, N, device=img.device).argsort(1)
        keep = order[:, :KEEP]
        x = torch.gather(x, 1, keep[..., None].expand(-1, -1, x.shape[-1]))
        for blk in self.enc:
            x = blk(x)
        x = self.to_dec(self.norm_e(x))
        full = torch.cat([x, self.mask_token.to(x.dtype).expand(b, N - KEEP, -1)], 1)
        back = order.argsort(1)
        full = torch.gather(full, 1, back[..., None].expand(-1, -1, full.shape[-1])) + self.pos_d
        for blk in self.dec:
            full = blk(full)
        pred = self.out(self.norm_d(full)).float()
        target = self.patches(img)
        target = (target - target.mean(-1, keepdim=True)) / (target.var(-1, keepdim=True) + 1e-6).sqrt()
        masked = (back >= KEEP).float()
        return ((pred - target).square().mean(-1) * masked).sum() / masked.sum()


def images(gen):
    low = torch.randn(BATCH, 3, 12, 12, generator=gen, device=dev)
    return F.interpolate(low, size=IMG, mode="bicubic") + 0.1 * torch.randn(BATCH, 3, IMG, IMG, generator=gen, device=dev)


def main():
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    gen = torch.Generator(device=dev).manual_seed(0)
    model = MAE().to(dev)
    for blk in model.enc:
        blk.compile(dynamic=False)
    opt = torch.optim.AdamW(model.parameters(), lr=1.5e-4, betas=(0.9, 0.95), weight_decay=0.05, fused=True)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters, {KEEP} of {N} patches seen")
    for step in range(STEPS):
        torch.cuda.reset_peak_memory_stats()
        t0 = time.perf_counter()
        with torch.autocast(dev, dtype=torch.bfloat16):
            loss = model(images(gen))
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        print(f"step {step} loss {loss.item():.4f} {time.perf_counter() - t0:.2f}s "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
