# limit: 2.0
import torch
import torch.nn as nn

"""k-nearest-neighbour graph in feature space (dynamic edge convolution) for large molecules."""

torch.manual_seed(12)


def pairwise(a, b):
    diff = a[:, None, :] - b[None, :, :]
    return diff.square().sum(-1)


def knn(x, k):
    with torch.no_grad():
        return pairwise(x, x).topk(k + 1, largest=False).indices[:, 1:]


class EdgeConv(nn.Module):
    def __init__(self, i, o, k=8):
        super().__init__()
        self.k = k
        self.mlp = nn.Sequential(nn.Linear(2 * i, o), nn.ReLU(), nn.Linear(o, o))

    def forward(self, x):
        idx = knn(x, self.k)
        nb = x[idx]
        c = x[:, None].expand_as(nb)
        return self.mlp(torch.cat([c, nb - c], -1)).amax(1)


class EnergyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2 = EdgeConv(16, 64), EdgeConv(64, 64)
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        return self.out(self.c2(self.c1(x)).mean(0)).squeeze()


def molecule(atoms):
    return torch.randn(atoms, 16, device="cuda")


net = EnergyNet().cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sizes = [200, 350, 500, 900, 1200] * 8 + [6000, 7500]  # proteins come last
for step, atoms in enumerate(sizes):
    e = net(molecule(atoms))
    loss = (e - atoms / 1000).pow(2)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 0:
        print(f"step {step} atoms {atoms} loss {loss.item():.4f}")
