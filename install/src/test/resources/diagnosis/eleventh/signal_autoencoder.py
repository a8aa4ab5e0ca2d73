# limit: 2.0
import torch
from torch import nn


class WideAE(nn.Module):
    def __init__(self, n=4096, hidden=8192):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, hidden), nn.ReLU(), nn.Linear(hidden, n))
        self.dec = nn.Sequential(nn.Linear(n, hidden), nn.ReLU(), nn.Linear(hidden, n))

    def forward(self, x):
        return self.dec(self.enc(x))


def signals(bs, n=4096):
    t = torch.linspace(0, 1, n, device="cuda")
    f = torch.randint(1, 40, (bs, 1), device="cuda")
    return torch.sin(6.283 * f * t) + 0.05 * torch.randn(bs, n, device="cuda")


def train(epochs=2, steps=64, accumulate=16):
    torch.manual_seed(8)
    net = WideAE().to("cuda")
    opt = torch.optim.AdamW(net.parameters(), lr=3e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * steps)
    for epoch in range(epochs):
        for i in range(steps):
            x = signals(32)
            loss = nn.functional.mse_loss(net(x), x) / accumulate
            loss.backward()
            if (i + 1) % accumulate == 0:
                opt.step()
                opt.zero_grad()
                sched.step()
                print(f"{epoch}/{i}: {loss.item() * accumulate:.4f}")


if __name__ == "__main__":
    train()
