"""SimCLR pre-training with a big effective batch: gradient caching (two passes) and a home-made LARS."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet50
from torchvision.transforms import v2

SEED = 6
BATCH = 128
CHUNK = 32
SIZE = 112
EPOCH_STEPS = 3
TAU = 0.2


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=1e-6, trust=0.001):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, trust=trust))

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
                    q = torch.where((pn > 0) & (dn > 0), g["trust"] * pn / dn, torch.ones_like(pn))
                    d = d * q
                st = self.state[p]
                if "mu" not in st:
                    st["mu"] = torch.zeros_like(p)
                st["mu"].mul_(g["momentum"]).add_(d)
                p.add_(st["mu"], alpha=-g["lr"])


class SimCLR(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.encoder = resnet50(weights=None)
        feat = self.encoder.fc.in_features
        self.encoder.fc = nn.Identity()
        self.projector = nn.Sequential(
            nn.Linear(feat, feat), nn.BatchNorm1d(feat), nn.ReLU(inplace=True), nn.Linear(feat, dim, bias=False)
        )

    def forward(self, x):
        return F.normalize(self.projector(self.encoder(x)).float(), dim=1)


def augmentation():
    return v2.Compose([
        v2.RandomResizedCrop(SIZE, scale=(0.2, 1.0), antialias=True),
        v2.RandomHorizontalFlip(),
        v2.ColorJitter(0.4, 0.4, 0.2, 0.1),
        v2.GaussianBlur(9, sigma=(0.1, 2.0)),
    ])


def nt_xent(z):
    n = z.size(0) // 2
    sim = z @ z.T / TAU
    sim.fill_diagonal_(float("-inf"))
    target = torch.arange(2 * n, device=z.device).roll(n)
    return F.cross_entropy(sim, target)


def train_step(model, views, opt):
    # pass 1: embeddings only
    reps = []
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        for c in views.split(CHUNK):
            reps.append(model(c))
    z = torch.cat(reps).requires_grad_(True)
    loss = nt_xent(z * 1.0)
    loss.backward()
    # pass 2: push the cached gradient through chunk by chunk
    opt.zero_grad(set_to_none=True)
    for c, g in zip(views.split(CHUNK), z.grad.split(CHUNK)):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(c)
        out.backward(gradient=g)
    opt.step()
    return loss.item()


def main():
    torch.manual_seed(SEED)
    device = torch.device("cuda")
    model = SimCLR().to(device)
    opt = LARS(model.parameters(), lr=0.3 * BATCH / 256)
    aug = augmentation()
    model.train()
    for step in range(EPOCH_STEPS):
        for g in opt.param_groups:
            g["lr"] = 0.3 * BATCH / 256 * (step + 1) / EPOCH_STEPS
        raw = torch.rand(BATCH, 3, SIZE + 16, SIZE + 16, device=device)
        views = torch.cat([aug(raw), aug(raw)])
        loss = train_step(model, views, opt)
        print(f"step {step} loss {loss:.4f} peak {torch.cuda.max_memory_allocated() / 2**30:.3f} GiB")

    # quick kNN probe on frozen features
    model.eval()
    with torch.inference_mode():
        bank = torch.cat([model.encoder(torch.rand(64, 3, SIZE, SIZE, device=device)) for _ in range(4)])
        labels = torch.randint(0, 10, (len(bank),), device=device)
        bank = F.normalize(bank, dim=1)
        nn_idx = (bank @ bank.T).fill_diagonal_(-1).topk(5).indices
        acc = (labels[nn_idx].mode(1).values == labels).float().mean()
    print(f"kNN accuracy (random labels) {acc:.3f}")


if __name__ == "__main__":
    main()
