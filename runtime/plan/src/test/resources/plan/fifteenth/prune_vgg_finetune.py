"""Iterative magnitude pruning of VGG16-BN (torch.nn.utils.prune) with short fine-tuning in between."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.utils.prune as prune
from torchvision.models import vgg16_bn


def get_args():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--img", type=int, default=128)
    p.add_argument("--classes", type=int, default=20)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--amount", type=float, default=0.3)
    p.add_argument("--ft-steps", type=int, default=2)
    p.add_argument("--fc", type=int, default=1024)
    return p.parse_args()


def prunable(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    zero = total = 0
    for m, name in prunable(model):
        w = getattr(m, name)
        zero += (w == 0).sum().item()
        total += w.numel()
    return zero / total


def finetune(model, opt, steps, args, device):
    model.train()
    criterion = nn.CrossEntropyLoss()
    for _ in range(steps):
        x = torch.randn(args.batch, 3, args.img, args.img, device=device)
        y = torch.randint(0, args.classes, (args.batch,), device=device)
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        args.scaler.scale(loss).backward()
        args.scaler.step(opt)
        args.scaler.update()
        opt.zero_grad()
    return loss.item()


@torch.no_grad()
def evaluate(model, args, device, batches=2):
    model.eval()
    hit = 0
    for _ in range(batches):
        x = torch.randn(args.batch, 3, args.img, args.img, device=device)
        y = torch.randint(0, args.classes, (args.batch,), device=device)
        hit += (model(x).argmax(1) == y).sum().item()
    return hit / (batches * args.batch)


def main():
    args = get_args()
    torch.manual_seed(404)
    device = torch.device("cuda")
    args.scaler = torch.amp.GradScaler(device="cuda")
    model = vgg16_bn(weights=None)
    model.avgpool = nn.AdaptiveAvgPool2d(2)
    model.classifier = nn.Sequential(nn.Linear(512 * 4, args.fc), nn.ReLU(True), nn.Dropout(), nn.Linear(args.fc, args.classes))
    model.to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-4, weight_decay=1e-5)
    print(f"dense: loss {finetune(model, opt, args.ft_steps, args, device):.4f} acc {evaluate(model, args, device):.3f}")

    for r in range(args.rounds):
        prune.global_unstructured(prunable(model), pruning_method=prune.L1Unstructured, amount=args.amount)
        # weight_orig is the same parameter object, so the optimizer state survives
        loss = finetune(model, opt, args.ft_steps, args, device)
        print(f"round {r}: sparsity {sparsity(model):.3f} loss {loss:.4f} acc {evaluate(model, args, device):.3f} "
              f"mem {torch.cuda.memory_allocated() / 2**20:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # one structured round on the widest layers, then make it permanent
    for m in model.features:
        if isinstance(m, nn.Conv2d) and m.out_channels == 512:
            prune.ln_structured(m, "weight", amount=0.25, n=2, dim=0)
    for m, name in prunable(model):
        if prune.is_pruned(m):
            prune.remove(m, name)
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "pruned.pt")
        torch.save({k: v.to_sparse() if v.ndim == 4 else v for k, v in model.state_dict().items()}, path)
        print(f"sparsity {sparsity(model):.3f}, file {os.path.getsize(path) / 2**20:.0f} MiB")
    print(f"final peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
