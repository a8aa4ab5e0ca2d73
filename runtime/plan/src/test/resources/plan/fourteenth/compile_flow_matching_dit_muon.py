"""Rectified flow with a small DiT, torch.compile on the blocks, Muon (Newton-Schulz) for matrices and AdamW for the rest."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(123)
torch.set_float32_matmul_precision("high")
DEV = "cuda"
BATCH = 64
RES = 32
PATCH = 2
DIM = 384
DEPTH = 4
STEPS = 5


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95, ns=5):
        super().__init__(params, dict(lr=lr, momentum=momentum, ns=ns))

    @staticmethod
    def orthogonalise(g, steps):
        a, b, c = 3.4445, -4.7750, 2.0315
        x = g.bfloat16()
        x = x / (x.norm() + 1e-7)
        tr = x.size(0) > x.size(1)
        x = x.T if tr else x
        for _ in range(steps):
            A = x @ x.T
            x = a * x + (b * A + c * A @ A) @ x
        return (x.T if tr else x).to(g.dtype)

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                st = self.state[p]
                if "buf" not in st:
                    st["buf"] = torch.zeros_like(p)
                st["buf"].mul_(g["momentum"]).add_(p.grad)
                upd = self.orthogonalise(p.grad + g["momentum"] * st["buf"], g["ns"])
                p.add_(upd, alpha=-g["lr"] * max(1, p.size(0) / p.size(1)) ** 0.5)


class Block(nn.Module):
    def __init__(self, d, heads=6):
        super().__init__()
        self.h = heads
        self.n1, self.n2 = nn.LayerNorm(d, elementwise_affine=False), nn.LayerNorm(d, elementwise_affine=False)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.w1, self.w2, self.w3 = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d), nn.Linear(2 * d, d)
        self.ada = nn.Linear(d, 6 * d)
        nn.init.zeros_(self.ada.weight)

    def forward(self, x, c):
        s1, b1, g1, s2, b2, g2 = self.ada(F.silu(c))[:, None].chunk(6, -1)
        B, N, D = x.shape
        q, k, v = self.qkv(self.n1(x) * (1 + s1) + b1).view(B, N, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        q, k = F.normalize(q, dim=-1) * 8, F.normalize(k, dim=-1)
        y = F.scaled_dot_product_attention(q, k, v.to(q.dtype), scale=1.0).transpose(1, 2).reshape(B, N, D)
        x = x + g1 * self.proj(y)
        h = self.n2(x) * (1 + s2) + b2
        return x + g2 * self.w3(F.silu(self.w1(h)) * self.w2(h))


class DiT(nn.Module):
    def __init__(self):
        super().__init__()
        n = (RES // PATCH) ** 2
        self.patch = nn.Conv2d(4, DIM, PATCH, PATCH)
        self.pos = nn.Parameter(torch.randn(1, n, DIM) * 0.02)
        self.t = nn.Sequential(nn.Linear(1, DIM), nn.SiLU(), nn.Linear(DIM, DIM))
        self.cls = nn.Embedding(11, DIM)
        self.blocks = nn.ModuleList(Block(DIM) for _ in range(DEPTH))
        self.out = nn.Linear(DIM, 4 * PATCH**2)

    def forward(self, x, t, y):
        c = self.t(t[:, None]) + self.cls(y)
        h = self.patch(x).flatten(2).transpose(1, 2) + self.pos
        for b in self.blocks:
            h = b(h, c)
        g = RES // PATCH
        return F.pixel_shuffle(self.out(h).transpose(1, 2).reshape(len(x), -1, g, g), PATCH)


model = DiT().to(DEV)
for i in range(DEPTH):
    model.blocks[i].compile(dynamic=False)
mats = [p for p in model.blocks.parameters() if p.ndim == 2]
mid = {id(p) for p in mats}
opts = [Muon(mats, lr=0.01), torch.optim.AdamW([p for p in model.parameters() if id(p) not in mid], lr=3e-4)]
for step in range(STEPS):
    y = torch.randint(0, 10, (BATCH,), device=DEV)
    x1 = torch.randn(BATCH, 4, RES, RES, device=DEV) * 0.3 + y.view(-1, 1, 1, 1) / 5 - 1
    x0, t = torch.randn_like(x1), torch.sigmoid(torch.randn(BATCH, device=DEV))
    tt = t.view(-1, 1, 1, 1)
    y = torch.where(torch.rand(BATCH, device=DEV) < 0.1, 10, y)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        v = model((1 - tt) * x0 + tt * x1, t, y)
    loss = F.mse_loss(v.float(), x1 - x0)
    loss.backward()
    for o in opts:
        o.step()
        o.zero_grad(set_to_none=True)
    print(f"{step} {loss.item():.4f}")
print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)
