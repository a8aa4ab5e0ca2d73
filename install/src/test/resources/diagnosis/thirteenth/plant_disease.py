# limit: 0.9
"""Plant disease classification with early stopping and weight averaging over good epochs."""
import copy

import torch
import torch.nn as nn
import torchvision
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)


class EarlyStopping:
    def __init__(self, patience=5):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def __call__(self, value):
        improved = value < self.best
        self.best = min(self.best, value)
        self.bad = 0 if improved else self.bad + 1
        return self.bad >= self.patience


class GoodEpochs:
    """Remembers the weights after each epoch so that they can be averaged ("model soup")."""

    def __init__(self):
        self.states = []

    def add(self, model, value):
        self.states.append((value, copy.deepcopy(model.state_dict())))

    def soup(self, k=3):
        top = [s for _, s in sorted(self.states, key=lambda t: t[0])[:k]]
        return {n: torch.stack([s[n].float() for s in top]).mean(0) for n in top[0]}


def evaluate(model, loader, crit):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += crit(model(x.cuda()), y.cuda()).item()
    return total / len(loader)


def main():
    x, y = torch.randn(64, 3, 64, 64), torch.randint(0, 10, (64,))
    train = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(x[:16], y[:16]), batch_size=8)
    model = torchvision.models.resnet50(weights=None, num_classes=10).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9)
    crit = nn.CrossEntropyLoss()
    stop, good = EarlyStopping(patience=20), GoodEpochs()
    for epoch in range(20):
        model.train()
        for xb, yb in train:
            opt.zero_grad()
            crit(model(xb.cuda()), yb.cuda()).backward()
            opt.step()
        v = evaluate(model, val, crit)
        good.add(model, v)
        print(f"epoch {epoch} val {v:.4f}", flush=True)
        if stop(v):
            break
    model.load_state_dict(good.soup())
    print("soup val", evaluate(model, val, crit))


if __name__ == "__main__":
    main()
