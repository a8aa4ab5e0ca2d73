# limit: 3
"""Evaluates a per-pixel tagger on 512x512 tiles."""
import torch
import torch.nn as nn

CLASSES = 8


class PixelTagger(nn.Module):
    def __init__(self, c=32, depth=10):
        super().__init__()
        self.stem = nn.Linear(6, c)
        self.layers = nn.ModuleList([nn.Linear(c, c) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.LayerNorm(c) for _ in range(depth)])
        self.head = nn.Linear(c, CLASSES)

    def forward(self, x):                       # B,H,W,6
        x = self.stem(x)
        for lin, norm in zip(self.layers, self.norms):
            x = torch.relu(lin(norm(x)))
        return self.head(x)


def train_step(model, opt, batch=1):
    x = torch.randn(batch, 512, 512, 6, device="cuda")
    y = torch.randint(0, CLASSES, (batch, 512, 512), device="cuda")
    loss = nn.functional.cross_entropy(model(x).permute(0, 3, 1, 2), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def evaluate(model, batches=4, batch=8):
    model.eval()
    right = total = 0
    for _ in range(batches):
        x = torch.randn(batch, 512, 512, 6, device="cuda")
        y = torch.randint(0, CLASSES, (batch, 512, 512), device="cuda")
        pred = model(x).argmax(-1)
        right += (pred == y).sum().item()
        total += y.numel()
    model.train()
    return right / total


model = PixelTagger().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for i in range(10):
        loss = train_step(model, opt)
    print("epoch", epoch, "loss", loss)
    print("accuracy", evaluate(model))
