"""SimCLR pre-training with a hand written LARS optimizer; augmentation on the GPU; linear probe afterwards."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.optimizer import Optimizer
from torchvision.models import resnet18


class LARS(Optimizer):
    def __init__(self, params, lr, weight_decay=1e-6, momentum=0.9, eta=0.001):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, eta=eta))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                dp = p.grad
                if p.ndim > 1:
                    dp = dp.add(p, alpha=g["weight_decay"])
                    pn, un = torch.norm(p), torch.norm(dp)
                    one = torch.ones_like(pn)
                    q = torch.where(pn > 0, torch.where(un > 0, g["eta"] * pn / un, one), one)
                    dp = dp.mul(q)
                state = self.state[p]
                if "mu" not in state:
                    state["mu"] = torch.zeros_like(p)
                state["mu"].mul_(g["momentum"]).add_(dp)
                p.add_(state["mu"], alpha=-g["lr"])


class SimCLR(nn.Module):
    def __init__(self, out_dim=128):
        super().__init__()
        backbone = resnet18(weights=None)
        backbone.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        backbone.maxpool = nn.Identity()
        dim = backbone.fc.in_features
        backbone.fc = nn.Identity()
        self.backbone = backbone
        self.projector = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim), nn.ReLU(inplace=True), nn.Linear(dim, out_dim))

    def forward(self, x):
        h = self.backbone(x)
        return h, F.normalize(self.projector(h), dim=-1)


def augment(x):
    b = x.size(0)
    if torch.rand(1).item() < 0.5:
        x = x.flip(-1)
    scale = 0.6 + 0.4 * torch.rand(b, device=x.device)
    theta = torch.zeros(b, 2, 3, device=x.device)
    theta[:, 0, 0] = theta[:, 1, 1] = scale
    theta[:, :, 2] = (torch.rand(b, 2, device=x.device) * 2 - 1) * (1 - scale)[:, None]
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
    x = x * (0.6 + 0.8 * torch.rand(b, 1, 1, 1, device=x.device))
    gray = x.mean(1, keepdim=True).expand_as(x)
    return torch.where(torch.rand(b, 1, 1, 1, device=x.device) < 0.2, gray, x)


def nt_xent(z1, z2, temperature=0.5):
    n = z1.size(0)
    z = torch.cat([z1, z2])
    sim = z @ z.t() / temperature
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(sim, target)


def main():
    torch.manual_seed(31)
    device, batch, steps, size = "cuda", 192, 5, 32
    model = SimCLR().to(device)
    opt = LARS(model.parameters(), lr=0.3 * batch / 256)
    for step in range(steps):
        for g in opt.param_groups:
            g["lr"] = 0.3 * batch / 256 * 0.5 * (1 + math.cos(math.pi * step / steps))
        x = torch.rand(batch, 3, size, size, device=device)
        v1, v2 = augment(x), augment(x)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            _, z = model(torch.cat([v1, v2]))
        loss = nt_xent(*z.float().chunk(2))
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"pretrain {step}: loss {loss.item():.4f}")

    # linear evaluation on frozen features
    model.eval()
    feats, labels = [], []
    with torch.no_grad():
        for _ in range(3):
            x = torch.rand(2 * batch, 3, size, size, device=device)
            feats.append(model(x)[0])
            labels.append(torch.randint(0, 10, (2 * batch,), device=device))
    feats, labels = torch.cat(feats), torch.cat(labels)
    head = nn.Linear(feats.size(1), 10).to(device)
    probe_opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
    for _ in range(20):
        loss = F.cross_entropy(head(feats), labels)
        probe_opt.zero_grad()
        loss.backward()
        probe_opt.step()
    acc = (head(feats).argmax(1) == labels).float().mean().item()
    print(f"probe train acc {acc:.3f}, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
