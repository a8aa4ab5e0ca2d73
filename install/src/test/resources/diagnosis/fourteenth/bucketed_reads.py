# limit: 2.0
"""Nanopore read classifier. Reads are bucketed by length, short buckets first."""
import torch
import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, c, dilation):
        super().__init__()
        self.norm = nn.GroupNorm(8, c)
        self.conv = nn.Conv1d(c, c, 3, padding=dilation, dilation=dilation)

    def forward(self, x):
        return x + torch.nn.functional.gelu(self.conv(self.norm(x)))


class ReadNet(nn.Module):
    def __init__(self, c=128, classes=12):
        super().__init__()
        self.stem = nn.Conv1d(4, c, 7, padding=3)
        self.res = nn.Sequential(*[Residual(c, 2 ** i) for i in range(8)])
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        return self.fc(self.res(self.stem(x)).mean(-1))


def one_hot_reads(bs, length):
    idx = torch.randint(0, 4, (bs, length), device="cuda")
    return torch.zeros(bs, 4, length, device="cuda").scatter_(1, idx[:, None], 1.0)


def epoch(net, opt, buckets, bs):
    for length, n in buckets:
        for _ in range(n):
            x = one_hot_reads(bs, length)
            y = torch.randint(0, 12, (bs,), device="cuda")
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            opt.zero_grad()
        print(f"  bucket {length:6d}: {loss.item():.4f}")


def main(batch_size=32):
    torch.manual_seed(4)
    net = ReadNet().cuda()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-4)
    curriculum = [
        [(500, 10), (1000, 10)],
        [(500, 10), (1000, 10), (2000, 6)],
        [(1000, 10), (2000, 6), (8000, 4), (16000, 4)],
    ]
    for i, buckets in enumerate(curriculum):
        print("epoch", i)
        epoch(net, opt, buckets, batch_size)


main()
