# limit: 1.25
"""Latent world model: imagined rollouts with a horizon curriculum."""
import torch
from torch import nn

STATE, ACT, BATCH = 512, 32, 4096
HORIZONS = [2, 4, 6, 40]


class WorldModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(STATE + ACT, STATE), nn.ELU())
        self.cell = nn.GRUCell(STATE, STATE)
        self.reward = nn.Sequential(nn.Linear(STATE, STATE), nn.ELU(), nn.Linear(STATE, 1))

    def step(self, h, a):
        h = self.cell(self.inp(torch.cat([h, a], -1)), h)
        return h, self.reward(h).squeeze(-1)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(STATE, STATE), nn.ELU(), nn.Linear(STATE, ACT), nn.Tanh())

    def forward(self, h):
        return self.net(h)


def imagine(model, actor, h, horizon, gamma=0.99):
    ret = torch.zeros(len(h), device=h.device)
    for t in range(horizon):
        h, r = model.step(h, actor(h))
        ret = ret + gamma ** t * r
    return ret


def main():
    torch.manual_seed(0)
    model, actor = WorldModel().to("cuda"), Actor().to("cuda")
    opt = torch.optim.Adam(list(actor.parameters()) + list(model.parameters()), lr=3e-4)
    for horizon in HORIZONS:
        for it in range(5):
            start = torch.randn(BATCH, STATE, device="cuda")
            value = imagine(model, actor, start, horizon).mean()
            opt.zero_grad()
            (-value).backward()
            nn.utils.clip_grad_norm_(actor.parameters(), 10.0)
            opt.step()
        print(f"horizon {horizon}: value {value.item():.4f}")


if __name__ == "__main__":
    main()
