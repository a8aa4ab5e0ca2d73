"""Point-cloud autoencoder: EdgeConv with dynamic kNN, folding decoder, chamfer + Sinkhorn divergence loss."""
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

N_POINTS = 1024
BATCH = 16
CLOUDS = 64
KNN = 16
SINK_ITERS = 9
EPOCHS = 1


class Primitives(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        p = torch.randn(N_POINTS, 3, generator=g)
        if i % 2:
            p = p / p.norm(dim=1, keepdim=True)
        else:
            p = p / p.abs().max(1, keepdim=True)[0]
        return p * (0.5 + torch.rand(1, 3, generator=g))


def knn(x, k):
    return torch.cdist(x, x).topk(k, largest=False)[1]


class EdgeConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2 * i, o), nn.LayerNorm(o), nn.LeakyReLU(0.2), nn.Linear(o, o))

    def forward(self, x):
        B, N, C = x.shape
        idx = knn(x.detach(), KNN)
        nb = x[torch.arange(B, device=x.device)[:, None, None], idx]
        c = x[:, :, None].expand_as(nb)
        return self.f(torch.cat([c, nb - c], -1)).amax(2)


class AE(nn.Module):
    def __init__(self, z=256):
        super().__init__()
        self.e = nn.ModuleList([EdgeConv(3, 64), EdgeConv(64, 64), EdgeConv(64, 128)])
        self.pool = nn.Linear(256, z)
        g = torch.linspace(-1, 1, int(N_POINTS**0.5))
        self.register_buffer("grid", torch.cartesian_prod(g, g))
        def fold(i):
            return nn.Sequential(nn.Linear(i, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 3))
        self.f1, self.f2 = fold(z + 2), fold(z + 3)

    def forward(self, x):
        hs = []
        for e in self.e:
            x = e(x)
            hs.append(x)
        z = self.pool(torch.cat(hs, -1)).amax(1)
        zz = z[:, None].expand(-1, len(self.grid), -1)
        p = self.f1(torch.cat([zz, self.grid.expand(len(z), -1, -1)], -1))
        return p + self.f2(torch.cat([zz, p], -1))


def chamfer(a, b):
    d = torch.cdist(a, b)
    return d.min(1)[0].mean() + d.min(2)[0].mean()


def sinkhorn_cost(a, b, eps=0.05):
    """log-domain, differentiated through the iterations"""
    C = torch.cdist(a, b).pow(2)
    n, m = C.shape[1:]
    f, g = C.new_zeros(len(C), n), C.new_zeros(len(C), m)
    la, lb = -torch.log(torch.tensor(float(n))), -torch.log(torch.tensor(float(m)))
    for _ in range(SINK_ITERS):
        f = -eps * torch.logsumexp((g[:, None] - C) / eps + lb.item(), 2)
        g = -eps * torch.logsumexp((f[:, :, None] - C) / eps + la.item(), 1)
    return f.mean(1) + g.mean(1)


def main():
    torch.manual_seed(1)
    dev = "cuda"
    net = AE().to(dev)
    opt = torch.optim.AdamW(net.parameters(), 1e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 2, 0.7)
    dl = DataLoader(Primitives(CLOUDS), BATCH, shuffle=True, num_workers=2, pin_memory=True)
    t0 = time.time()
    for ep in range(EPOCHS):
        for i, x in enumerate(dl):
            x = x.to(dev, non_blocking=True)
            y = net(x)
            cd = chamfer(y, x)
            sd = (sinkhorn_cost(y, x) - 0.5 * sinkhorn_cost(y, y)).mean()
            loss = cd + 0.1 * sd
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            sched.step()
            print(f"{ep}/{i} chamfer {cd.item():.4f} sinkhorn {sd.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f}")
    print(f"{time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()
