#!/usr/bin/env python
"""Fine-tuning style run of ConvNeXt-Small: layer-wise lr decay, stochastic depth, label smoothing."""
import argparse
import math
import os
import tempfile

import timm
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import param_groups_layer_decay
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, steps, batch, size, classes, seed):
        self.args = (steps, batch, size, classes)
        self.seed = seed

    def __iter__(self):
        steps, batch, size, classes = self.args
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(steps):
            y = torch.randint(classes, (batch,), generator=g)
            x = torch.randn(batch, 3, size, size, generator=g) + y.view(-1, 1, 1, 1) / classes
            yield x, y


def lr_at(step, total, base, warmup):
    if step < warmup:
        return base * (step + 1) / warmup
    t = (step - warmup) / max(1, total - warmup)
    return 0.5 * base * (1 + math.cos(math.pi * t))


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    c1 = c5 = n = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        top = model(x).topk(5, dim=1).indices
        hits = top.eq(y[:, None])
        c1 += hits[:, 0].sum().item()
        c5 += hits.any(1).sum().item()
        n += len(y)
    return 100 * c1 / n, 100 * c5 / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--model", default="convnext_small")
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--size", type=int, default=224)
    ap.add_argument("--steps", type=int, default=4)
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--layer-decay", type=float, default=0.8)
    ap.add_argument("--clip", type=float, default=5.0)
    args = ap.parse_args()

    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    classes = 37
    model = timm.create_model(args.model, pretrained=False, num_classes=classes, drop_path_rate=0.2).to(device)
    groups = param_groups_layer_decay(model, weight_decay=0.05, layer_decay=args.layer_decay)
    opt = torch.optim.AdamW(groups, lr=args.lr, betas=(0.9, 0.999))
    crit = LabelSmoothingCrossEntropy(0.1)

    train = DataLoader(Stream(args.steps, args.batch, args.size, classes, 0), batch_size=None)
    val = DataLoader(Stream(2, args.batch, args.size, classes, 1), batch_size=None)

    model.train()
    for step, (x, y) in enumerate(train):
        lr = lr_at(step, args.steps, args.lr, 2)
        for g in opt.param_groups:
            g["lr"] = lr * g.get("lr_scale", 1.0)
        x, y = x.to(device), y.to(device)
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        opt.step()
        print(f"{step:3d} loss {loss.item():.4f} |g| {norm:.2f} lr {lr:.2e}")

    print("val top1 %.2f top5 %.2f" % validate(model, val, device))
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "last.pth")
        torch.save(model.state_dict(), path)
        model.load_state_dict(torch.load(path, map_location=device))
    print("reloaded, val top1 %.2f top5 %.2f" % validate(model, val, device))


if __name__ == "__main__":
    main()
