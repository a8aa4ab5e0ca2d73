# limit: 1.9
# frozen world model encoder for 30 steps, then everything trains
import torch
import torch.nn as nn
import torch.nn.functional as F

dev = "cuda"
torch.manual_seed(77)


class Backbone(nn.Module):
    def __init__(self, width=4096, depth=8):
        super().__init__()
        self.stem = nn.Linear(256, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        h = self.stem(x)
        for b in self.blocks:
            h = h + F.silu(b(F.layer_norm(h, h.shape[-1:]))) * 0.1
        return h


class WorldModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.reward = nn.Linear(4096, 1)
        self.cont = nn.Linear(4096, 1)

    def forward(self, x):
        h = self.backbone(x)
        return self.reward(h).squeeze(-1), self.cont(h).squeeze(-1)


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad_(flag)
        if not flag:
            p.grad = None


def fit(model, opt, steps, tag):
    for step in range(steps):
        x = torch.randn(128, 256, device=dev)
        r, c = x[:, 0], (x[:, 1] > 0).float()
        pr, pc = model(x)
        loss = F.mse_loss(pr, r) + F.binary_cross_entropy_with_logits(pc, c)
        loss.backward()
        if (step + 1) % 5 == 0:   # micro batches
            opt.step()
            opt.zero_grad()
    print(f"{tag}: loss {loss.item():.4f}, "
          f"{torch.cuda.memory_allocated() / 2**30:.2f} GiB now")


wm = WorldModel().to(dev)
set_trainable(wm.backbone, False)
heads = [p for p in wm.parameters() if p.requires_grad]
fit(wm, torch.optim.Adam(heads, lr=1e-3), 30, "heads only")

set_trainable(wm.backbone, True)
full = torch.optim.Adam(wm.parameters(), lr=1e-5)
fit(wm, full, 50, "all")
