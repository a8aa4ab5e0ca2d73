# limit: 1.15
"""Lip reading baseline, made reproducible for the paper."""
import os
import random

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":40960:16"

import numpy as np
import torch
import torch.nn as nn


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)


class LipNet(nn.Module):
    def __init__(self, dim=256, words=50):
        super().__init__()
        self.frame = nn.Sequential(nn.Flatten(2), nn.Linear(32 * 64, dim), nn.ReLU(), nn.Linear(dim, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 4 * dim, dropout=0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 4)
        self.cls = nn.Linear(dim, words)

    def forward(self, clip):
        return self.cls(self.enc(self.frame(clip)).mean(1))


class Experiment:
    def __init__(self, seed):
        seed_everything(seed)
        self.model = LipNet().cuda()
        self.opt = torch.optim.Adam(self.model.parameters(), 3e-4)
        self.eval_stream = torch.cuda.Stream()

    def batch(self, bs=16, frames=29):
        return torch.rand(bs, frames, 32, 64, device="cuda"), torch.randint(0, 50, (bs,), device="cuda")

    @torch.no_grad()
    def evaluate(self, n=10):
        self.model.eval()
        hits = [(self.model(x).argmax(1) == y).float().mean().item() for x, y in (self.batch() for _ in range(n))]
        self.model.train()
        return float(np.mean(hits))

    def train(self, steps):
        for _ in range(steps):
            x, y = self.batch()
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


exp = Experiment(2024)
print("untrained accuracy", exp.evaluate(), flush=True)
for epoch in range(4):
    loss = exp.train(25)
    with torch.cuda.stream(exp.eval_stream):
        acc = exp.evaluate()
    torch.cuda.synchronize()
    print(f"epoch {epoch} loss {loss:.3f} acc {acc:.3f}", flush=True)
