# Gesture recognition from short clips. R(2+1)D-18 from torchvision, accumulating gradients over 2 micro-batches.
import collections
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
from torchvision.models.video import r2plus1d_18
from torchvision.transforms import v2 as T

torch.manual_seed(2024)
FRAMES, SIDE = 8, 112
MICRO, ACCUM = 8, 2
OPT_STEPS = 4
GESTURES = 27


class Clips(IterableDataset):
    """Moving squares; the direction is the label."""

    def __init__(self, count, seed):
        self.count, self.seed = count, seed
        self.aug = T.Compose([
            T.RandomCrop(SIDE),
            T.RandomHorizontalFlip(0.5),
            T.ToDtype(torch.float32, scale=True),
            T.Normalize([0.432, 0.395, 0.377], [0.228, 0.221, 0.217]),
        ])

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.count):
            label = int(torch.randint(0, GESTURES, (1,), generator=g))
            clip = torch.randint(0, 60, (FRAMES, 3, SIDE + 16, SIDE + 16), generator=g, dtype=torch.uint8)
            dy, dx = label % 5 - 2, label // 5 - 2
            for t in range(FRAMES):
                cy, cx = 50 + 4 * dy * t // 2, 50 + 4 * dx * t // 2
                clip[t, label % 3, cy : cy + 20, cx : cx + 20] = 255
            yield self.aug(clip).transpose(0, 1), label


class Meter:
    def __init__(self, window=20):
        self.d = collections.deque(maxlen=window)

    def add(self, v):
        self.d.append(float(v))

    @property
    def avg(self):
        return sum(self.d) / max(1, len(self.d))


def freeze_bn(m):
    if isinstance(m, nn.BatchNorm3d):
        m.eval()
        for p in m.parameters():
            p.requires_grad_(False)


def main():
    net = r2plus1d_18(weights=None)
    net.fc = nn.Sequential(nn.Dropout(0.3), nn.Linear(net.fc.in_features, GESTURES))
    net.cuda() if torch.cuda.is_available() else sys.stderr.write("no gpu\n")
    dev = next(net.parameters()).device

    # stem stays frozen, batch-norm statistics too
    net.train()
    net.apply(freeze_bn)
    for p in net.stem.parameters():
        p.requires_grad_(False)

    head = list(net.fc.parameters())
    body = [p for n, p in net.named_parameters() if p.requires_grad and not n.startswith("fc.")]
    opt = torch.optim.Adam([{"params": body, "lr": 1e-4}, {"params": head, "lr": 1e-3}], amsgrad=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=2)
    loss_fn = nn.CrossEntropyLoss()
    meter = Meter()

    loader = DataLoader(Clips(MICRO * ACCUM * OPT_STEPS, 5), batch_size=MICRO)
    micro = 0
    for x, y in loader:
        x, y = x.to(dev), y.to(dev)
        with torch.autocast(dev.type, dtype=torch.bfloat16):
            out = net(x)
            loss = loss_fn(out, y) / ACCUM
        loss.backward()
        meter.add(loss.item() * ACCUM)
        micro += 1
        if micro % ACCUM == 0:
            nn.utils.clip_grad_norm_(body + head, 10.0)
            opt.step()
            opt.zero_grad()
            sched.step()
            print(f"opt step {micro // ACCUM}: loss {meter.avg:.4f} lr {opt.param_groups[0]['lr']:.2e}")

    # multi-clip testing: three temporal views averaged
    net.eval()
    correct = total = 0
    with torch.inference_mode():
        for x, y in DataLoader(Clips(12, 6), batch_size=6):
            views = torch.cat([x, x.flip(2), x.roll(2, dims=2)]).to(dev)
            with torch.autocast(dev.type, dtype=torch.bfloat16):
                logits = net(views)
            pred = logits.float().softmax(-1).view(3, len(y), -1).mean(0).argmax(-1).cpu()
            correct += (pred == y).sum().item()
            total += len(y)
    print(f"top1 {correct}/{total}")
    print("allocated peak (GiB):", torch.cuda.max_memory_allocated() / 1024**3)
    print("reserved peak (GiB):", torch.cuda.max_memory_reserved() / 1024**3)


if __name__ == "__main__":
    main()
