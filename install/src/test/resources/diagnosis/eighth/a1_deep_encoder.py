# limit: 4
"""48-layer encoder trained with activation checkpointing."""
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Deep(nn.Module):
    def __init__(self, d=512, layers=48):
        super().__init__()
        self.inp = nn.Linear(80, d)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d, 8, 1024, dropout=0.0, batch_first=True) for _ in range(layers))
        self.out = nn.Linear(d, 40)

    def forward(self, x):
        x = self.inp(x)
        for blk in self.blocks:
            x = checkpoint(blk, x, use_reentrant=False)
        return self.out(x)


model = Deep().to("cuda")
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(8):
    mel = torch.randn(8, 400, 80, device="cuda")
    target = torch.randint(0, 40, (8, 400), device="cuda")
    loss = nn.functional.cross_entropy(model(mel).transpose(1, 2), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("step", step, loss.item())
