# WRN-28-8 on 32x32 images with stochastic weight averaging.
# Batches are copied from pinned memory on a side stream while the previous one computes.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(28)
torch.backends.cudnn.benchmark = True

DEPTH, WIDEN, CLASSES = 28, 8, 100
BATCH = 96
STEPS_PER_EPOCH = 2
EPOCHS = 3
SWA_START = 1


class Wide(nn.Module):
    def __init__(self, ci, co, stride, drop):
        super().__init__()
        self.b1, self.c1 = nn.BatchNorm2d(ci), nn.Conv2d(ci, co, 3, stride, 1, bias=False)
        self.b2, self.c2 = nn.BatchNorm2d(co), nn.Conv2d(co, co, 3, 1, 1, bias=False)
        self.drop = drop
        self.short = nn.Conv2d(ci, co, 1, stride, bias=False) if ci != co or stride > 1 else None

    def forward(self, x):
        o = F.relu(self.b1(x), inplace=True)
        res = x if self.short is None else self.short(o)
        o = F.relu(self.b2(self.c1(o)), inplace=True)
        o = F.dropout(o, self.drop, self.training)
        return self.c2(o) + res


class WRN(nn.Module):
    def __init__(self):
        super().__init__()
        n = (DEPTH - 4) // 6
        widths = [16] + [16 * WIDEN * m for m in (1, 2, 4)]
        self.stem = nn.Conv2d(3, widths[0], 3, 1, 1, bias=False)
        blocks = []
        for i in range(3):
            for j in range(n):
                blocks.append(Wide(widths[i] if j == 0 else widths[i + 1], widths[i + 1],
                                   2 if i and j == 0 else 1, 0.2))
        self.blocks = nn.Sequential(*blocks)
        self.bn = nn.BatchNorm2d(widths[-1])
        self.fc = nn.Linear(widths[-1], CLASSES)

    def forward(self, x):
        x = F.relu(self.bn(self.blocks(self.stem(x))))
        return self.fc(x.mean((2, 3)))


class Prefetcher:
    """Yields batches already on the GPU; the copy of the next one runs on its own stream."""

    def __init__(self, loader):
        self.loader = loader
        self.stream = torch.cuda.Stream()

    def _load(self):
        try:
            x, y = next(self.it)
        except StopIteration:
            self.nx = None
            return
        with torch.cuda.stream(self.stream):
            self.nx = x.to("cuda", non_blocking=True).sub_(0.5).div_(0.25)
            self.ny = y.to("cuda", non_blocking=True)

    def __iter__(self):
        self.it = iter(self.loader)
        self._load()
        while self.nx is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            x, y = self.nx, self.ny
            x.record_stream(torch.cuda.current_stream())
            y.record_stream(torch.cuda.current_stream())
            self._load()
            yield x, y


def make_loader(n, seed, shuffle):
    g = torch.Generator().manual_seed(seed)
    ds = TensorDataset(torch.rand(n, 3, 32, 32, generator=g), torch.randint(0, CLASSES, (n,), generator=g))
    return DataLoader(ds, BATCH, shuffle=shuffle, pin_memory=True, drop_last=True)


@torch.no_grad()
def test(net, loader):
    net.eval()
    return sum((net(x).argmax(1) == y).float().mean().item() for x, y in Prefetcher(loader)) / len(loader)


if __name__ == "__main__":
    net = WRN().to("cuda")
    swa = AveragedModel(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)
    swalr = SWALR(opt, swa_lr=0.05, anneal_epochs=1)
    train, valid = make_loader(BATCH * STEPS_PER_EPOCH, 0, True), make_loader(BATCH * 2, 1, False)
    for epoch in range(EPOCHS):
        net.train()
        for x, y in Prefetcher(train):
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        if epoch >= SWA_START:
            swa.update_parameters(net)
            swalr.step()
        else:
            cosine.step()
        print(f"epoch {epoch} loss {loss.item():.3f} acc {test(net, valid):.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    update_bn(Prefetcher(train), swa)
    print(f"SWA accuracy {test(swa, valid):.3f}, n_averaged {int(swa.n_averaged)}")
