"""Iterative magnitude pruning of a RegNet with torch.nn.utils.prune, then SWA with batch-norm re-estimation."""
import io

import torch
import torch.nn as nn
import torch.nn.utils.prune as prune
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torchvision.models import regnet_y_1_6gf

ROUNDS = 2
PER_ROUND = 2
SWA_STEPS = 3
AMOUNT = 0.4
BATCH, SIZE, CLASSES = 48, 160, 20

torch.backends.cudnn.benchmark = True


def conv_weights(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    zero = total = 0
    for m, name in conv_weights(model):
        w = getattr(m, name)
        zero += (w == 0).sum().item()
        total += w.numel()
    return zero / total


class Stream:
    """re-iterable source, used by training as well as by update_bn"""

    def __init__(self, n, seed, device):
        self.n, self.seed, self.device = n, seed, device

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.n):
            y = torch.randint(0, CLASSES, (BATCH,), generator=g)
            x = torch.randn(BATCH, 3, SIZE, SIZE, generator=g)
            x[:, 0] += y.view(-1, 1, 1) / CLASSES
            yield x.to(self.device), y.to(self.device)


def run(model, source, opt, sched=None):
    model.train()
    total, n = 0.0, 0
    for x, y in source:
        loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if sched is not None:
            sched.step()
        total, n = total + loss.item(), n + 1
    return total / n


@torch.no_grad()
def accuracy(model, source):
    model.eval()
    hits = [(model(x).argmax(1) == y).float().mean().item() for x, y in source]
    return sum(hits) / len(hits)


def state_size(model):
    buf = io.BytesIO()
    torch.save({k: v.to_sparse() if v.ndim > 1 else v for k, v in model.state_dict().items()}, buf)
    return buf.tell() / 2**20


def main():
    torch.manual_seed(12)
    device = torch.device("cuda")
    model = regnet_y_1_6gf(weights=None, num_classes=CLASSES).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-5)
    val = Stream(2, 900, device)
    print(f"dense loss {run(model, Stream(PER_ROUND, 0, device), opt):.4f}")

    for r in range(ROUNDS):
        prune.global_unstructured(conv_weights(model), pruning_method=prune.L1Unstructured, amount=AMOUNT)
        # parametrisation changed on the first round: rebuild the optimizer
        opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-5)
        loss = run(model, Stream(PER_ROUND, r + 1, device), opt)
        print(f"round {r} sparsity {sparsity(model):.3f} loss {loss:.4f} acc {accuracy(model, val):.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    for m, name in conv_weights(model):
        prune.remove(m, name)
    masks = [(p, (p != 0)) for m, _ in conv_weights(model) for p in [m.weight]]
    swa = AveragedModel(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    swalr = SWALR(opt, swa_lr=0.005, anneal_epochs=2)
    for s in range(SWA_STEPS):
        loss = run(model, Stream(1, 50 + s, device), opt)
        with torch.no_grad():
            for p, m in masks:
                p.mul_(m)
        swa.update_parameters(model)
        swalr.step()
        print(f"swa {s} loss {loss:.4f} lr {swalr.get_last_lr()[0]:.4f}")
    update_bn(Stream(2, 50, device), swa)
    print(f"swa acc {accuracy(swa, val):.3f} sparsity {sparsity(swa.module):.3f} stored {state_size(swa.module):.1f} MiB")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
