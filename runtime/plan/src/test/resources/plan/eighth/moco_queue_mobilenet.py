import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v3_small


class MoCo(nn.Module):
    def __init__(self, width=128, keep=8192, momentum=0.999, temperature=0.2):
        super().__init__()
        self.momentum, self.temperature = momentum, temperature
        self.query = mobilenet_v3_small(num_classes=width)
        self.key = copy.deepcopy(self.query)
        self.key.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(width, keep), dim=0))
        self.register_buffer("at", torch.zeros(1, dtype=torch.long))

    def forward(self, a, b):
        q = F.normalize(self.query(a), dim=1)
        with torch.no_grad():
            for p, k in zip(self.query.parameters(), self.key.parameters()):
                k.data = k.data * self.momentum + p.data * (1 - self.momentum)
            order = torch.randperm(len(b), device=b.device)
            k = F.normalize(self.key(b[order]), dim=1)[torch.argsort(order)]
        positive = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        negative = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([positive, negative], 1) / self.temperature
        with torch.no_grad():
            at = int(self.at)
            self.queue[:, at:at + len(k)] = k.t()
            self.at[0] = (at + len(k)) % self.queue.shape[1]
        return F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long, device=logits.device))


torch.manual_seed(0)
model = MoCo().cuda()
opt = torch.optim.SGD(model.query.parameters(), 0.03, momentum=0.9, weight_decay=1e-4)
for _ in range(3):
    x = torch.randn(64, 3, 96, 96, device="cuda")
    loss = model(x, x.roll(4, 3))
    opt.zero_grad()
    loss.backward()
    opt.step()
