"""Wide ResNet, fp32 + cudnn.benchmark, SWA with swa_utils (update_bn at the end), random-erasing, 2 loader workers."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2


class WideBlock(nn.Module):
    def __init__(self, ci, co, stride, p=0.2):
        super().__init__()
        self.b1, self.c1 = nn.BatchNorm2d(ci), nn.Conv2d(ci, co, 3, stride, 1, bias=False)
        self.b2, self.c2 = nn.BatchNorm2d(co), nn.Conv2d(co, co, 3, 1, 1, bias=False)
        self.p = p
        self.short = nn.Conv2d(ci, co, 1, stride, bias=False) if (ci != co or stride > 1) else None

    def forward(self, x):
        o = F.relu(self.b1(x))
        s = x if self.short is None else self.short(o)
        h = F.dropout(F.relu(self.b2(self.c1(o))), self.p, self.training)
        return s + self.c2(h)


class WRN(nn.Module):
    def __init__(self, depth, width, classes):
        super().__init__()
        n = (depth - 4) // 6
        ch = [16, 16 * width, 32 * width, 64 * width]
        layers = [nn.Conv2d(3, ch[0], 3, 1, 1, bias=False)]
        for g in range(3):
            for i in range(n):
                layers.append(WideBlock(ch[g] if i == 0 else ch[g + 1], ch[g + 1], 2 if (i == 0 and g) else 1))
        self.body = nn.Sequential(*layers, nn.BatchNorm2d(ch[3]), nn.ReLU(True), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.fc = nn.Linear(ch[3], classes)

    def forward(self, x):
        return self.fc(self.body(x))


class Toy(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 100, (n,), generator=g)
        self.x = (torch.rand(n, 3, 40, 40, generator=g) * 255).to(torch.uint8)
        self.tf = v2.Compose([v2.RandomCrop(32), v2.RandomHorizontalFlip(), v2.ToDtype(torch.float32, scale=True),
                              v2.Normalize([0.5] * 3, [0.25] * 3), v2.RandomErasing(0.25)])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.tf(self.x[i]), self.y[i]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--depth", type=int, default=16)
    ap.add_argument("--width", type=int, default=6)
    ap.add_argument("--bs", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batches", type=int, default=3)
    ap.add_argument("--workers", type=int, default=2)
    a = ap.parse_args()
    torch.manual_seed(10)
    torch.backends.cudnn.benchmark = True
    model = WRN(a.depth, a.width, 100).to("cuda")
    swa = AveragedModel(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
    cyc = torch.optim.lr_scheduler.CyclicLR(opt, base_lr=0.02, max_lr=0.1, step_size_up=3, cycle_momentum=False)
    swa_sched = SWALR(opt, swa_lr=0.05, anneal_epochs=1)
    loader = DataLoader(Toy(a.bs * a.batches, 1), batch_size=a.bs, shuffle=True, num_workers=a.workers, pin_memory=True,
                        persistent_workers=a.workers > 0, drop_last=True)
    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            x, y = x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True)
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            if epoch == 0:
                cyc.step()
            total += loss.item()
        if epoch >= 1:
            swa.update_parameters(model)
            swa_sched.step()
        print(f"epoch {epoch} loss {total / a.batches:.4f} lr {opt.param_groups[0]['lr']:.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB")
    update_bn(loader, swa, device="cuda")
    swa.eval()
    with torch.no_grad():
        x, y = next(iter(loader))
        print("swa loss", F.cross_entropy(swa(x.to("cuda")), y.to("cuda")).item(), "averaged", int(swa.n_averaged))
    with tempfile.TemporaryDirectory() as d:
        torch.save({"swa": swa.module.state_dict(), "opt": opt.state_dict()}, os.path.join(d, "swa.pt"))


if __name__ == "__main__":
    main()
