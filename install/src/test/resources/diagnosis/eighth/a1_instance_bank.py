# limit: 2
"""Instance discrimination with a bank of negatives."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=2048):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(512, 1024), nn.BatchNorm1d(1024), nn.ReLU(),
            nn.Linear(1024, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class Trainer:
    def __init__(self, temperature=0.1):
        self.device = torch.device("cuda")
        self.model = Encoder().to(self.device)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.temperature = temperature
        self.bank = torch.empty(0, 2048, device=self.device)

    def views(self):
        x = torch.randn(1024, 512, device=self.device)
        return x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)

    def loss(self, q, k):
        pos = (q * k).sum(1, keepdim=True)
        # only a few anchors are compared with the whole bank
        neg = q[:64] @ self.bank.T
        logits = torch.cat([pos[:64], neg], dim=1) / self.temperature
        return F.cross_entropy(logits, torch.zeros(64, dtype=torch.long, device=self.device))

    def train(self, steps):
        for step in range(steps):
            a, b = self.views()
            q = self.model(a)
            with torch.no_grad():
                k = self.model(b)
            loss = self.loss(q, k)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.bank = torch.cat([self.bank, k], dim=0)
            if step % 20 == 0:
                print(step, len(self.bank), round(loss.item(), 4))


torch.manual_seed(0)
Trainer().train(400)
