# limit: 1.5
"""Per-token regression on protein chains; the longest batch of each epoch comes first."""
import random

import torch
import torch.nn as nn

random.seed(36)
torch.manual_seed(36)


class TokenMlp(nn.Module):
    def __init__(self, d=512, depth=8):
        super().__init__()
        self.emb = nn.Embedding(24, d)
        self.layers = nn.Sequential(*[m for _ in range(depth) for m in (nn.Linear(d, d), nn.GELU())])
        self.out = nn.Linear(d, 1)

    def forward(self, ids):
        return self.out(self.layers(self.emb(ids))).squeeze(-1)


class LongestFirst:
    def __init__(self, n, bs=16, longest=2048):
        self.lengths = [longest] + [random.randrange(64, longest, 64) for _ in range(n - 1)]
        self.bs = bs

    def __iter__(self):
        for length in self.lengths:
            ids = torch.randint(0, 24, (self.bs, length), device="cuda")
            yield ids, (ids.float() - 12) / 12


class Report:
    def __init__(self):
        self.worst = 0.0
        self.by_length = {}

    def __call__(self, length, loss):
        self.worst = max(self.worst, torch.cuda.max_memory_allocated() / 2 ** 30)
        self.by_length.setdefault(length // 512, []).append(loss)

    def show(self, epoch):
        means = {k * 512: round(sum(v) / len(v), 4) for k, v in sorted(self.by_length.items())}
        print(f"epoch {epoch} peak {self.worst:.2f} GiB, loss by length {means}")


def main():
    net = TokenMlp().cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(3):
        report = Report()
        for ids, target in LongestFirst(40):
            loss = nn.functional.mse_loss(net(ids), target)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            report(ids.shape[1], loss.item())
        report.show(epoch)


main()
