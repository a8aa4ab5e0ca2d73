# limit: 1.25
import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, inp=784, dim=512):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(inp, 512), nn.GELU(), nn.Linear(512, dim))

    def forward(self, x):
        return F.normalize(self.f(x), dim=-1)


class MoCoLite:
    """Contrastive learning with all former embeddings as negatives."""

    def __init__(self, tau=0.2):
        self.enc = Encoder().cuda()
        self.tau = tau
        self.bank = torch.empty(0, 512, device="cuda")

    def loss(self, a, b):
        za, zb = self.enc(a), self.enc(b)
        pos = (za * zb).sum(1, keepdim=True)[:64]
        if len(self.bank):
            neg = za[:64] @ self.bank.t()[:, :20000]
            logits = torch.cat([pos, neg], 1) / self.tau
            loss = F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long, device="cuda"))
        else:
            loss = -pos.mean()
        return loss, zb.detach()

    def enqueue(self, keys):
        self.bank = torch.cat([self.bank, keys], dim=0)


def augment(x):
    return x + 0.1 * torch.randn_like(x)


def main(steps=320):
    torch.manual_seed(99)
    m = MoCoLite()
    opt = torch.optim.SGD(m.enc.parameters(), lr=0.03, momentum=0.9)
    for i in range(steps):
        x = torch.rand(2048, 784, device="cuda")
        loss, keys = m.loss(augment(x), augment(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        m.enqueue(keys)
        if i % 25 == 0:
            print(f"step {i} loss {loss.item():.3f} negatives {len(m.bank)}")


main()
