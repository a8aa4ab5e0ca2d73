"""FNO-2d with factorised complex spectral weights; relative H1 loss through FFT."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

SEED = 3
RES = 192
BATCH = 12
N_TRAIN = 60
N_TEST = 12
WIDTH = 48
MODES = 20
LAYERS = 4
EPOCHS = 1


class SpectralConv2d(nn.Module):
    def __init__(self, cin, cout, m1, m2):
        super().__init__()
        self.m1, self.m2 = m1, m2
        s = 1 / (cin * cout)
        self.w_pos = nn.Parameter(s * torch.randn(cin, cout, m1, m2, dtype=torch.cfloat))
        self.w_neg = nn.Parameter(s * torch.randn(cin, cout, m1, m2, dtype=torch.cfloat))

    def forward(self, x):
        B, C, H, W = x.shape
        xf = torch.fft.rfft2(x, norm="ortho")
        out = torch.zeros(B, self.w_pos.shape[1], H, W // 2 + 1, dtype=torch.cfloat, device=x.device)
        out[:, :, : self.m1, : self.m2] = torch.einsum("bixy,ioxy->boxy", xf[:, :, : self.m1, : self.m2], self.w_pos)
        out[:, :, -self.m1:, : self.m2] = torch.einsum("bixy,ioxy->boxy", xf[:, :, -self.m1:, : self.m2], self.w_neg)
        return torch.fft.irfft2(out, s=(H, W), norm="ortho")


class FNO(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Conv2d(3, WIDTH, 1)
        self.spec = nn.ModuleList(SpectralConv2d(WIDTH, WIDTH, MODES, MODES) for _ in range(LAYERS))
        self.skip = nn.ModuleList(nn.Conv2d(WIDTH, WIDTH, 1) for _ in range(LAYERS))
        self.norm = nn.ModuleList(nn.InstanceNorm2d(WIDTH, affine=True) for _ in range(LAYERS))
        self.proj = nn.Sequential(nn.Conv2d(WIDTH, 128, 1), nn.GELU(), nn.Conv2d(128, 1, 1))

    def forward(self, a):
        B, _, H, W = a.shape
        gy = torch.linspace(0, 1, H, device=a.device).view(1, 1, H, 1).expand(B, 1, H, W)
        gx = torch.linspace(0, 1, W, device=a.device).view(1, 1, 1, W).expand(B, 1, H, W)
        x = F.pad(self.lift(torch.cat([a, gx, gy], 1)), (0, 8, 0, 8))
        for i in range(LAYERS):
            y = self.norm[i](self.spec[i](x)) + self.skip[i](x)
            x = F.gelu(y) if i < LAYERS - 1 else y
        return self.proj(x[..., :-8, :-8])


def grf(n, res, alpha, tau, gen):
    """Gaussian random field by spectral filtering"""
    k = torch.fft.fftfreq(res, 1 / res)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    filt = (4 * math.pi**2 * k2 + tau**2) ** (-alpha / 2)
    z = torch.randn(n, res, res, generator=gen)
    f = torch.fft.ifft2(torch.fft.fft2(z) * filt).real
    return f / f.std()


def make_data(n, gen):
    a = (grf(n, RES, 2.0, 3.0, gen) > 0).float() * 9 + 3
    u = grf(n, RES, 3.0, 2.0, gen) / a
    return TensorDataset(a[:, None], u[:, None])


def sobolev_loss(pred, target):
    """relative H^1 norm, evaluated in Fourier space"""
    H = pred.shape[-2]
    kx = torch.fft.fftfreq(H, 1 / H, device=pred.device)[:, None]
    ky = torch.fft.rfftfreq(pred.shape[-1], 1 / pred.shape[-1], device=pred.device)[None]
    w = 1 + kx**2 + ky**2
    d = torch.fft.rfft2(pred - target, norm="ortho")
    t = torch.fft.rfft2(target, norm="ortho")
    num = (w * d.abs().pow(2)).sum((-1, -2)).sqrt()
    den = (w * t.abs().pow(2)).sum((-1, -2)).sqrt()
    return (num / den).mean()


if __name__ == "__main__":
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    train = DataLoader(make_data(N_TRAIN, gen), BATCH, shuffle=True)
    test = DataLoader(make_data(N_TEST, gen), BATCH)
    net = FNO().to("cuda")
    opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=EPOCHS * len(train))
    for ep in range(EPOCHS):
        net.train()
        for a, u in train:
            a, u = a.to("cuda"), u.to("cuda")
            loss = sobolev_loss(net(a), u)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            print("train", round(loss.item(), 4))
        net.eval()
        with torch.no_grad():
            tot = sum(sobolev_loss(net(a.to("cuda")), u.to("cuda")).item() for a, u in test)
        print("epoch", ep, "test", tot / len(test), "mem", torch.cuda.max_memory_allocated() // 2**20)
