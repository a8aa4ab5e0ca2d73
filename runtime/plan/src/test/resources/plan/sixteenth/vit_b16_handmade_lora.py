"""LoRA written by hand, put into torchvision's ViT-B/16; only adapters and the head are trained."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import vit_b_16

RANK, ALPHA = 8, 16
BATCH, STEPS, CLASSES = 24, 6, 102
IMAGE = 224


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=RANK, alpha=ALPHA, p=0.1):
        super().__init__()
        self.base = base
        for q in self.base.parameters():
            q.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale = alpha / r
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.base(x) + F.linear(F.linear(self.drop(x), self.A), self.B) * self.scale

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.scale * self.B @ self.A
        return self.base


def replace_linears(module, names):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear) and not isinstance(child, nn.modules.linear.NonDynamicallyQuantizableLinear):
            if any(n in name for n in names):
                setattr(module, name, LoRALinear(child))
        else:
            replace_linears(child, names)


def merge_all(module):
    for name, child in module.named_children():
        if isinstance(child, LoRALinear):
            setattr(module, name, child.merge())
        else:
            merge_all(child)


def synthetic_batch(gen):
    labels = torch.randint(0, CLASSES, (BATCH,), generator=gen)
    images = torch.randn(BATCH, 3, IMAGE, IMAGE, generator=gen) + labels.view(-1, 1, 1, 1) / CLASSES
    return images.to("cuda"), labels.to("cuda")


def main():
    torch.manual_seed(0)
    model = vit_b_16(weights=None, image_size=IMAGE)
    model.heads = nn.Linear(768, CLASSES)
    for p in model.parameters():
        p.requires_grad_(False)
    replace_linears(model.encoder, names=("0", "3"))  # the two MLP linears of each block
    for p in model.heads.parameters():
        p.requires_grad_(True)
    model.to("cuda")
    trainable = [p for p in model.parameters() if p.requires_grad]
    print("trainable", sum(p.numel() for p in trainable), "tensors", len(trainable))

    optimizer = torch.optim.AdamW(trainable, lr=1e-3, weight_decay=1e-2, foreach=False)
    scheduler = torch.optim.lr_scheduler.SequentialLR(
        optimizer,
        [torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=2),
         torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS - 2)],
        milestones=[2])
    gen = torch.Generator().manual_seed(0)
    model.train()
    for step in range(STEPS):
        x, y = synthetic_batch(gen)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(f"step {step}: loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.2e}")
    print("training peak MiB", torch.cuda.max_memory_allocated() // 2**20)

    merge_all(model)
    model.eval()
    torch.cuda.reset_peak_memory_stats()
    with torch.inference_mode():
        x, y = synthetic_batch(gen)
        acc = (model(x).argmax(-1) == y).float().mean().item()
    print("merged accuracy", acc, "inference peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
