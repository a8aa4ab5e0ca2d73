# limit: 0.75
"""Deep ensemble for tabular risk scores. Members train one after another, then predict in parallel."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(44)


class Member(nn.Module):
    def __init__(self, d=1024):
        super().__init__()
        self.a = nn.Linear(d, d)
        self.b = nn.Linear(d, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x))).squeeze(-1)


class Committee:
    def __init__(self, size):
        self.members = [Member().cuda() for _ in range(size)]
        self.streams = [torch.cuda.Stream() for _ in range(size)]

    def train(self, steps=10):
        for k, m in enumerate(self.members):
            opt = torch.optim.SGD(m.parameters(), lr=0.01)
            for _ in range(steps):
                x = torch.randn(128, 1024, device="cuda")
                loss = F.mse_loss(m(x), x[:, k])
                loss.backward()
                opt.step()
                opt.zero_grad(set_to_none=True)
        print("trained", len(self.members), "members, last loss", round(loss.item(), 4))

    @torch.no_grad()
    def predict(self, x):
        main = torch.cuda.current_stream()
        outs = []
        for m, s in zip(self.members, self.streams):
            s.wait_stream(main)
            with torch.cuda.stream(s):
                outs.append(m(x))
        for s in self.streams:
            main.wait_stream(s)
        p = torch.stack(outs)
        return p.mean(0), p.std(0)


if __name__ == "__main__":
    c = Committee(28)
    c.train()
    for batch in range(10):
        mean, std = c.predict(torch.randn(128, 1024, device="cuda"))
        print(f"batch {batch}: {mean.mean().item():.4f} +- {std.mean().item():.4f}")
