"""LoRA written by hand around the qkv and mlp layers of a timm ViT; everything else frozen."""
import math
import re

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH, STEPS, EVAL_BATCHES = 32, 6, 2
MODEL = "vit_base_patch16_224"
IMG, DEPTH = 224, 12
RANK, ALPHA, P_DROP = 8, 16, 0.1
CLASSES = 102
PATTERN = re.compile(r"blocks\.\d+\.(attn\.qkv|mlp\.fc[12])$")
dev = torch.device("cuda")


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int, alpha: float, p: float):
        super().__init__()
        self.base = base
        self.A = nn.Parameter(torch.empty(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale = alpha / r
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.base(x) + F.linear(F.linear(self.drop(x), self.A), self.B) * self.scale

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.scale * (self.B @ self.A).to(self.base.weight.dtype)
        return self.base


def set_module(root, name, new):
    *path, last = name.split(".")
    for p in path:
        root = getattr(root, p)
    setattr(root, last, new)


def inject(model):
    for p in model.parameters():
        p.requires_grad_(False)
    hits = [(n, m) for n, m in model.named_modules() if isinstance(m, nn.Linear) and PATTERN.search(n)]
    for n, m in hits:
        set_module(model, n, LoRALinear(m, RANK, ALPHA, P_DROP))
    for p in model.head.parameters():
        p.requires_grad_(True)
    return len(hits)


def merge_all(model):
    for n, m in [(n, m) for n, m in model.named_modules() if isinstance(m, LoRALinear)]:
        set_module(model, n, m.merge())


def flowers(n_batches, seed):
    g = torch.Generator().manual_seed(seed)
    proto = torch.randn(CLASSES, 3, 7, 7, generator=torch.Generator().manual_seed(1234))
    for _ in range(n_batches):
        y = torch.randint(CLASSES, (BATCH,), generator=g)
        x = F.interpolate(proto[y], size=IMG, mode="nearest") + 0.5 * torch.randn(BATCH, 3, 1, IMG, generator=g)
        yield x.to(dev, non_blocking=True), y.to(dev, non_blocking=True)


@torch.no_grad()
def test(model):
    model.eval()
    right = 0
    for x, y in flowers(EVAL_BATCHES, 2):
        with torch.autocast(dev.type, dtype=torch.bfloat16):
            right += (model(x).argmax(-1) == y).sum().item()
    model.train()
    return right / (BATCH * EVAL_BATCHES)


def mb(x):
    return f"{x / 2**20:.0f} MiB"


def main():
    torch.manual_seed(8)
    model = timm.create_model(MODEL, pretrained=False, num_classes=CLASSES, img_size=IMG, depth=DEPTH)
    print("wrapped", inject(model), "layers")
    model.to(dev)
    print("weights", mb(torch.cuda.memory_allocated()))
    train_p = [p for p in model.parameters() if p.requires_grad]
    print(f"{sum(p.numel() for p in train_p)} trainable of {sum(p.numel() for p in model.parameters())}")
    opt = torch.optim.AdamW(train_p, lr=1e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.SequentialLR(
        opt,
        [torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=2),
         torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)],
        milestones=[2],
    )
    for i, (x, y) in enumerate(flowers(STEPS, 1)):
        with torch.autocast(dev.type, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"{i}: {loss.item():.4f}")
    before = test(model)
    print("peak while training", mb(torch.cuda.max_memory_allocated()))
    torch.cuda.reset_peak_memory_stats()
    opt.zero_grad(set_to_none=True)
    merge_all(model)
    after = test(model)
    print(f"accuracy {before:.3f}, merged {after:.3f}; peak while testing {mb(torch.cuda.max_memory_allocated())}")


if __name__ == "__main__":
    main()
