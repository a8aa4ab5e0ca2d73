import timm, torch
import torch.nn as nn


class LoRA(nn.Module):
    def __init__(self, base, r=4):
        super().__init__()
        self.base = base
        self.down, self.up = nn.Linear(base.in_features, r, bias=False), nn.Linear(r, base.out_features, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


torch.manual_seed(0)
model = timm.create_model("cait_xxs24_224", pretrained=False, num_classes=30, depth=8).requires_grad_(False)
for block in model.blocks:
    block.attn.qkv = LoRA(block.attn.qkv)
model.head.requires_grad_(True)
model.cuda().train()
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
for step in range(3):
    x, y = torch.randn(16, 3, 224, 224, device="cuda"), torch.randint(0, 30, (16,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
