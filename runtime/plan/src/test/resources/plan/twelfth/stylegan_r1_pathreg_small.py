"""Small StyleGAN2: modulated convolutions, lazy R1 and path-length regularisation, generator EMA, hinge-free logistic loss."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

RES, BATCH, ZDIM, STEPS = 128, 8, 256, 4
R1_EVERY, PL_EVERY, R1_GAMMA = 2, 2, 1.0
CHANS = {4: 256, 8: 256, 16: 256, 32: 256, 64: 128, 128: 64}
dev = torch.device("cuda")


class ModConv(nn.Module):
    def __init__(self, i, o, k=3, demod=True):
        super().__init__()
        self.w = nn.Parameter(torch.randn(o, i, k, k))
        self.scale, self.demod, self.k = 1 / math.sqrt(i * k * k), demod, k
        self.affine = nn.Linear(ZDIM, i)
        nn.init.ones_(self.affine.bias)
        self.noise = nn.Parameter(torch.zeros(()))

    def forward(self, x, w):
        B, C, H, W = x.shape
        wt = self.scale * self.w[None] * self.affine(w)[:, None, :, None, None]
        if self.demod:
            wt = wt * (wt.square().sum((2, 3, 4), keepdim=True) + 1e-8).rsqrt()
        y = F.conv2d(x.reshape(1, B * C, H, W), wt.flatten(0, 1), padding=self.k // 2, groups=B).view(B, -1, H, W)
        return y + self.noise * torch.randn(B, 1, H, W, device=x.device)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        m = []
        for _ in range(4):
            m += [nn.Linear(ZDIM, ZDIM), nn.LeakyReLU(0.2)]
        self.mapping = nn.Sequential(*m)
        self.const = nn.Parameter(torch.randn(1, CHANS[4], 4, 4))
        self.res = sorted(CHANS)
        prev, c0, c1, rgb = CHANS[4], [], [], []
        for r in self.res:
            c0.append(ModConv(prev, CHANS[r]))
            c1.append(ModConv(CHANS[r], CHANS[r]))
            rgb.append(ModConv(CHANS[r], 3, 1, demod=False))
            prev = CHANS[r]
        self.c0, self.c1, self.rgb = nn.ModuleList(c0), nn.ModuleList(c1), nn.ModuleList(rgb)

    def synth(self, w):
        x, img = self.const.expand(len(w), -1, -1, -1), None
        for i in range(len(self.res)):
            if i:
                x = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
                img = F.interpolate(img, scale_factor=2, mode="bilinear", align_corners=False)
            x = F.leaky_relu(self.c0[i](x, w), 0.2)
            x = F.leaky_relu(self.c1[i](x, w), 0.2)
            y = self.rgb[i](x, w)
            img = y if img is None else img + y
        return img

    def forward(self, z):
        z = z * z.square().mean(1, keepdim=True).add(1e-8).rsqrt()
        w = self.mapping(z)
        return self.synth(w), w


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        rs = sorted(CHANS, reverse=True)
        self.inp = nn.Conv2d(3, CHANS[rs[0]], 1)
        self.blocks = nn.ModuleList(nn.ModuleDict({
            "a": nn.Conv2d(CHANS[r], CHANS[r], 3, padding=1), "b": nn.Conv2d(CHANS[r], CHANS[n], 3, padding=1),
            "s": nn.Conv2d(CHANS[r], CHANS[n], 1, bias=False)}) for r, n in zip(rs, rs[1:]))
        self.out = nn.Sequential(nn.Flatten(), nn.Linear((CHANS[4] + 1) * 16, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))

    def forward(self, x):
        x = self.inp(x)
        for b in self.blocks:
            h = F.leaky_relu(b["b"](F.leaky_relu(b["a"](x), 0.2)), 0.2)
            x = (F.avg_pool2d(h, 2) + F.avg_pool2d(b["s"](x), 2)) / math.sqrt(2)
        sd = x.std(0, unbiased=False).mean().expand(len(x), 1, 4, 4)
        return self.out(torch.cat([x, sd], 1))


def main():
    torch.manual_seed(88)
    G, D = Generator().to(dev), Discriminator().to(dev)
    Gema = copy.deepcopy(G).eval().requires_grad_(False)
    og = torch.optim.Adam(G.parameters(), 2e-3, betas=(0.0, 0.99))
    od = torch.optim.Adam(D.parameters(), 2e-3, betas=(0.0, 0.99))
    pl_mean = torch.zeros((), device=dev)
    for it in range(STEPS):
        real = torch.rand(BATCH, 3, RES, RES, device=dev) * 2 - 1
        with torch.no_grad():
            fake, _ = G(torch.randn(BATCH, ZDIM, device=dev))
        ld = F.softplus(D(fake)).mean() + F.softplus(-D(real)).mean()
        od.zero_grad(set_to_none=True)
        ld.backward()
        if it % R1_EVERY == 0:
            real.requires_grad_(True)
            g, = torch.autograd.grad(D(real).sum(), real, create_graph=True)
            (g.square().sum((1, 2, 3)).mean() * R1_GAMMA / 2 * R1_EVERY).backward()
        od.step()

        D.requires_grad_(False)
        fake, _ = G(torch.randn(BATCH, ZDIM, device=dev))
        lg = F.softplus(-D(fake)).mean()
        og.zero_grad(set_to_none=True)
        lg.backward()
        if it % PL_EVERY == 0:
            img, w = G(torch.randn(BATCH // 2, ZDIM, device=dev))
            g, = torch.autograd.grad((img * torch.randn_like(img) / RES).sum(), w, create_graph=True)
            length = g.square().sum(1).sqrt()
            pl_mean = pl_mean.lerp(length.mean().detach(), 0.01)
            (2.0 * PL_EVERY * (length - pl_mean).square().mean()).backward()
        og.step()
        D.requires_grad_(True)
        with torch.no_grad():
            for a, b in zip(Gema.parameters(), G.parameters()):
                a.lerp_(b, 0.002)
        print(f"{it} D {ld.item():.4f} G {lg.item():.4f}")
    with torch.no_grad():
        print("ema sample std", Gema(torch.randn(16, ZDIM, device=dev))[0].std().item())
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
