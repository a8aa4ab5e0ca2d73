"""torch.compile'd MLP-Mixer with a fused optimizer; static shapes only, last batch dropped."""
import os
import tempfile
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

IMG, PATCH, DIM, DEPTH, CLASSES = 128, 16, 512, 3, 64
BATCH, STEPS = 256, 8
device = "cuda"


class Mlp(nn.Module):
    def __init__(self, d, hidden):
        super().__init__()
        self.a, self.b = nn.Linear(d, hidden), nn.Linear(hidden, d)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


class MixerBlock(nn.Module):
    def __init__(self, tokens, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.tok, self.ch = Mlp(tokens, 256), Mlp(d, 4 * d)

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ch(self.n2(x))


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, DIM, PATCH, PATCH)
        n = (IMG // PATCH) ** 2
        self.blocks = nn.Sequential(*[MixerBlock(n, DIM) for _ in range(DEPTH)])
        self.norm, self.head = nn.LayerNorm(DIM), nn.Linear(DIM, CLASSES)

    def forward(self, x):
        x = self.stem(x).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.blocks(x)).mean(1))


def loaders():
    n = BATCH * STEPS // 2 + 37
    y = torch.randint(0, CLASSES, (n,))
    x = torch.randn(n, 3, IMG, IMG).add_(0.01 * y.view(-1, 1, 1, 1).float())
    return DataLoader(TensorDataset(x, y), batch_size=BATCH, shuffle=True, drop_last=True, pin_memory=True)


def main():
    torch.manual_seed(61)
    torch.set_float32_matmul_precision("high")
    model = Mixer().to(device)
    fast = torch.compile(model, dynamic=False)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1, fused=True)
    sched = torch.optim.lr_scheduler.SequentialLR(
        opt, [torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=2),
              torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)], milestones=[2])
    loader, step = loaders(), 0
    model.train()
    while step < STEPS:
        for x, y in loader:
            t = time.perf_counter()
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = F.cross_entropy(fast(x), y, label_smoothing=0.1)
            loss.backward()
            opt.step()
            opt.zero_grad(set_to_none=True)
            sched.step()
            print(f"step {step} loss {loss.item():.4f} {1e3 * (time.perf_counter() - t):.0f} ms "
                  f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
            step += 1
            if step == STEPS:
                break
    with tempfile.TemporaryDirectory() as d:
        torch.save(model.state_dict(), os.path.join(d, "mixer.pt"))
        again = Mixer().to(device)
        again.load_state_dict(torch.load(os.path.join(d, "mixer.pt"), map_location=device, weights_only=True))
    again.eval()
    with torch.no_grad():
        print("eager reload loss", F.cross_entropy(again(x), y).item())


if __name__ == "__main__":
    main()
