import torch, torch.nn as nn, torch.nn.functional as F
from models import Block
class ViT(nn.Module):
    def __init__(self, d=384, n=8, h=6, classes=1000):
        super().__init__(); self.patch = nn.Conv2d(3, d, 16, 16); self.cls = nn.Parameter(torch.zeros(1, 1, d)); self.pos = nn.Parameter(torch.zeros(1, 197, d))
        self.blocks = nn.Sequential(*[Block(d, h, causal=False) for _ in range(n)]); self.ln, self.head = nn.LayerNorm(d), nn.Linear(d, classes)
    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2); x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.pos
        return self.head(self.ln(self.blocks(x))[:, 0])
model = ViT().cuda(); optimizer = torch.optim.AdamW(model.parameters())
for step in range(3):
    x, y = torch.randn(32, 3, 224, 224, device="cuda"), torch.randint(0, 1000, (32,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16): loss = F.cross_entropy(model(x), y)
    loss.backward(); optimizer.step(); optimizer.zero_grad()
