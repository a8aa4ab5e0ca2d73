import torch
import torch.nn as nn

torch.manual_seed(0)


class HashGrid(nn.Module):
    def __init__(self, levels=12, size=2 ** 17, width=2, coarse=16, growth=1.5):
        super().__init__()
        self.tables = nn.Parameter(torch.empty(levels, size, width).uniform_(-1e-4, 1e-4))
        self.register_buffer("resolutions", torch.tensor([int(coarse * growth ** i) for i in range(levels)]))
        self.register_buffer("corners", torch.tensor([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]))
        self.size = size

    def forward(self, x):
        out = []
        for level in range(len(self.tables)):
            scaled = x * self.resolutions[level]
            low = scaled.floor()
            part = (scaled - low)[:, None]
            at = low.long()[:, None] + self.corners
            key = (at[..., 0] ^ (at[..., 1] * 2654435761) ^ (at[..., 2] * 805459861)) % self.size
            weight = torch.where(self.corners.bool(), part, 1 - part).prod(-1, keepdim=True)
            out.append((self.tables[level][key] * weight).sum(1))
        return torch.cat(out, -1)


grid = HashGrid().cuda()
net = nn.Sequential(nn.Linear(24, 64), nn.ReLU(inplace=True), nn.Linear(64, 64), nn.ReLU(inplace=True), nn.Linear(64, 4)).cuda()
opt = torch.optim.Adam([{"params": grid.parameters(), "lr": 1e-2}, {"params": net.parameters(), "weight_decay": 1e-6}], lr=1e-3, eps=1e-15)
for _ in range(3):
    points, target = torch.rand(65536, 3, device="cuda"), torch.rand(65536, 3, device="cuda")
    out = net(grid(points))
    color, density = torch.sigmoid(out[:, :3]), torch.exp(out[:, 3:] - 1)
    loss = ((color * (1 - torch.exp(-density)) - target) ** 2 / (color.detach() + 0.01) ** 2).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
