"""SimCLR pretraining with own LARS optimizer + linear probe afterwards. GPU augmentations are hand made."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=1e-6, eta=1e-3):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, eta=eta))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                d = p.grad
                if p.ndim > 1:
                    d = d.add(p, alpha=g["weight_decay"])
                    pn, dn = p.norm(), d.norm()
                    trust = torch.where((pn > 0) & (dn > 0), g["eta"] * pn / dn, torch.ones_like(pn))
                    d = d * trust
                st = self.state[p]
                if "mu" not in st:
                    st["mu"] = torch.zeros_like(p)
                st["mu"].mul_(g["momentum"]).add_(d)
                p.add_(st["mu"], alpha=-g["lr"])


class SimCLR(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.backbone = resnet18(weights=None)
        self.backbone.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.backbone.maxpool = nn.Identity()
        self.backbone.fc = nn.Identity()
        self.proj = nn.Sequential(nn.Linear(512, 2048), nn.BatchNorm1d(2048), nn.ReLU(), nn.Linear(2048, dim, bias=False))

    def forward(self, x):
        h = self.backbone(x)
        return h, F.normalize(self.proj(h), dim=1)


def augment(x):
    n, _, s, _ = x.shape
    scale = 0.4 + 0.6 * torch.rand(n, device=x.device)
    flip = torch.where(torch.rand(n, device=x.device) < 0.5, -1.0, 1.0)
    theta = torch.zeros(n, 2, 3, device=x.device)
    theta[:, 0, 0], theta[:, 1, 1] = scale * flip, scale
    theta[:, :, 2] = (torch.rand(n, 2, device=x.device) * 2 - 1) * (1 - scale)[:, None]
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
    bright = 0.6 + 0.8 * torch.rand(n, 3, 1, 1, device=x.device)
    x = x * bright
    gray = (torch.rand(n, 1, 1, 1, device=x.device) < 0.2).float()
    return x * (1 - gray) + x.mean(1, keepdim=True) * gray


def nt_xent(z1, z2, tau=0.2):
    z = torch.cat([z1, z2])
    sim = z @ z.t() / tau
    sim.fill_diagonal_(-1e9)
    n = len(z1)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(sim, target)


BATCH = 256
SIZE = 32
STEPS = 4
device = torch.device("cuda")

if __name__ == "__main__":
    torch.manual_seed(5)
    net = SimCLR().to(device)
    opt = LARS(net.parameters(), lr=0.3 * BATCH / 256)
    sched = torch.optim.lr_scheduler.SequentialLR(
        opt, [torch.optim.lr_scheduler.LinearLR(opt, 0.25, total_iters=2),
              torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)], milestones=[2])
    pool = torch.rand(BATCH * 2, 3, SIZE, SIZE)
    for step in range(STEPS):
        x = pool[torch.randperm(len(pool))[:BATCH]].to(device)
        _, z = net(torch.cat([augment(x), augment(x)]))
        loss = nt_xent(*z.chunk(2))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"pretrain {step} {loss.item():.4f} lr {sched.get_last_lr()[0]:.3f}")
    print("pretrain peak MiB", torch.cuda.max_memory_allocated() // 2**20)

    # linear probe on frozen features
    torch.cuda.reset_peak_memory_stats()
    net.eval()
    with torch.no_grad():
        feats = torch.cat([net.backbone(p.to(device)) for p in pool.split(BATCH)])
    probe = nn.Linear(512, 10).to(device)
    labels = torch.randint(10, (len(pool),), device=device)
    popt = torch.optim.SGD(probe.parameters(), lr=0.1, momentum=0.9)
    for _ in range(20):
        popt.zero_grad()
        ploss = F.cross_entropy(probe(feats), labels)
        ploss.backward()
        popt.step()
    print("probe loss", round(ploss.item(), 4), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)
