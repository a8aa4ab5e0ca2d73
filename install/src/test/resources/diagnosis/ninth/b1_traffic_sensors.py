# limit: 2
"""Road speeds from a sensor network, message passing over a fixed adjacency."""
import gc
import torch
import torch.nn as nn

DEV = torch.device("cuda")
SENSORS, HISTORY, AHEAD, WIDTH = 1200, 12, 3, 64


class RoadNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(HISTORY, WIDTH)
        self.near, self.self_ = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, AHEAD)

    def forward(self, speeds, adjacency):
        h = torch.relu(self.inp(speeds))
        for _ in range(2):
            h = torch.relu(self.self_(h) + adjacency @ self.near(h))
        return self.out(h)


def roads():
    distance = torch.rand(SENSORS, SENSORS, device=DEV)
    adjacency = (distance < 0.01).float()
    return adjacency / adjacency.sum(1, keepdim=True).clamp(min=1)


def run(steps=100, batch=32):
    adjacency = roads()
    model = RoadNet().to(DEV)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    worst = 0.0
    for step in range(steps):
        speeds = torch.rand(batch, SENSORS, HISTORY + AHEAD, device=DEV)
        error = (model(speeds[..., :HISTORY], adjacency) - speeds[..., HISTORY:]).abs()
        loss = error.mean()
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        worst = max(worst, error.max().item())
        del speeds, error, loss
        gc.collect()
        torch.cuda.empty_cache()
        if step % 40 == 0:
            print("step", step, "worst error", worst)


if __name__ == "__main__":
    run()
