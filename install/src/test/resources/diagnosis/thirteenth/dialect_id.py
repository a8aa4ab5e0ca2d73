# limit: 1.6
"""Dialect identification on a crawled corpus with broken labels; bad batches are noted and skipped."""
import torch
import torch.nn as nn

torch.manual_seed(70)
device = "cuda"
N_CLASS = 12


class TDNN(nn.Module):
    def __init__(self, dim=512):
        super().__init__()
        mods, c = [], 40
        for k, d in ((5, 1), (3, 2), (3, 3), (1, 1)):
            mods += [nn.Conv1d(c, dim, k, dilation=d, padding=d * (k - 1) // 2), nn.BatchNorm1d(dim), nn.ReLU()]
            c = dim
        self.net, self.fc = nn.Sequential(*mods), nn.Linear(2 * dim, N_CLASS)

    def forward(self, x):
        h = self.net(x)
        return self.fc(torch.cat([h.mean(-1), h.std(-1)], 1))


class Crawled:
    def __init__(self, n, bs=16, frames=800):
        self.n, self.bs, self.frames = n, bs, frames

    def __iter__(self):
        g = torch.Generator().manual_seed(8)
        for _ in range(self.n):
            y = torch.randint(0, N_CLASS, (self.bs,), generator=g)
            if torch.rand(1, generator=g).item() < 0.2:
                y[0] = -1
            yield torch.randn(self.bs, 40, self.frames, device=device), y


class Trainer:
    def __init__(self, model):
        self.model = model.to(device)
        self.opt = torch.optim.Adam(model.parameters(), 1e-3)
        self.problems = []

    def loss(self, logits, y):
        if (y < 0).any():
            raise ValueError(f"label out of range: {y.min().item()}")
        return nn.functional.cross_entropy(logits, y.to(device))

    def training_step(self, x, y):
        logits = self.model(x)
        loss = self.loss(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, data):
        for i, (x, y) in enumerate(data):
            try:
                value = self.training_step(x, y)
            except ValueError as err:
                self.problems.append((i, err))
                continue
            if i % 10 == 0:
                print(i, f"{value:.3f}", len(self.problems), "problems", flush=True)


t = Trainer(TDNN())
t.fit(Crawled(150))
for i, err in t.problems:
    print("skipped", i, err)
