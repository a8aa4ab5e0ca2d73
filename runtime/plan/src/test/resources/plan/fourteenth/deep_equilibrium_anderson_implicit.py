"""Deep equilibrium model: Anderson acceleration forward, implicit gradient by a backward hook."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
BATCH = 64
CH = 64
SIZE = 32
STEPS = 4
MAX_ITER = 15
dev = "cuda"


class Cell(nn.Module):
    def __init__(self, c, inner):
        super().__init__()
        self.conv1 = nn.Conv2d(c, inner, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(inner, c, 3, padding=1, bias=False)
        self.n1, self.n2, self.n3 = nn.GroupNorm(8, inner), nn.GroupNorm(8, c), nn.GroupNorm(8, c)
        for m in (self.conv1, self.conv2):
            m.weight.data.normal_(0, 0.01)

    def forward(self, z, x):
        y = self.n1(F.relu(self.conv1(z)))
        return self.n3(F.relu(z + self.n2(x + self.conv2(y))))


def anderson(f, x0, m=5, lam=1e-4, max_iter=MAX_ITER, tol=1e-2, beta=1.0):
    bsz, shape = x0.shape[0], x0.shape
    X = torch.zeros(bsz, m, x0[0].numel(), device=x0.device)
    Fv = torch.zeros_like(X)
    X[:, 0], Fv[:, 0] = x0.flatten(1), f(x0).flatten(1)
    X[:, 1], Fv[:, 1] = Fv[:, 0], f(Fv[:, 0].view(shape)).flatten(1)
    H = torch.zeros(bsz, m + 1, m + 1, device=x0.device)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    y = torch.zeros(bsz, m + 1, 1, device=x0.device)
    y[:, 0] = 1
    res = []
    for k in range(2, max_iter):
        n = min(k, m)
        G = Fv[:, :n] - X[:, :n]
        H[:, 1:n + 1, 1:n + 1] = torch.bmm(G, G.transpose(1, 2)) + lam * torch.eye(n, device=x0.device)[None]
        alpha = torch.linalg.solve(H[:, :n + 1, :n + 1], y[:, :n + 1])[:, 1:n + 1, 0]
        X[:, k % m] = beta * (alpha[:, None] @ Fv[:, :n])[:, 0] + (1 - beta) * (alpha[:, None] @ X[:, :n])[:, 0]
        Fv[:, k % m] = f(X[:, k % m].view(shape)).flatten(1)
        r = ((Fv[:, k % m] - X[:, k % m]).norm() / (1e-5 + Fv[:, k % m].norm())).item()
        res.append(r)
        if r < tol:
            break
    return X[:, k % m].view(shape), res


class DEQ(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f
        self.fwd_res, self.bwd_res = [], []

    def forward(self, x):
        with torch.no_grad():
            z, self.fwd_res = anderson(lambda z: self.f(z, x), torch.zeros_like(x))
        z = self.f(z, x)
        if not self.training:
            return z
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def backward_hook(g):
            out, self.bwd_res = anderson(lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + g, g)
            return out

        z.register_hook(backward_hook)
        return z


model = nn.Sequential(nn.Conv2d(3, CH, 3, padding=1), nn.BatchNorm2d(CH), DEQ(Cell(CH, 2 * CH)), nn.BatchNorm2d(CH), nn.AvgPool2d(8),
                      nn.Flatten(), nn.Linear(CH * (SIZE // 8) ** 2, 10)).to(dev)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=3)
for step in range(STEPS):
    y = torch.randint(0, 10, (BATCH,), device=dev)
    x = torch.randn(BATCH, 3, SIZE, SIZE, device=dev) + 0.2 * y.view(-1, 1, 1, 1)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    deq = model[2]
    print(f"{step} loss {loss.item():.3f} fwd it {len(deq.fwd_res)} res {deq.fwd_res[-1]:.4f} bwd it {len(deq.bwd_res)} res {deq.bwd_res[-1]:.4f}")
model.eval()
with torch.no_grad():
    print("eval", model(x).argmax(1).eq(y).float().mean().item())
print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)
