import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class KANLayer(nn.Module):
    def __init__(self, i, o, grid=8, order=3):
        super().__init__()
        step = 2 / grid
        self.order = order
        self.register_buffer("knots", (torch.arange(-order, grid + order + 1) * step - 1).expand(i, -1).contiguous())
        self.base = nn.Parameter(torch.randn(o, i) / i ** 0.5)
        self.spline = nn.Parameter(torch.randn(o, i, grid + order) * 0.1)

    def bases(self, x):
        x, k = x.unsqueeze(-1), self.knots
        b = ((x >= k[:, :-1]) & (x < k[:, 1:])).to(x.dtype)
        for n in range(1, self.order + 1):
            b = (x - k[:, :-(n + 1)]) / (k[:, n:-1] - k[:, :-(n + 1)]) * b[:, :, :-1] + (k[:, n + 1:] - x) / (k[:, n + 1:] - k[:, 1:-n]) * b[:, :, 1:]
        return b

    def forward(self, x):
        return F.linear(F.silu(x), self.base) + F.linear(self.bases(x).flatten(1), self.spline.flatten(1))


net = nn.Sequential(KANLayer(16, 64), KANLayer(64, 64), KANLayer(64, 1)).cuda()
opt = torch.optim.NAdam(net.parameters(), lr=1e-3)
for _ in range(3):
    x = torch.rand(8192, 16, device="cuda") * 2 - 1
    y = torch.sin(x.pow(2).sum(1, keepdim=True))
    loss = F.mse_loss(net(x), y) + 1e-4 * sum(layer.spline.abs().mean(-1).sum() for layer in net)
    opt.zero_grad()
    loss.backward()
    opt.step()
