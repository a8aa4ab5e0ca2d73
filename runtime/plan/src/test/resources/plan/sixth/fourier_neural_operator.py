import torch
import torch.nn as nn
import torch.nn.functional as F


class Spectral(nn.Module):
    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(torch.randn(width, width, modes, modes, dtype=torch.cfloat) / width ** 2)
        self.skip = nn.Conv2d(width, width, 1)

    def forward(self, x):
        f = torch.fft.rfft2(x)
        out = torch.zeros_like(f)
        m = self.modes
        out[:, :, :m, :m] = torch.einsum("bixy,ioxy->boxy", f[:, :, :m, :m], self.weight)
        return F.gelu(torch.fft.irfft2(out, s=x.shape[-2:]) + self.skip(x))


torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 32, 1), *[Spectral(32, 12) for _ in range(4)], nn.Conv2d(32, 1, 1)).cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(3):
    x, y = torch.randn(8, 3, 96, 96, device="cuda"), torch.randn(8, 1, 96, 96, device="cuda")
    loss = F.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
