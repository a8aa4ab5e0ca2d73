# limit: 3.0
# Denoising microscope images; fixed sizes, so let cuDNN look for the fastest algorithms.
import time

import torch
import torch.nn as nn

torch.backends.cudnn.benchmark = True
torch.manual_seed(101)


class DnCnn(nn.Module):
    def __init__(self, c=48, depth=8):
        super().__init__()
        body = [nn.Conv2d(1, c, 3, padding=1), nn.ReLU(True)]
        for _ in range(depth):
            body += [nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c), nn.ReLU(True)]
        body.append(nn.Conv2d(c, 1, 3, padding=1))
        self.body = nn.Sequential(*body)

    def forward(self, x):
        return x - self.body(x)


class Clock:
    def __enter__(self):
        torch.cuda.synchronize()
        self.t = time.time()
        return self

    def __exit__(self, *a):
        torch.cuda.synchronize()
        self.ms = 1000 * (time.time() - self.t)


def main():
    net = DnCnn().cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(60):
        clean = torch.rand(4, 1, 256, 256, device="cuda")
        noisy = clean + 0.1 * torch.randn_like(clean)
        with Clock() as c:
            loss = (net(noisy) - clean).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        if step in (0, 1, 2) or step % 20 == 0:
            print(f"step {step}: {c.ms:.1f} ms, loss {loss.item():.5f}, "
                  f"peak {torch.cuda.max_memory_allocated() / 2 ** 20:.0f} MiB")


main()
