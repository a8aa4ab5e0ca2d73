"""Small style-modulated GAN with lazy R1 regularisation on D and path-length regularisation on G (double backward)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1234)
DEV = torch.device("cuda")
Z, W = 256, 256
RES = 64
BATCH = 16
ITERS = 6
R1_EVERY, PL_EVERY = 3, 2
R1_GAMMA, PL_WEIGHT = 10.0, 2.0


class ModConv(nn.Module):
    def __init__(self, cin, cout, k=3, demod=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1, cout, cin, k, k))
        self.scale = 1 / math.sqrt(cin * k * k)
        self.affine = nn.Linear(W, cin)
        nn.init.ones_(self.affine.bias)
        self.demod, self.pad = demod, k // 2

    def forward(self, x, w):
        b, c, h, wd = x.shape
        s = self.affine(w).view(b, 1, c, 1, 1)
        weight = self.weight * self.scale * s
        if self.demod:
            weight = weight * (weight.pow(2).sum((2, 3, 4), keepdim=True) + 1e-8).rsqrt()
        o = weight.shape[1]
        y = F.conv2d(x.reshape(1, b * c, h, wd), weight.reshape(b * o, c, *weight.shape[3:]), padding=self.pad, groups=b)
        return y.view(b, o, h, wd)


class SynthBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.c1, self.c2 = ModConv(cin, cout), ModConv(cout, cout)
        self.rgb = ModConv(cout, 3, 1, demod=False)
        self.noise = nn.Parameter(torch.zeros(2))

    def forward(self, x, rgb, w):
        x = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
        for i, c in enumerate((self.c1, self.c2)):
            x = c(x, w)
            x = F.leaky_relu(x + self.noise[i] * torch.randn_like(x[:, :1]), 0.2) * math.sqrt(2)
        out = self.rgb(x, w)
        if rgb is not None:
            out = out + F.interpolate(rgb, scale_factor=2, mode="bilinear", align_corners=False)
        return x, out


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.mapping = nn.Sequential(*[m for _ in range(4) for m in (nn.Linear(Z, W), nn.LeakyReLU(0.2))])
        self.const = nn.Parameter(torch.randn(1, 256, 4, 4))
        chans = [256, 256, 192, 128, 64]
        self.blocks = nn.ModuleList([SynthBlock(a, b) for a, b in zip(chans, chans[1:])])

    def forward(self, z):
        w = self.mapping(F.normalize(z, dim=1) * math.sqrt(Z))
        x, rgb = self.const.expand(len(z), -1, -1, -1), None
        for b in self.blocks:
            x, rgb = b(x, rgb, w)
        return rgb, w


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        chans = [64, 128, 192, 256, 256]
        layers = [nn.Conv2d(3, 64, 1)]
        for a, b in zip(chans, chans[1:]):
            layers += [nn.Conv2d(a, a, 3, padding=1), nn.LeakyReLU(0.2), nn.Conv2d(a, b, 3, padding=1), nn.LeakyReLU(0.2),
                       nn.AvgPool2d(2)]
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Conv2d(257, 256, 3, padding=1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(256 * 16, 1))

    def forward(self, x):
        h = self.body(x)
        std = h.var(0, unbiased=False).add(1e-8).sqrt().mean().expand(len(h), 1, *h.shape[2:])
        return self.head(torch.cat([h, std], 1))


def main():
    G, D = Generator().to(DEV), Discriminator().to(DEV)
    g_opt = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.0, 0.99))
    d_opt = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.99))
    pl_mean = torch.zeros((), device=DEV)
    for it in range(ITERS):
        real = torch.rand(BATCH, 3, RES, RES, device=DEV) * 2 - 1
        with torch.no_grad():
            fake, _ = G(torch.randn(BATCH, Z, device=DEV))
        d_loss = F.softplus(D(fake)).mean() + F.softplus(-D(real)).mean()
        if it % R1_EVERY == 0:
            real.requires_grad_(True)
            grad, = torch.autograd.grad(D(real).sum(), real, create_graph=True)
            d_loss = d_loss + R1_GAMMA / 2 * R1_EVERY * grad.pow(2).sum((1, 2, 3)).mean()
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()

        D.requires_grad_(False)
        img, _ = G(torch.randn(BATCH, Z, device=DEV))
        g_loss = F.softplus(-D(img)).mean()
        if it % PL_EVERY == 0:
            img, w = G(torch.randn(BATCH // 2, Z, device=DEV))
            y = torch.randn_like(img) / RES
            jac, = torch.autograd.grad((img * y).sum(), w, create_graph=True)
            length = jac.pow(2).sum(1).sqrt()
            pl_mean = pl_mean.lerp(length.mean().detach(), 0.01)
            g_loss = g_loss + PL_WEIGHT * PL_EVERY * (length - pl_mean).pow(2).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
        D.requires_grad_(True)
        print(f"it {it} d {d_loss.item():.3f} g {g_loss.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
