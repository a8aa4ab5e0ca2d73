# limit: 3.0
import math
import torch
from torch import nn
import torch.nn.functional as F


class RelAttention(nn.Module):
    """self-attention with a learned bias for the distance of two notes"""

    def __init__(self, d, heads, max_len=2048):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.bias = nn.Embedding(2 * max_len, heads)
        self.max_len = max_len

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        pos = torch.arange(t, device=x.device)
        rel = self.bias(pos[None] - pos[:, None] + self.max_len).permute(2, 0, 1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.h)
        att = F.softmax(scores + rel, dim=-1)
        return self.out((att @ v).transpose(1, 2).reshape(b, t, d))


class Net(nn.Module):
    def __init__(self, d=256, heads=8, layers=4):
        super().__init__()
        self.inp = nn.Linear(88, d)
        self.att = nn.ModuleList(RelAttention(d, heads) for _ in range(layers))
        self.ln = nn.ModuleList(nn.LayerNorm(d) for _ in range(layers))
        self.head = nn.Linear(d, 88)

    def forward(self, x):
        x = self.inp(x)
        for ln, a in zip(self.ln, self.att):
            x = x + a(ln(x))
        return self.head(x)


def train():
    torch.manual_seed(88)
    net = Net().to("cuda")
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch, bars in enumerate([8, 16, 32, 64]):
        t = bars * 32
        for it in range(5):
            roll = (torch.rand(4, t, 88, device="cuda") < 0.05).float()
            loss = F.binary_cross_entropy_with_logits(net(roll[:, :-1]), roll[:, 1:])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch}: {bars} bars, {t} ticks, loss {loss.item():.4f}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


train()
