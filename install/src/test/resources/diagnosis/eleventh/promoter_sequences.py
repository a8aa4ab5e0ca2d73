# limit: 3.0
"""Transformer over DNA windows; window length grows during training."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def split(self, x):
        b, n, d = x.shape
        return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        y = scores.softmax(dim=-1) @ v
        return self.o(y.transpose(1, 2).flatten(2))


class Net(nn.Module):
    def __init__(self, d=128, heads=8, depth=3):
        super().__init__()
        self.emb = nn.Embedding(5, d)
        self.att = nn.ModuleList(SelfAttention(d, heads) for _ in range(depth))
        self.norm = nn.ModuleList(nn.LayerNorm(d) for _ in range(depth))
        self.head = nn.Linear(d, 1)

    def forward(self, s):
        x = self.emb(s)
        for a, n in zip(self.att, self.norm):
            x = x + a(n(x))
        return self.head(x.mean(1)).squeeze(-1)


def main():
    torch.manual_seed(10)
    net = Net().cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for window in (256, 512, 1024, 4096):
        for step in range(8):
            seq = torch.randint(0, 5, (2, window), device="cuda")
            gc = (seq >= 3).float().mean(1)
            loss = (net(seq) - gc).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("window", window, "mse", loss.item())


main()
