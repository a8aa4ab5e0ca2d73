# limit: 4
"""Find the largest batch size that fits, then train with it."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvNet(nn.Module):
    def __init__(self, ch=64, depth=16):
        super().__init__()
        self.stem = nn.Conv2d(3, ch, 3, padding=1)
        self.layers = nn.ModuleList(nn.Conv2d(ch, ch, 3, padding=1) for _ in range(depth))
        self.fc = nn.Linear(ch, 10)

    def forward(self, x):
        x = self.stem(x)
        for conv in self.layers:
            x = x + F.gelu(conv(x))
        return self.fc(x.mean((2, 3)))


def one_step(model, opt, bs):
    x = torch.rand(bs, 3, 128, 128, device="cuda")
    y = torch.randint(0, 10, (bs,), device="cuda")
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def find(model, opt, start=512):
    bs, attempts = start, []
    while bs >= 1:
        try:
            one_step(model, opt, bs)
            return bs
        except torch.OutOfMemoryError as exc:
            attempts.append((bs, exc))
            print("batch size", bs, "does not fit")
            bs //= 2
    raise attempts[-1][1]


torch.manual_seed(0)
model = ConvNet().to("cuda")
opt = torch.optim.SGD(model.parameters(), lr=0.01)
best = find(model, opt)
print("training with", best)
for step in range(10):
    print(one_step(model, opt, best))
