import torch
import torch.nn as nn
import torch.nn.functional as F


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.01):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                p.mul_(1 - g["lr"] * g["weight_decay"])
                p.add_(m.clone().mul_(g["betas"][0]).add(p.grad, alpha=1 - g["betas"][0]).sign_(), alpha=-g["lr"])
                m.lerp_(p.grad, 1 - g["betas"][1])


class FT(nn.Module):
    def __init__(self, numbers=20, sizes=(10, 50, 300, 7), d=192):
        super().__init__()
        self.w, self.b = nn.Parameter(torch.randn(numbers, d) * 0.1), nn.Parameter(torch.zeros(numbers, d))
        self.tables, self.cls = nn.ModuleList(nn.Embedding(n, d) for n in sizes), nn.Parameter(torch.zeros(1, 1, d))
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(d, 8, 384, 0.2, F.gelu, batch_first=True, norm_first=True) for _ in range(3))
        self.head = nn.Sequential(nn.LayerNorm(d), nn.ReLU(), nn.Linear(d, 1))

    def forward(self, x, c):
        tokens = [self.cls.expand(len(x), -1, -1), x[:, :, None] * self.w + self.b, torch.stack([t(c[:, i]) for i, t in enumerate(self.tables)], 1)]
        h = torch.cat(tokens, 1)
        for layer in self.layers:
            h = layer(h)
        return self.head(h[:, 0]).squeeze(1)


torch.manual_seed(0)
model = FT().cuda()
opt = Lion(model.parameters())
for step in range(3):
    x, c = torch.randn(1024, 20).cuda(), torch.stack([torch.randint(0, n, (1024,)) for n in (10, 50, 300, 7)], 1).cuda()
    loss = F.binary_cross_entropy_with_logits(model(x, c), torch.randint(0, 2, (1024,)).float().cuda(), pos_weight=torch.tensor(3.0, device="cuda"))
    opt.zero_grad()
    loss.backward()
    opt.step()
