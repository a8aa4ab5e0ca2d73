"""Diagonal state-space (S4D) classifier on 1 s raw waveforms, FFT convolution, trained with SAM (two passes a step)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

LENGTH, D, N, LAYERS, CLASSES = 16000, 96, 32, 4, 35
BATCH, STEPS, RHO = 8, 4, 0.05


class S4D(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.log_dt = nn.Parameter(torch.rand(d) * (math.log(0.1) - math.log(0.001)) + math.log(0.001))
        self.log_a_real = nn.Parameter(torch.full((d, n // 2), math.log(0.5)))
        self.a_imag = nn.Parameter(math.pi * torch.arange(n // 2).float().repeat(d, 1))
        self.c = nn.Parameter(torch.randn(d, n // 2, 2) * 0.5**0.5)
        self.skip = nn.Parameter(torch.randn(d))
        self.mix = nn.Conv1d(d, 2 * d, 1)

    def kernel(self, L):
        dt = self.log_dt.exp()
        a = torch.complex(-self.log_a_real.exp(), self.a_imag)
        da = a * dt[:, None]
        c = torch.view_as_complex(self.c) * (da.exp() - 1) / a
        k = torch.exp(da[..., None] * torch.arange(L, device=dt.device))   # (d, n/2, L)
        return 2 * torch.einsum("dn,dnl->dl", c, k).real

    def forward(self, u):
        L = u.shape[-1]
        kf = torch.fft.rfft(self.kernel(L), n=2 * L)
        y = torch.fft.irfft(torch.fft.rfft(u, n=2 * L) * kf, n=2 * L)[..., :L]
        return F.glu(self.mix(F.gelu(y + u * self.skip[:, None])), dim=1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Conv1d(1, D, 1)
        self.ssm = nn.ModuleList(S4D(D, N) for _ in range(LAYERS))
        self.norm = nn.ModuleList(nn.LayerNorm(D) for _ in range(LAYERS))
        self.head = nn.Linear(D, CLASSES)

    def forward(self, x):
        x = self.enc(x)
        for s, n in zip(self.ssm, self.norm):
            x = x + F.dropout(s(n(x.transpose(1, 2)).transpose(1, 2)), 0.1, self.training)
        return self.head(x.mean(-1))


class SAM:
    def __init__(self, base, rho):
        self.base, self.rho = base, rho
        self.params = [p for g in base.param_groups for p in g["params"]]

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        self.eps = [p.grad * (self.rho / (norm + 1e-12)) for p in self.params]
        torch._foreach_add_(self.params, self.eps)
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        torch._foreach_sub_(self.params, self.eps)
        self.eps = None
        self.base.step()
        self.base.zero_grad()


def main():
    torch.manual_seed(35)
    dev = "cuda"
    model = Model().to(dev)
    ssm_names = ("log_dt", "log_a_real", "a_imag")
    slow = [p for n, p in model.named_parameters() if n.endswith(ssm_names)]
    rest = [p for n, p in model.named_parameters() if not n.endswith(ssm_names)]
    base = torch.optim.AdamW([{"params": slow, "lr": 1e-3, "weight_decay": 0.0}, {"params": rest}], lr=4e-3,
                             weight_decay=0.05)
    sam = SAM(base, RHO)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(base, STEPS)
    for it in range(STEPS):
        x = torch.randn(BATCH, 1, LENGTH, device=dev)
        y = torch.randint(0, CLASSES, (BATCH,), device=dev)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        sam.ascend()
        F.cross_entropy(model(x), y).backward()
        sam.descend()
        sched.step()
        print(f"{it}: {loss.item():.4f}  lr {sched.get_last_lr()[1]:.2e}")
    model.eval()
    with torch.no_grad():
        print("logits", model(torch.randn(24, 1, LENGTH, device=dev)).shape)
    print("peak", torch.cuda.max_memory_allocated() / 2**20, "MiB")


if __name__ == "__main__":
    main()
