"""Masked autoencoder pretraining with an AdamW whose moments are kept in 8 bits (block-wise absmax, by hand)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

IMG, PATCH, ENC, DEC = 224, 16, 512, 256
ENC_L, DEC_L, BATCH, MASK, STEPS = 8, 3, 64, 0.75, 5


class Adam8bit(torch.optim.Optimizer):
    BLOCK = 256

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.05, min_8bit=4096):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, min_8bit=min_8bit))

    @classmethod
    def _q(cls, t, signed):
        flat = F.pad(t.flatten(), (0, -t.numel() % cls.BLOCK)).view(-1, cls.BLOCK)
        if not signed:
            flat = flat.sqrt()
        scale = flat.abs().amax(1, keepdim=True).clamp(min=1e-12)
        top = 127 if signed else 255
        return (flat / scale * top).round().to(torch.int8 if signed else torch.uint8), scale

    @staticmethod
    def _dq(q, scale, shape, signed):
        flat = q.float() * (scale / (127 if signed else 255))
        if not signed:
            flat = flat * flat
        return flat.flatten()[:math.prod(shape)].view(shape)

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                small = p.numel() < g["min_8bit"]
                s["step"] = s.get("step", 0) + 1
                if "m" not in s:
                    m, v = torch.zeros_like(p), torch.zeros_like(p)
                elif small:
                    m, v = s["m"], s["v"]
                else:
                    m, v = self._dq(*s["m"], p.shape, True), self._dq(*s["v"], p.shape, False)
                m.mul_(b1).add_(p.grad, alpha=1 - b1)
                v.mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                den = (v / (1 - b2 ** s["step"])).sqrt_().add_(g["eps"])
                p.mul_(1 - g["lr"] * g["weight_decay"])
                p.addcdiv_(m, den, value=-g["lr"] / (1 - b1 ** s["step"]))
                s["m"], s["v"] = (m, v) if small else (self._q(m, True), self._q(v, False))


def encoder(dim, layers, heads):
    layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)


class MAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = (IMG // PATCH) ** 2
        pd = 3 * PATCH * PATCH
        self.embed = nn.Linear(pd, ENC)
        self.pos_e = nn.Parameter(torch.randn(1, self.n, ENC) * 0.02)
        self.pos_d = nn.Parameter(torch.randn(1, self.n, DEC) * 0.02)
        self.mask_tok = nn.Parameter(torch.zeros(1, 1, DEC))
        self.enc, self.dec = encoder(ENC, ENC_L, 8), encoder(DEC, DEC_L, 8)
        self.bridge, self.out = nn.Linear(ENC, DEC), nn.Linear(DEC, pd)

    def patchify(self, x):
        return F.unfold(x, PATCH, stride=PATCH).transpose(1, 2)

    def forward(self, img):
        patches = self.patchify(img)
        B, N, _ = patches.shape
        keep = int(N * (1 - MASK))
        order = torch.rand(B, N, device=img.device).argsort(1)
        restore = order.argsort(1)
        vis = order[:, :keep, None]
        x = self.embed(patches) + self.pos_e
        x = self.bridge(self.enc(x.gather(1, vis.expand(-1, -1, ENC))))
        full = torch.cat([x, self.mask_tok.to(x.dtype).expand(B, N - keep, -1)], 1)
        full = full.gather(1, restore[..., None].expand(-1, -1, DEC)) + self.pos_d
        pred = self.out(self.dec(full))
        target = (patches - patches.mean(-1, keepdim=True)) / (patches.var(-1, keepdim=True) + 1e-6).sqrt()
        w = (restore >= keep).float()
        return (((pred.float() - target) ** 2).mean(-1) * w).sum() / w.sum()


def main():
    torch.manual_seed(808)
    dev = "cuda"
    model = MAE().to(dev)
    opt = Adam8bit(model.parameters(), lr=1.5e-4)
    base = F.interpolate(torch.randn(16, 3, 14, 14), size=IMG, mode="bicubic")
    for step in range(STEPS):
        img = base[torch.randint(0, 16, (BATCH,))].to(dev) + 0.1 * torch.randn(BATCH, 3, IMG, IMG, device=dev)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(img)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 3.0)
        opt.step()
        print(f"step {step} mae loss {loss.item():.4f} alloc {torch.cuda.memory_allocated() / 2**20:.0f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
