# limit: 1.5
"""Depth completion of rooms."""
import torch
from torch import nn

device = torch.device("cuda")
ROOMS, H, W = 1000, 192, 256


class Rooms:
    def __init__(self):
        g = torch.Generator().manual_seed(42)
        colour = torch.rand(ROOMS, 3, H, W, generator=g)
        depth = torch.rand(ROOMS, 1, H, W, generator=g)
        normal = torch.rand(ROOMS, 3, H, W, generator=g)
        flow = torch.rand(ROOMS, 2, H, W, generator=g)
        self.colour = colour.to(device)
        self.depth = depth.to(device)
        self.normal = normal.to(device)
        self.flow = flow.to(device)

    def __len__(self):
        return ROOMS

    def batch(self, rows):
        sparse = self.depth[rows] * (torch.rand(len(rows), 1, H, W, device=device) > 0.95)
        return torch.cat([self.colour[rows], sparse, self.normal[rows], self.flow[rows]], 1), self.depth[rows]


class Completion(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(9, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 1, 3, padding=1))

    def forward(self, x):
        return self.net(x)


def main():
    rooms = Rooms()
    model = Completion().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(2):
        order = torch.randperm(len(rooms), device=device)
        for i in range(0, len(rooms), 8):
            x, depth = rooms.batch(order[i:i + 8])
            loss = (model(x) - depth).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("epoch", epoch, "L1", loss.item())


main()
