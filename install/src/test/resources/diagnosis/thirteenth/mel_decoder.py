# limit: 2.0
"""Mel decoder for TTS with a frame-budget sampler; allocator warmed up with the largest shape first."""
import torch
import torch.nn as nn

torch.manual_seed(80)
dev = torch.device("cuda")


class MelDecoder(nn.Module):
    def __init__(self, dim=256, layers=6):
        super().__init__()
        self.inp = nn.Linear(64, dim)
        self.convs = nn.ModuleList(nn.Conv1d(dim, dim, 9, padding=4) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(layers))
        self.out = nn.Linear(dim, 80)

    def forward(self, x):
        h = self.inp(x)
        for c, n in zip(self.convs, self.norms):
            h = n(h + torch.relu(c(h.transpose(1, 2))).transpose(1, 2))
        return self.out(h)


class FrameBudget:
    """About the same number of frames in each batch."""

    def __init__(self, budget=16000, min_len=100, max_len=2000, max_batch=96):
        self.budget, self.min_len, self.max_len, self.max_batch = budget, min_len, max_len, max_batch

    def shapes(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        for _ in range(n):
            t = int(torch.randint(self.min_len, self.max_len, (1,), generator=g))
            yield min(self.max_batch, self.budget // t), t

    @property
    def largest(self):
        return self.max_batch, self.max_len


class Trainer:
    def __init__(self, model, sampler):
        self.model, self.sampler = model.to(dev), sampler
        self.opt = torch.optim.Adam(model.parameters(), 1e-3)

    def forward_backward(self, b, t):
        x = torch.randn(b, t, 64, device=dev)
        loss = (self.model(x) - x.mean(-1, keepdim=True)).abs().mean()
        loss.backward()
        return loss.item()

    def warm_up(self):
        b, t = self.sampler.largest
        print("warm-up with", b, "x", t, flush=True)
        self.forward_backward(b, t)
        self.opt.zero_grad()

    def overfit_one(self):
        for _ in range(20):
            self.opt.zero_grad()
            loss = self.forward_backward(8, 400)
            self.opt.step()
        print("sanity check", loss, flush=True)

    def fit(self, epochs):
        self.overfit_one()
        self.warm_up()
        for ep in range(epochs):
            for b, t in self.sampler.shapes(30, ep):
                self.opt.zero_grad()
                loss = self.forward_backward(b, t)
                self.opt.step()
            print("epoch", ep, loss, flush=True)


Trainer(MelDecoder(), FrameBudget()).fit(3)
