"""SimCLR pre-training with a hand-written LARS optimizer, GPU augmentation, and a linear probe afterwards."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import Optimizer
from torchvision.models import resnet18


class LARS(Optimizer):
    """SGD with momentum whose step is scaled per layer by |w| / |g|."""

    def __init__(self, params, lr, momentum=0.9, weight_decay=1e-6, trust=1e-3):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, trust=trust))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d = p.grad
                if p.ndim > 1:
                    d = d.add(p, alpha=group["weight_decay"])
                    wn, gn = p.norm(), d.norm()
                    ratio = torch.where((wn > 0) & (gn > 0), group["trust"] * wn / gn, torch.ones_like(wn))
                    d = d * ratio
                buf = self.state[p].setdefault("mu", torch.zeros_like(p))
                buf.mul_(group["momentum"]).add_(d)
                p.sub_(buf, alpha=group["lr"])


class SimCLR(nn.Module):
    def __init__(self, proj=128):
        super().__init__()
        net = resnet18(weights=None)
        net.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        net.maxpool = nn.Identity()
        dim = net.fc.in_features
        net.fc = nn.Identity()
        self.encoder = net
        self.projector = nn.Sequential(nn.Linear(dim, dim, bias=False), nn.BatchNorm1d(dim), nn.ReLU(True),
                                       nn.Linear(dim, proj, bias=False), nn.BatchNorm1d(proj, affine=False))

    def forward(self, x):
        return self.projector(self.encoder(x))


@torch.no_grad()
def augment(x):
    """Random crop+flip by an affine grid, colour jitter, grayscale: all on the GPU, per image."""
    n = x.size(0)
    scale = 0.4 + 0.6 * torch.rand(n, device=x.device)
    flip = torch.where(torch.rand(n, device=x.device) < 0.5, -1.0, 1.0)
    theta = torch.zeros(n, 2, 3, device=x.device)
    theta[:, 0, 0], theta[:, 1, 1] = scale * flip, scale
    theta[:, :, 2] = (torch.rand(n, 2, device=x.device) * 2 - 1) * (1 - scale)[:, None]
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
    x = x * (0.6 + 0.8 * torch.rand(n, 3, 1, 1, device=x.device))
    gray = x.mean(1, keepdim=True).expand_as(x)
    return torch.where(torch.rand(n, 1, 1, 1, device=x.device) < 0.2, gray, x)


def nt_xent(z, tau=0.2):
    z = F.normalize(z, dim=1)
    n = z.size(0) // 2
    sim = z @ z.T / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(sim, target)


def main(batch=192, side=32, steps=6, probe_steps=5, classes=10):
    torch.manual_seed(1)
    device = "cuda"
    model = SimCLR().to(device)
    opt = LARS(model.parameters(), lr=0.3 * batch / 256)
    for step in range(steps):
        for g in opt.param_groups:
            g["lr"] = 0.3 * batch / 256 * 0.5 * (1 + math.cos(math.pi * step / steps))
        x = torch.rand(batch, 3, side, side, device=device)
        views = torch.cat([augment(x), augment(x)])
        loss = nt_xent(model(views))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print(f"pretrain {step} loss {loss.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # linear probe on frozen features
    model.eval().requires_grad_(False)
    head = nn.Linear(512, classes).to(device)
    sgd = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
    x = torch.rand(batch * 4, 3, side, side, device=device)
    y = torch.randint(0, classes, (batch * 4,), device=device)
    feats = torch.cat([model.encoder(c) for c in x.split(batch)])
    for _ in range(probe_steps):
        loss = F.cross_entropy(head(feats), y)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
    acc = (head(feats).argmax(1) == y).float().mean().item()
    print(f"probe loss {loss.item():.3f} train acc {acc:.3f}")


if __name__ == "__main__":
    main()
