"""Iterative magnitude pruning with rewinding on VGG-16-BN (64x64 images) using torch.nn.utils.prune."""
import argparse
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune
from torchvision.models import vgg16_bn


def get_prunable(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    zero = total = 0
    for m, _ in get_prunable(model):
        zero += int((m.weight == 0).sum())
        total += m.weight.numel()
    return zero / total


def batches(n, bs, classes, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        yield (torch.randn(bs, 3, 64, 64, generator=g).to("cuda"),
               torch.randint(0, classes, (bs,), generator=g).to("cuda"))


def train_round(model, steps, args, seed):
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=max(1, steps // 2), gamma=0.1)
    model.train()
    for x, y in batches(steps, args.batch, args.classes, seed):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
    return loss.item()


@torch.no_grad()
def accuracy(model, args):
    model.eval()
    good = n = 0
    for x, y in batches(2, args.batch * 2, args.classes, seed=999):
        good += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    return good / n


def rewind(model, early):
    """Reset the surviving weights to their early values, keep the masks."""
    with torch.no_grad():
        for name, m in model.named_modules():
            if hasattr(m, "weight_orig"):
                m.weight_orig.copy_(early[name + ".weight"])
            elif isinstance(m, nn.BatchNorm2d):
                m.weight.copy_(early[name + ".weight"])
                m.bias.copy_(early[name + ".bias"])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--classes", type=int, default=100)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--amount", type=float, default=0.35)
    ap.add_argument("--steps", type=int, default=2)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()
    torch.manual_seed(16)

    model = vgg16_bn(weights=None, num_classes=args.classes)
    model.avgpool = nn.AdaptiveAvgPool2d(2)
    model.classifier = nn.Sequential(nn.Linear(512 * 4, 1024), nn.ReLU(True), nn.Dropout(0.3),
                                     nn.Linear(1024, args.classes))
    model = model.to("cuda")
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")

    train_round(model, 1, args, seed=0)
    early = copy.deepcopy(model.state_dict())
    for r in range(args.rounds):
        loss = train_round(model, args.steps, args, seed=r + 1)
        prune.global_unstructured(get_prunable(model), pruning_method=prune.L1Unstructured, amount=args.amount)
        print(f"round {r}: loss {loss:.3f} sparsity {sparsity(model):.3f} acc {accuracy(model, args):.3f} "
              f"mem {torch.cuda.memory_allocated() / 2**20:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f}")
        rewind(model, early)

    loss = train_round(model, args.steps, args, seed=50)
    for m, name in get_prunable(model):
        prune.remove(m, name)
    print(f"final loss {loss:.3f} sparsity {sparsity(model):.3f} acc {accuracy(model, args):.3f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
