"""Iterative magnitude pruning of VGG-11-BN (torch.nn.utils.prune), rewinding to the early weights."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import vgg11_bn


def prunable(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    zeros = total = 0
    for m, _ in prunable(model):
        zeros += (m.weight == 0).sum().item()
        total += m.weight.numel()
    return zeros / total


def rewind(model, saved):
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(saved[name.replace("_orig", "")].to(p.device))


def run_epoch(model, loader, opt, device, max_steps):
    model.train()
    last = 0.0
    for i, (x, y) in enumerate(loader):
        if i == max_steps:
            break
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        last = loss.item()
    return last


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    ok = sum((model(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in loader)
    return ok / len(loader.dataset)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--amount", type=float, default=0.3)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--size", type=int, default=96)
    ap.add_argument("--steps", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda")
    n = args.batch_size * args.steps
    train = DataLoader(TensorDataset(torch.randn(n, 3, args.size, args.size), torch.randint(0, 20, (n,))),
                       args.batch_size, shuffle=True)
    val = DataLoader(TensorDataset(torch.randn(40, 3, args.size, args.size), torch.randint(0, 20, (40,))), 40)
    model = vgg11_bn(weights=None, num_classes=20)
    model.avgpool = nn.AdaptiveAvgPool2d(3)  # 7x7 is more than a 96-pixel input can give
    model.classifier[0] = nn.Linear(512 * 3 * 3, 4096)
    model.to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loss = run_epoch(model, train, opt, device, args.steps)
    early = {k: v.detach().cpu().clone() for k, v in model.named_parameters()}
    print(f"dense loss {loss:.4f} acc {evaluate(model, val, device):.3f} "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    for r in range(args.rounds):
        prune.global_unstructured(prunable(model), pruning_method=prune.L1Unstructured, amount=args.amount)
        rewind(model, early)
        opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)  # parameters are now *_orig
        loss = run_epoch(model, train, opt, device, args.steps)
        print(f"round {r} sparsity {sparsity(model):.3f} loss {loss:.4f} acc {evaluate(model, val, device):.3f} "
              f"alloc {torch.cuda.memory_allocated() / 2**20:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    opt.zero_grad(set_to_none=True)
    for m, name in prunable(model):
        prune.remove(m, name)
    # finish with whole output channels of the last conv removed by norm
    last = [m for m in model.features if isinstance(m, nn.Conv2d)][-1]
    prune.ln_structured(last, "weight", amount=0.25, n=2, dim=0)
    prune.remove(last, "weight")
    print(f"final sparsity {sparsity(model):.3f} acc {evaluate(model, val, device):.3f}")
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "pruned.pt")
        torch.save({k: v.to_sparse() if v.is_floating_point() and v.ndim > 1 else v
                    for k, v in model.features.state_dict().items()}, path)
        print("sparse features file MB %.1f" % (os.path.getsize(path) / 1e6))


if __name__ == "__main__":
    main()
