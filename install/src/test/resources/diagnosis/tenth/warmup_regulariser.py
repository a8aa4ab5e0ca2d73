# limit: 1.5
import torch
import torch.nn as nn


class Meter:
    """Keeps every value so that quantiles can be printed at the end of the epoch."""

    def __init__(self, name):
        self.name, self.values = name, []

    def update(self, value):
        self.values.append(value)

    def summary(self):
        v = torch.stack(self.values).float()
        return f"{self.name}: mean {v.mean():.4f} max {v.max():.4f}"


class Encoder(nn.Module):
    def __init__(self, d=1024, depth=6):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU()) for _ in range(depth))
        self.cls = nn.Linear(d, 100)

    def forward(self, x):
        for b in self.blocks:
            x = x + b(x)
        return x, self.cls(x)


model = Encoder().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
criterion = nn.CrossEntropyLoss()
ce_meter, reg_meter = Meter("ce"), Meter("consistency")
REG_FROM = 800      # steps
weight = 0.1

for step in range(1500):
    x = torch.randn(256, 1024, device="cuda")
    y = torch.randint(0, 100, (256,), device="cuda")
    _, logits = model(x)
    loss = criterion(logits, y)

    f1, _ = model(x + 0.1 * torch.randn_like(x))
    f2, _ = model(x + 0.1 * torch.randn_like(x))
    consistency = (f1 - f2).pow(2).mean()
    if step >= REG_FROM:
        loss = loss + weight * consistency

    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    ce_meter.update(loss.detach())
    reg_meter.update(consistency)

print(ce_meter.summary())
print(reg_meter.summary())
