# limit: 2.5
import torch
import torch.nn as nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, dim=4096, m=0.99, t=0.2):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, dim))
        self.k = nn.Sequential(nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, dim))
        self.k.load_state_dict(self.q.state_dict())
        for p in self.k.parameters():
            p.requires_grad_(False)
        self.m, self.t = m, t
        self.register_buffer("queue", F.normalize(torch.randn(512, dim), dim=1))

    @torch.no_grad()
    def update_key(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    def forward(self, x1, x2):
        q = F.normalize(self.q(x1), dim=1)
        with torch.no_grad():
            self.update_key()
            k = F.normalize(self.k(x2), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.T
        logits = torch.cat([pos, neg], dim=1) / self.t
        self.queue = torch.cat([k, self.queue])
        return F.cross_entropy(logits, torch.zeros(len(x1), dtype=torch.long, device=x1.device))


moco = MoCo().cuda()
opt = torch.optim.SGD(moco.q.parameters(), lr=0.03, momentum=0.9)
for step in range(1000):
    base = torch.randn(256, 1024, device="cuda")
    loss = moco(base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item())
