# limit: 1.2
"""MoCo-style pretraining on face crops."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision

torch.manual_seed(10)


class MoCo(nn.Module):
    def __init__(self, dim=128, size=262144, m=0.99, t=0.2):
        super().__init__()
        self.q = torchvision.models.resnet18(weights=None, num_classes=dim)
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.m, self.t, self.size = m, t, size
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def momentum(self):
        for a, b in zip(self.k.parameters(), self.q.parameters()):
            a.lerp_(b, 1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        idx = (torch.arange(keys.size(0), device=keys.device) + self.ptr) % self.size
        self.queue[idx] = keys
        self.ptr = (self.ptr + keys.size(0)) % self.size

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            self.momentum()
            k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().T
        logits = torch.cat([pos, neg], 1) / self.t
        loss = F.cross_entropy(logits, torch.zeros(q.size(0), dtype=torch.long, device=q.device))
        self.enqueue(k)
        return loss


def two_views(bs=32):
    x = torch.rand(bs, 3, 96, 96, device="cuda")
    return x.flip(-1) + 0.1 * torch.randn_like(x), x * torch.rand(bs, 1, 1, 1, device="cuda")


model = MoCo().cuda()
opt = torch.optim.SGD(model.q.parameters(), lr=0.03, momentum=0.9)
for epoch in range(3):
    for _ in range(40):
        loss = model(*two_views())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.3f} ptr {model.ptr}", f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB", flush=True)
