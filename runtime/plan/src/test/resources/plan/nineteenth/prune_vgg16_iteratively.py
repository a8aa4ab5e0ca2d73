"""Iterative magnitude pruning of VGG16-BN with short recovery phases; input prefetched on a side CUDA stream."""
import time

import torch
import torch.nn as nn
import torch.nn.utils.prune as prune
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import vgg16_bn

DEV = "cuda"
BATCH, SIDE, PER_ROUND, ROUNDS = 16, 128, 3, 3
AMOUNT = 0.3
CLASSES = 20


class Prefetcher:
    """The next batch is copied (and normalised) while the current one is being computed."""

    def __init__(self, loader):
        self.loader = loader
        self.stream = torch.cuda.Stream()

    def __iter__(self):
        self.it = iter(self.loader)
        self._preload()
        return self

    def _preload(self):
        try:
            x, y = next(self.it)
        except StopIteration:
            self.x = self.y = None
            return
        with torch.cuda.stream(self.stream):
            self.x = x.to(DEV, non_blocking=True).float().sub_(127.5).div_(64)
            self.y = y.to(DEV, non_blocking=True)

    def __next__(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        x, y = self.x, self.y
        if x is None:
            raise StopIteration
        x.record_stream(torch.cuda.current_stream())
        y.record_stream(torch.cuda.current_stream())
        self._preload()
        return x, y


def prunable(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    z = sum((m.weight == 0).sum().item() for m, _ in prunable(model))
    return z / sum(m.weight.numel() for m, _ in prunable(model))


def train(model, data, opt, crit):
    model.train()
    losses = []
    for x, y in data:
        opt.zero_grad(set_to_none=True)
        loss = crit(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()


@torch.no_grad()
def accuracy(model, data):
    model.eval()
    hits = torch.cat([(model(x).argmax(1) == y).float() for x, y in data])
    return hits.mean().item()


def dataset(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(CLASSES, (n,), generator=g)
    x = torch.randint(0, 200, (n, 3, SIDE, SIDE), generator=g, dtype=torch.uint8)
    x[torch.arange(n), y % 3, :, : 8 * 4] += (y * 2).to(torch.uint8)[:, None, None]
    return TensorDataset(x, y)


def main():
    torch.manual_seed(4)
    model = vgg16_bn(weights=None, num_classes=CLASSES, dropout=0.3)
    # a slimmer classifier: the original one has 120M weights
    model.avgpool = nn.AdaptiveAvgPool2d(2)
    model.classifier = nn.Sequential(
        nn.Linear(512 * 4, 1024), nn.ReLU(True), nn.Dropout(0.3), nn.Linear(1024, CLASSES))
    model.to(DEV)
    loader = DataLoader(dataset(BATCH * PER_ROUND, 1), BATCH, shuffle=True, pin_memory=True)
    test = DataLoader(dataset(BATCH * 2, 2), BATCH * 2, pin_memory=True)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    crit = nn.CrossEntropyLoss()
    t0 = time.time()
    print(f"dense     loss {train(model, Prefetcher(loader), opt, crit):.3f}")
    for r in range(ROUNDS):
        if r < ROUNDS - 1:
            prune.global_unstructured(prunable(model), pruning_method=prune.L1Unstructured, amount=AMOUNT)
        else:  # the last round removes filters
            for m in model.features:
                if isinstance(m, nn.Conv2d) and m.out_channels >= 256:
                    prune.ln_structured(m, "weight", amount=0.25, n=2, dim=0)
        # parameters were renamed to weight_orig: a new optimizer
        opt = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9, weight_decay=1e-4)
        loss = train(model, Prefetcher(loader), opt, crit)
        print(f"round {r}   loss {loss:.3f} acc {accuracy(model, Prefetcher(test)):.3f} sparsity {sparsity(model):.3f} "
              f"mem {torch.cuda.memory_allocated() / 2**20:.0f}/{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    for m, name in prunable(model):
        if prune.is_pruned(m):
            prune.remove(m, name)
    torch.cuda.empty_cache()
    print(f"permanent acc {accuracy(model, Prefetcher(test)):.3f} sparsity {sparsity(model):.3f} "
          f"now {torch.cuda.memory_allocated() / 2**20:.0f} MiB, {time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()
