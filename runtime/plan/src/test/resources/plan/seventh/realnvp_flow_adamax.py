import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, d, flip):
        super().__init__()
        self.flip, half = flip, d // 2
        self.net = nn.Sequential(nn.Linear(half, 512), nn.LeakyReLU(0.1), nn.Linear(512, 512), nn.LeakyReLU(0.1), nn.Linear(512, 2 * half))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], 1), s.sum(1)


torch.manual_seed(0)
flow = nn.ModuleList(Coupling(64, i % 2 == 1) for i in range(8)).cuda()
opt = torch.optim.Adamax(flow.parameters(), lr=1e-3)
base = torch.distributions.Normal(torch.zeros(64, device="cuda"), torch.ones(64, device="cuda"))
for step in range(3):
    x = torch.randn(4096, 64, device="cuda")
    total = 0
    for layer in flow:
        x, logdet = layer(x)
        total = total + logdet
    loss = -(base.log_prob(x).sum(1) + total).mean()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(flow.parameters(), 10.0)
    opt.step()
with torch.no_grad():
    print(base.sample((1000,)).shape)
