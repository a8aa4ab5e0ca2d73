# Diagonal state-space model (S4D) on pixel-by-pixel sequences; convolution through FFT, complex parameters.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

D_MODEL = 128
N_STATE = 64
N_LAYERS = 4
SEQ = 2048
BATCH = 16
STEPS = 5
CLASSES = 10
device = torch.device("cuda")


class S4DKernel(nn.Module):
    def __init__(self, d, n, dt_min=0.001, dt_max=0.1):
        super().__init__()
        log_dt = torch.rand(d) * (math.log(dt_max) - math.log(dt_min)) + math.log(dt_min)
        self.log_dt = nn.Parameter(log_dt)
        self.C = nn.Parameter(torch.view_as_real(torch.randn(d, n // 2, dtype=torch.cfloat)))
        self.log_A_real = nn.Parameter(torch.log(0.5 * torch.ones(d, n // 2)))
        self.A_imag = nn.Parameter(math.pi * torch.arange(n // 2).float().repeat(d, 1))
        for p in (self.log_dt, self.log_A_real, self.A_imag):
            p._no_decay = True

    def forward(self, L):
        dt = torch.exp(self.log_dt)
        C = torch.view_as_complex(self.C)
        A = torch.complex(-torch.exp(self.log_A_real), self.A_imag)
        dtA = A * dt.unsqueeze(-1)
        K = dtA.unsqueeze(-1) * torch.arange(L, device=A.device)
        C = C * (torch.exp(dtA) - 1.0) / A
        return 2 * torch.einsum("hn,hnl->hl", C, torch.exp(K)).real


class S4D(nn.Module):
    def __init__(self, d, n, dropout=0.1):
        super().__init__()
        self.kernel = S4DKernel(d, n)
        self.D = nn.Parameter(torch.randn(d))
        self.drop = nn.Dropout1d(dropout)
        self.out = nn.Sequential(nn.Conv1d(d, 2 * d, 1), nn.GLU(dim=-2))

    def forward(self, u):
        L = u.size(-1)
        k_f = torch.fft.rfft(self.kernel(L), n=2 * L)
        u_f = torch.fft.rfft(u, n=2 * L)
        y = torch.fft.irfft(u_f * k_f, n=2 * L)[..., :L]
        y = y + u * self.D.unsqueeze(-1)
        return self.out(self.drop(F.gelu(y)))


class S4Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(1, D_MODEL)
        self.layers = nn.ModuleList([S4D(D_MODEL, N_STATE) for _ in range(N_LAYERS)])
        self.norms = nn.ModuleList([nn.LayerNorm(D_MODEL) for _ in range(N_LAYERS)])
        self.decoder = nn.Linear(D_MODEL, CLASSES)

    def forward(self, x):
        x = self.encoder(x).transpose(-1, -2)
        for layer, norm in zip(self.layers, self.norms):
            x = norm((layer(x) + x).transpose(-1, -2)).transpose(-1, -2)
        return self.decoder(x.mean(-1))


def setup_optimizer(model, lr, wd, epochs):
    special = [p for p in model.parameters() if getattr(p, "_no_decay", False)]
    normal = [p for p in model.parameters() if not getattr(p, "_no_decay", False)]
    opt = torch.optim.AdamW([{"params": normal, "lr": lr, "weight_decay": wd},
                             {"params": special, "lr": min(lr, 1e-3), "weight_decay": 0.0}])
    return opt, torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)


def get_batch():
    y = torch.randint(0, CLASSES, (BATCH,), device=device)
    t = torch.arange(SEQ, device=device) / SEQ
    x = torch.sin(2 * math.pi * (y[:, None] + 1) * 4 * t) + 0.5 * torch.randn(BATCH, SEQ, device=device)
    return x.unsqueeze(-1), y


if __name__ == "__main__":
    torch.manual_seed(2222)
    model = S4Model().to(device)
    optimizer, scheduler = setup_optimizer(model, lr=0.01, wd=0.01, epochs=STEPS)
    print("params", sum(p.numel() for p in model.parameters()), "groups", [len(g["params"]) for g in optimizer.param_groups])
    for step in range(STEPS):
        model.train()
        x, y = get_batch()
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        acc = (logits.argmax(-1) == y).float().mean().item()
        print(f"step {step}: loss {loss.item():.4f} acc {acc:.2f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    with torch.no_grad():
        x, y = get_batch()
        print("eval acc", (model(x).argmax(-1) == y).float().mean().item())
