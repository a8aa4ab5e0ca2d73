# limit: 2.0
# neural operator on on-the-fly generated Gaussian random fields; fresh data each epoch
import torch
import torch.nn as nn
import torch.fft as fft

torch.manual_seed(15)
DEV = "cuda"
RES, N_TRAIN = 64, 36_000


def grf(n, res, alpha=2.5):
    k = fft.fftfreq(res, device=DEV) * res
    amp = (1 + k[:, None] ** 2 + k[None, :res // 2 + 1] ** 2) ** (-alpha / 2)
    z = torch.randn(n, res, res // 2 + 1, device=DEV, dtype=torch.complex64)
    return fft.irfft2(z * amp, s=(res, res)) * res


class FieldData:
    """inputs a(x), targets u(x), filled in blocks"""

    def __init__(self, n, res):
        self.a = torch.empty(n, res, res, device=DEV)
        self.u = torch.empty(n, res, res, device=DEV)
        for lo in range(0, n, 1000):
            f = grf(1000, res)
            self.a[lo:lo + 1000] = f
            self.u[lo:lo + 1000] = torch.sin(f) + 0.5 * f.roll(1, -1)

    def loader(self, size):
        perm = torch.randperm(len(self.a), device=DEV)
        for idx in perm.split(size):
            yield self.a[idx][:, None], self.u[idx][:, None]


class SpectralNet(nn.Module):
    def __init__(self, c=8, modes=12):
        super().__init__()
        self.lift, self.drop = nn.Conv2d(1, c, 1), nn.Conv2d(c, 1, 1)
        self.w = nn.Parameter(torch.randn(c, c, modes, modes, dtype=torch.cfloat) / c)
        self.skip = nn.Conv2d(c, c, 1)
        self.modes = modes

    def forward(self, x):
        h = self.lift(x)
        f = fft.rfft2(h)
        g = torch.zeros_like(f)
        m = self.modes
        g[:, :, :m, :m] = torch.einsum("bixy,ioxy->boxy", f[:, :, :m, :m], self.w)
        return self.drop(torch.relu(fft.irfft2(g, s=x.shape[-2:]) + self.skip(h)))


net = SpectralNet().to(DEV)
opt = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(5):
    data = FieldData(N_TRAIN, RES)
    total = 0.0
    for a, u in data.loader(128):
        loss = (net(a) - u).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / (N_TRAIN // 128):.5f}")
