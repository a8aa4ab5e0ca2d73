"""Normalising flow on images with reversible coupling blocks. Activations inside a scale
are not stored: a custom autograd.Function inverts each block in the backward pass."""
import math
import torch
import torch.nn as nn

torch.manual_seed(5)
BATCH = 96
SIZE = 64
HIDDEN = 192
BLOCKS = 10
ITERS = 4
DEV = "cuda"


class Coupling(nn.Module):
    def __init__(self, c, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(c // 2, hidden, 3, padding=1), nn.GELU(), nn.Conv2d(hidden, hidden, 1), nn.GELU(),
                                 nn.Conv2d(hidden, c, 3, padding=1))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def st(self, a):
        s, t = self.net(a).chunk(2, 1)
        return 0.8 * torch.tanh(s), t

    def forward(self, x):
        a, b = x.chunk(2, 1)
        s, t = self.st(a)
        y = b * s.exp() + t
        return torch.cat([y, a], 1), s.flatten(1).sum(1)   # halves swapped

    def inverse(self, z):
        y, a = z.chunk(2, 1)
        s, t = self.st(a)
        return torch.cat([a, (y - t) * (-s).exp()], 1)


class ReversibleStack(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, blocks, *params):
        ctx.blocks = blocks
        logdet = x.new_zeros(len(x))
        with torch.no_grad():
            for b in blocks:
                x, ld = b(x)
                logdet = logdet + ld
        ctx.save_for_backward(x)
        return x, logdet

    @staticmethod
    def backward(ctx, gx, gld):
        (z,) = ctx.saved_tensors
        grads = []
        for b in reversed(ctx.blocks):
            with torch.no_grad():
                x = b.inverse(z)
            ps = list(b.parameters())
            with torch.enable_grad():
                x = x.detach().requires_grad_(True)
                y, ld = b(x)
                g = torch.autograd.grad((y, ld), (x, *ps), (gx, gld))
            gx, z = g[0], x.detach()
            grads = list(g[1:]) + grads
        return (gx, None, *grads)


class Scale(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.blocks = nn.ModuleList(Coupling(c, HIDDEN) for _ in range(BLOCKS))
        w, _ = torch.linalg.qr(torch.randn(c, c))
        self.mix = nn.Parameter(w)

    def forward(self, x):
        H, W = x.shape[-2:]
        ld0 = torch.linalg.slogdet(self.mix)[1] * H * W
        x = torch.einsum("oc,bchw->bohw", self.mix, x).contiguous()
        x, ld = ReversibleStack.apply(x, list(self.blocks), *[p for b in self.blocks for p in b.parameters()])
        return x, ld + ld0


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.squeeze = nn.PixelUnshuffle(2)
        self.s1, self.s2, self.s3 = Scale(12), Scale(24), Scale(48)

    def forward(self, x):
        zs, ld = [], 0.0
        x = self.squeeze(x)
        for s in (self.s1, self.s2):
            x, l = s(x)
            ld = ld + l
            x, z = x.chunk(2, 1)
            zs.append(z)
            x = self.squeeze(x)
        x, l = self.s3(x)
        zs.append(x)
        return zs, ld + l


def gaussian_logp(z):
    return -0.5 * (z.pow(2) + math.log(2 * math.pi)).flatten(1).sum(1)


flow = Flow().to(DEV)
opt = torch.optim.Adamax(flow.parameters(), lr=1e-3)
ndim = 3 * SIZE * SIZE
for it in range(ITERS):
    base = torch.rand(BATCH, 3, 4, 4, device=DEV)
    img = nn.functional.interpolate(base, size=SIZE, mode="bilinear")
    x = (torch.floor(img * 31) + torch.rand_like(img)) / 32  # dequantise 5-bit
    zs, ld = flow(x - 0.5)
    logp = sum(gaussian_logp(z) for z in zs) + ld
    loss = -logp.mean() / ndim
    opt.zero_grad(set_to_none=True)
    loss.backward()
    gn = nn.utils.clip_grad_norm_(flow.parameters(), 50.0)
    opt.step()
    bpd = loss.item() / math.log(2) + 5
    print(f"it {it} bits/dim {bpd:.3f} grad {gn.item():.2f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f}MiB")

with torch.no_grad():
    b = flow.s1.blocks[0]
    v = torch.randn(4, 12, 32, 32, device=DEV)
    print("inversion error", (b.inverse(b(v)[0]) - v).abs().max().item())
