# limit: 1
"""Slow traces of a herd's collar sensors: value estimate learned online."""
import torch
import torch.nn as nn
import torch.nn.functional as F

dev = torch.device("cuda")
ANIMALS, SENSORS, WIDTH = 2048, 512, 1024


class Trace(nn.Module):
    def __init__(self, decay=0.9):
        super().__init__()
        self.decay = decay
        self.encode = nn.Linear(SENSORS, WIDTH)
        self.value = nn.Sequential(nn.Linear(WIDTH, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, obs, trace):
        trace = self.decay * trace + torch.tanh(self.encode(obs))
        return self.value(trace).squeeze(-1), trace


class Herd:
    def __init__(self):
        self.state = torch.randn(ANIMALS, SENSORS, device=dev)

    def step(self):
        self.state = 0.95 * self.state + 0.1 * torch.randn_like(self.state)
        reward = self.state[:, :8].mean(1)
        return self.state, reward


def main(steps=300):
    torch.manual_seed(0)
    agent = Trace().to(dev)
    opt = torch.optim.SGD(agent.parameters(), lr=1e-3)
    herd = Herd()
    trace = torch.zeros(ANIMALS, WIDTH, device=dev)
    for step in range(steps):
        obs, reward = herd.step()
        value, trace = agent(obs, trace)
        loss = F.mse_loss(value, reward)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if step % 20 == 0:
            print(step, f"{loss.item():.5f}")


if __name__ == "__main__":
    main()
