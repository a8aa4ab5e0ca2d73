# limit: 2.0
"""Learn a controller by differentiating through the physics."""
import math
import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, th, om):
        return self.f(torch.stack([th.sin(), th.cos(), om], -1)).squeeze(-1).clamp(-2, 2)


def physics(th, om, u, dt=0.02):
    om = om + dt * (-9.81 * th.sin() + u - 0.05 * om)
    return th + dt * om, om


def rollout(ctrl, n, horizon):
    th = torch.empty(n, device="cuda").uniform_(-math.pi, math.pi)
    om = torch.zeros(n, device="cuda")
    cost = torch.zeros((), device="cuda")
    for _ in range(horizon):
        u = ctrl(th, om)
        th, om = physics(th, om, u)
        cost = cost + ((1 + th.cos()) + 0.01 * u ** 2).mean()
    return cost / horizon


def main():
    torch.manual_seed(31)
    ctrl = Controller().to("cuda")
    opt = torch.optim.Adam(ctrl.parameters(), lr=3e-3)
    horizon = 20
    for it in range(30):
        cost = rollout(ctrl, 16384, horizon)
        opt.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(ctrl.parameters(), 1.0)
        opt.step()
        if it % 5 == 4:
            print(f"it {it} horizon {horizon} cost {cost.item():.3f}")
            horizon = min(horizon * 2, 320)


main()
