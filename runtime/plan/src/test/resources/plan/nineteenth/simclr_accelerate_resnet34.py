"""SimCLR pre-training with HF accelerate, LARS written by us, GPU augmentations, then a linear probe."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import resnet34

BATCH, STEPS_MAX = 48, 8
SIDE = 64
PROJ = 128
TEMP = 0.2
ACCUM = 2
N_IMAGES = 480


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=1e-6, trust=0.001):
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
                    pn, dn = p.norm(), d.norm()
                    d = d * torch.where((pn > 0) & (dn > 0), group["trust"] * pn / dn, torch.ones_like(pn))
                st = self.state[p]
                if "mu" not in st:
                    st["mu"] = torch.zeros_like(p)
                st["mu"].mul_(group["momentum"]).add_(d)
                p.add_(st["mu"], alpha=-group["lr"])


def augment(x):
    b = len(x)
    # random resized crop by an affine grid, flip, color jitter, gray
    s = torch.empty(b, device=x.device).uniform_(0.35, 1.0)
    flip = torch.where(torch.rand(b, device=x.device) < 0.5, -1.0, 1.0)
    tx, ty = ((torch.rand(2, b, device=x.device) * 2 - 1) * (1 - s)).unbind(0)
    zero = torch.zeros_like(s)
    theta = torch.stack([torch.stack([s * flip, zero, tx], 1), torch.stack([zero, s, ty], 1)], 1)
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False, padding_mode="reflection")
    gain = 1 + 0.4 * (torch.rand(b, 3, 1, 1, device=x.device) * 2 - 1)
    x = x * gain + 0.2 * (torch.rand(b, 1, 1, 1, device=x.device) - 0.5)
    gray = (torch.rand(b, 1, 1, 1, device=x.device) < 0.2).float()
    return x * (1 - gray) + x.mean(1, keepdim=True) * gray


class SimCLR(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = resnet34(weights=None)
        self.backbone.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.backbone.maxpool = nn.Identity()
        d = self.backbone.fc.in_features
        self.backbone.fc = nn.Identity()
        self.proj = nn.Sequential(nn.Linear(d, d), nn.BatchNorm1d(d), nn.ReLU(), nn.Linear(d, PROJ, bias=False))

    def forward(self, x):
        return F.normalize(self.proj(self.backbone(x)), dim=1)


def nt_xent(z1, z2):
    z = torch.cat([z1, z2]).float()
    sim = z @ z.t() / TEMP
    sim.fill_diagonal_(-1e9)
    n = len(z1)
    target = (torch.arange(2 * n, device=z.device) + n) % (2 * n)
    return F.cross_entropy(sim, target)


def main():
    set_seed(9)
    acc = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=ACCUM)
    base = torch.randn(10, 3, 12, 12)
    label = torch.randint(0, 10, (N_IMAGES,))
    imgs = F.interpolate(base[label] + 0.4 * torch.randn(N_IMAGES, 3, 12, 12), size=SIDE, mode="bilinear")
    loader = DataLoader(TensorDataset(imgs, label), batch_size=BATCH, shuffle=True, drop_last=True)
    model = SimCLR()
    opt = LARS(model.parameters(), lr=0.3 * BATCH / 256 * 10)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS_MAX)
    model, opt, loader, sched = acc.prepare(model, opt, loader, sched)
    model.train()
    for step, (x, _) in enumerate(loader):
        if step == STEPS_MAX:
            break
        with acc.accumulate(model):
            with torch.no_grad():
                views = torch.cat([augment(x), augment(x)])
            with acc.autocast():
                z = model(views)
            loss = nt_xent(*z.chunk(2))
            acc.backward(loss)
            if acc.sync_gradients:
                acc.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            opt.zero_grad()
        acc.print(f"step {step} loss {loss.item():.4f}")

    # linear probe on frozen features
    encoder = acc.unwrap_model(model).backbone.eval()
    feats, ys = [], []
    with torch.no_grad(), acc.autocast():
        for x, y in loader:
            feats.append(encoder(x).float())
            ys.append(y)
    feats, ys = torch.cat(feats), torch.cat(ys)
    probe = nn.Linear(feats.shape[1], 10).to(acc.device)
    popt = torch.optim.SGD(probe.parameters(), lr=0.5, momentum=0.9)
    for _ in range(40):
        popt.zero_grad()
        F.cross_entropy(probe(feats), ys).backward()
        popt.step()
    acc.print("probe acc", (probe(feats).argmax(1) == ys).float().mean().item())
    acc.print("peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
