# limit: 1.5
import time

import torch
from torch import nn
from torchvision.models import resnet18


class LeafTrainer:
    """Small trainer for the leaf disease images (38 classes)."""

    def __init__(self, epochs=2, bs=32):
        torch.manual_seed(42)
        self.device = "cuda"
        self.net = resnet18(weights=None, num_classes=38).to(self.device)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-4)
        self.crit = nn.CrossEntropyLoss()
        self.epochs, self.bs = epochs, bs

    def loader(self, n):
        for _ in range(n):
            yield torch.randn(self.bs, 3, 128, 128), torch.randint(0, 38, (self.bs,))

    def train_epoch(self):
        self.net.train()
        running = 0.0
        for x, y in self.loader(8):
            x, y = x.to(self.device), y.to(self.device)
            self.opt.zero_grad()
            loss = self.crit(self.net(x), y)
            loss.backward()
            self.opt.step()
            running += loss.item()
        return running / 8

    def validate(self):
        self.net.eval()
        total, hits = 0, 0
        for x, y in self.loader(24):
            x, y = x.to(self.device), y.to(self.device)
            out = self.net(x)
            total = total + self.crit(out, y)
            hits += (out.argmax(1) == y).sum().item()
        return (total / 24).item(), hits / (24 * self.bs)

    def fit(self):
        for ep in range(self.epochs):
            t = time.time()
            tr = self.train_epoch()
            print(f"epoch {ep} train {tr:.3f} ({time.time() - t:.1f}s)")
            va, acc = self.validate()
            print(f"epoch {ep} val {va:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    LeafTrainer().fit()
