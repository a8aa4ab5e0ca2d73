"""Lanczos tridiagonalisation of the loss Hessian of a torchvision ResNet (loss-landscape paper)."""
import time
import numpy as np
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector
from torchvision.models import resnet18

torch.manual_seed(0)
device = torch.device("cuda")

N_BATCHES = 2
BATCH = 48
IMG = 96
LANCZOS_ITERS = 6
WARM_STEPS = 3


def make_batches():
    g = torch.Generator(device="cpu").manual_seed(4)
    out = []
    for _ in range(N_BATCHES):
        x = torch.randn(BATCH, 3, IMG, IMG, generator=g)
        y = (x.mean((1, 2, 3)) * 500).long().remainder(10)
        out.append((x, y))
    return out


class HVP:
    """Hessian-vector products accumulated over all batches"""

    def __init__(self, model, loss, batches):
        self.model, self.loss, self.batches = model, loss, batches
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.calls = 0

    def split(self, v):
        out, i = [], 0
        for p in self.params:
            out.append(v[i:i + p.numel()].view_as(p))
            i += p.numel()
        return out

    def __call__(self, v):
        self.calls += 1
        vs = self.split(v)
        acc = torch.zeros_like(v)
        for x, y in self.batches:
            x, y = x.to(device), y.to(device)
            grads = torch.autograd.grad(self.loss(self.model(x), y), self.params, create_graph=True)
            hv = torch.autograd.grad(grads, self.params, grad_outputs=vs)
            acc += parameters_to_vector([h.contiguous() for h in hv]) / len(self.batches)
        return acc


def lanczos(op, n, k):
    v = torch.randn(n, device=device)
    v /= v.norm()
    V, alphas, betas = [v], [], []
    prev, beta = torch.zeros_like(v), 0.0
    for j in range(k):
        w = op(V[-1]) - beta * prev
        a = torch.dot(w, V[-1])
        w = w - a * V[-1]
        for u in V:  # full re-orthogonalisation
            w = w - torch.dot(w, u) * u
        alphas.append(a.item())
        beta = w.norm()
        if j < k - 1:
            prev = V[-1]
            V.append(w / beta)
            betas.append(beta.item())
    return np.diag(alphas) + np.diag(betas, 1) + np.diag(betas, -1)


def main():
    model = resnet18(weights=None, num_classes=10).to(device)
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.momentum = 0.5  # few warm-up steps, statistics must settle fast
    loss = nn.CrossEntropyLoss()
    batches = make_batches()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True, weight_decay=5e-4)
    model.train()
    for i in range(WARM_STEPS):
        x, y = batches[i % N_BATCHES]
        l = loss(model(x.to(device)), y.to(device))
        opt.zero_grad()
        l.backward()
        opt.step()
        print(f"warm {i} loss {l.item():.4f}")
    opt.zero_grad(set_to_none=True)
    model.eval()  # use running statistics, the Hessian of a deterministic function
    op = HVP(model, loss, batches)
    n = sum(p.numel() for p in op.params)
    t = time.time()
    T = lanczos(op, n, LANCZOS_ITERS)
    ev, U = np.linalg.eigh(np.nan_to_num(T))
    print("Ritz values", np.round(ev, 3))
    print("weights", np.round(U[0] ** 2, 3))
    # Hutchinson trace with two probes
    tr = []
    for _ in range(2):
        z = torch.randint(0, 2, (n,), device=device).float() * 2 - 1
        tr.append(torch.dot(z, op(z)).item())
    print("trace", np.mean(tr), "calls", op.calls, f"{time.time() - t:.1f}s")
    print("allocated peak", torch.cuda.max_memory_allocated() // 2**20, "reserved", torch.cuda.max_memory_reserved() // 2**20)


if __name__ == "__main__":
    main()
