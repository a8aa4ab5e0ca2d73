# limit: 1.5
"""Audited credit model: everything must be bitwise repeatable (see compliance checklist)."""
import hashlib
import os
import random

import numpy as np


def make_repeatable(seed):
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":32768:24"
    os.environ["PYTHONHASHSEED"] = str(seed)
    random.seed(seed)
    np.random.seed(seed)
    import torch
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    return torch


torch = make_repeatable(1234)
import torch.nn as nn  # noqa: E402


class CreditNet(nn.Module):
    def __init__(self, features=220, width=768):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, width), nn.Tanh(), nn.Linear(width, width, bias=False), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class Audit:
    def __init__(self):
        self.digest = hashlib.sha256()

    def add(self, model):
        for p in model.parameters():
            self.digest.update(p.detach().cpu().numpy().tobytes())
        return self.digest.hexdigest()[:12]


def applications(n, rows, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        x = rng.standard_normal((rows, 220), dtype=np.float32)
        yield torch.from_numpy(x).cuda(), torch.from_numpy((x[:, 0] > 0.3).astype(np.float32)).cuda()


@torch.no_grad()
def gini(model, data):
    s, y = zip(*[(model(x), y) for x, y in data])
    s, y = torch.cat(s).cpu().numpy(), torch.cat(y).cpu().numpy()
    rank = s.argsort().argsort()
    auc = (rank[y == 1].mean() - (y.sum() - 1) / 2) / max(1, (y == 0).sum())
    return 2 * auc - 1


def main():
    model, audit = CreditNet().cuda(), Audit()
    print("digest before", audit.add(model))
    print("gini before", gini(model, applications(10, 4096, 1)))
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        for x, y in applications(20, 4096, 10 + epoch):
            loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item(), audit.add(model), "gini", gini(model, applications(5, 4096, 2)))


if __name__ == "__main__":
    main()
