# limit: 0.6
"""Ensemble of small tide level regressors, one CUDA stream per member."""
import torch
from torch import nn

MEMBERS = 24
STEPS = 20


class Member(nn.Module):
    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Linear(32, 256), nn.SiLU(), nn.Linear(256, 256), nn.SiLU(),
                                 nn.Linear(256, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class Worker:
    def __init__(self, idx):
        self.idx = idx
        self.stream = torch.cuda.Stream()
        with torch.cuda.stream(self.stream):
            self.model = Member(idx).to("cuda")
            self.opt = torch.optim.SGD(self.model.parameters(), lr=1e-2)

    def train(self, steps):
        with torch.cuda.stream(self.stream):
            for _ in range(steps):
                x = torch.randn(128, 32, device="cuda")
                y = x[:, 0].sin() + 0.2 * x[:, 1]
                loss = (self.model(x) - y).pow(2).mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            self.loss = loss.detach()


def main():
    torch.manual_seed(0)
    workers = [Worker(i) for i in range(MEMBERS)]
    torch.cuda.synchronize()
    for epoch in range(3):
        for w in workers:
            w.train(STEPS)
            if epoch == 0:
                print("member", w.idx, "started", flush=True)
        torch.cuda.synchronize()
        mean = sum(w.loss.item() for w in workers) / MEMBERS
        print(f"epoch {epoch} mean loss {mean:.4f}")


if __name__ == "__main__":
    main()
