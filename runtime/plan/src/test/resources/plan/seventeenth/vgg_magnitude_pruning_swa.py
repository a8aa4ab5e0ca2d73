# Iterative global magnitude pruning of VGG-11-BN, fine-tuning after each round, then SWA of the final model.
import gc
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import vgg11_bn

SIZE = 96
BATCH = 64
IMAGES = 128
ROUNDS = [0.3, 0.6]
CLASSES = 50
DEVICE = "cuda"


def build():
    m = vgg11_bn(weights=None, num_classes=CLASSES)
    m.avgpool = nn.AdaptiveAvgPool2d(3)
    m.classifier = nn.Sequential(nn.Linear(512 * 9, 1024), nn.ReLU(True), nn.Dropout(), nn.Linear(1024, CLASSES))
    return m.to(DEVICE)


def prunable(m):
    return [(x, "weight") for x in m.modules() if isinstance(x, (nn.Conv2d, nn.Linear))]


def sparsity(m):
    z = t = 0
    for mod, _ in prunable(m):
        z += (mod.weight == 0).sum().item()
        t += mod.weight.numel()
    return z / t


def epoch(model, loader, opt, sched=None):
    model.train()
    s = 0.0
    for x, y in loader:
        x, y = x.to(DEVICE), y.to(DEVICE)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        s += loss.item()
    if sched is not None:
        sched.step()
    return s / len(loader)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    return sum((model(x.to(DEVICE)).argmax(1).cpu() == y).sum().item() for x, y in loader) / IMAGES


def mem(tag):
    print(f"   [{tag}] now {torch.cuda.memory_allocated() / 2**20:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(404)
    data = TensorDataset(torch.randn(IMAGES, 3, SIZE, SIZE), torch.randint(CLASSES, (IMAGES,)))
    loader = DataLoader(data, batch_size=BATCH, shuffle=True)
    model = build()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-4)
    print("dense loss", round(epoch(model, loader, opt), 4))
    mem("dense")
    for i, amount in enumerate(ROUNDS):
        for g in opt.param_groups:
            g["lr"] *= 0.5
        prune.global_unstructured(prunable(model), pruning_method=prune.L1Unstructured, amount=amount)
        # pruning re-creates the parameters as weight_orig; the optimizer must be built anew
        opt = torch.optim.SGD(model.parameters(), lr=opt.param_groups[0]["lr"], momentum=0.9, weight_decay=5e-4)
        gc.collect()
        torch.cuda.empty_cache()
        loss = epoch(model, loader, opt)
        print(f"round {i}: sparsity {sparsity(model):.3f} loss {loss:.4f} acc {accuracy(model, loader):.3f}")
        mem(f"round {i}")

    for mod, name in prunable(model):
        prune.remove(mod, name)
    masks = {n: (p != 0) for n, p in model.named_parameters() if p.ndim > 1}
    for n, p in model.named_parameters():
        if n in masks:   # keep zeros at zero in the SWA phase
            p.register_hook(lambda g, m=masks[n]: g * m)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    swa = AveragedModel(model)
    swa_sched = SWALR(opt, swa_lr=0.005, anneal_epochs=1)
    for _ in range(2):
        epoch(model, loader, opt, swa_sched)
        swa.update_parameters(model)
    update_bn(loader, swa, device=DEVICE)
    print(f"swa acc {accuracy(swa, loader):.3f} sparsity {sparsity(swa.module):.3f}")
    mem("swa")
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "m.pt")
        sparse = {k: v.to_sparse().cpu() if v.ndim > 1 else v.cpu() for k, v in swa.module.state_dict().items()}
        torch.save(sparse, path)
        print("file MB", os.path.getsize(path) // 10**6)


if __name__ == "__main__":
    main()
