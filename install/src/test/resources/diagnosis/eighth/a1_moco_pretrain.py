# limit: 4
"""MoCo with a ResNet-18 and a queue of 16384 keys."""
import copy
import torch
import torch.nn.functional as F
from torchvision.models import resnet18


class MoCo(torch.nn.Module):
    def __init__(self, dim=128, K=16384, m=0.99, T=0.2):
        super().__init__()
        self.m, self.T, self.K = m, T, K
        self.q = resnet18(weights=None, num_classes=dim)
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.ptr = 0

    @torch.no_grad()
    def update(self, keys):
        n = keys.size(0)
        self.queue[:, self.ptr:self.ptr + n] = keys.T
        self.ptr = (self.ptr + n) % self.K

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            for pq, pk in zip(self.q.parameters(), self.k.parameters()):
                pk.mul_(self.m).add_(pq, alpha=1 - self.m)
            k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().detach()
        logits = torch.cat([pos, neg], 1) / self.T
        self.update(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long, device=q.device))


torch.manual_seed(0)
model = MoCo().to("cuda")
opt = torch.optim.SGD(model.q.parameters(), lr=0.03, momentum=0.9)
for step in range(80):
    x = torch.rand(64, 3, 112, 112, device="cuda")
    loss = model(x, x.flip(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item())
