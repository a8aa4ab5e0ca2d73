import torch
import torch.nn as nn
import torch.nn.functional as F

"""MLP-Mixer trained with home made optimizers: Lion wrapped in SAM, plus SWA weights at the end."""


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["m"] = torch.zeros_like(p)
                m = state["m"]
                p.mul_(1 - group["lr"] * group["weight_decay"])
                update = m * b1 + p.grad * (1 - b1)
                p.add_(update.sign_(), alpha=-group["lr"])
                m.mul_(b2).add_(p.grad, alpha=1 - b2)


class SAM:
    def __init__(self, base, rho=0.05):
        self.base, self.rho = base, rho
        self.params = [p for g in base.param_groups for p in g["params"]]
        self.backup = {}

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params if p.grad is not None]).norm()
        for p in self.params:
            if p.grad is not None:
                self.backup[p] = p.clone()
                p.add_(p.grad * (self.rho / (norm + 1e-12)))
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            if p in self.backup:
                p.copy_(self.backup[p])
        self.backup.clear()
        self.base.step()
        self.base.zero_grad()


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim, tok_hidden, ch_hidden):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tok = nn.Sequential(nn.Linear(tokens, tok_hidden), nn.GELU(), nn.Linear(tok_hidden, tokens))
        self.ch = nn.Sequential(nn.Linear(dim, ch_hidden), nn.GELU(), nn.Linear(ch_hidden, dim))

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ch(self.n2(x))


class Mixer(nn.Module):
    def __init__(self, image=224, patch=16, dim=512, depth=8, classes=200):
        super().__init__()
        tokens = (image // patch) ** 2
        self.stem = nn.Conv2d(3, dim, patch, patch)
        self.blocks = nn.Sequential(*[MixerBlock(tokens, dim, 256, 2048) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.stem(x).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.blocks(x)).mean(1))


BATCH = 96
torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = Mixer().to(device)
swa = torch.optim.swa_utils.AveragedModel(model)
opt = SAM(Lion(model.parameters(), lr=1e-4, weight_decay=0.1), rho=0.05)

for step in range(4):
    x = torch.randn(BATCH, 3, 224, 224, device=device)
    y = torch.randint(0, 200, (BATCH,), device=device)
    loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
    loss.backward()
    opt.ascend()
    second = F.cross_entropy(model(x), y, label_smoothing=0.1)
    second.backward()
    opt.descend()
    if step >= 2:
        swa.update_parameters(model)
    print(f"step {step} loss {loss.item():.4f} sharpened {second.item():.4f}")

swa.eval()
with torch.no_grad():
    x = torch.randn(2 * BATCH, 3, 224, 224, device=device)
    p = swa(x).softmax(-1)
    print("mean entropy", -(p * p.log()).sum(-1).mean().item())
