"""EfficientNet-B0 with an apex-like data prefetcher: a side stream copies and normalises the next batch
while the current one trains. Random erasing on GPU, EMA through AveragedModel."""
import argparse

import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, Dataset
from torchvision.models import efficientnet_b0
from torchvision.transforms import v2


class Uint8Images(Dataset):
    def __init__(self, n, size):
        self.n, self.size = n, size

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return torch.randint(0, 256, (3, self.size, self.size), dtype=torch.uint8, generator=g), i % 1000


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = iter(loader), device
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([123.7, 116.3, 103.5], device=device).view(1, 3, 1, 1)
        self.std = torch.tensor([58.4, 57.1, 57.4], device=device).view(1, 3, 1, 1)
        self.erase = v2.RandomErasing(p=0.25)
        self.preload()

    def preload(self):
        try:
            x, y = next(self.loader)
        except StopIteration:
            self.next = None
            return
        with torch.cuda.stream(self.stream):
            x = x.to(self.device, non_blocking=True)
            y = y.to(self.device, non_blocking=True)
            x = self.erase(x.float().sub_(self.mean).div_(self.std))
            self.next = (x, y)

    def __iter__(self):
        while self.next is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            x, y = self.next
            x.record_stream(torch.cuda.current_stream())
            y.record_stream(torch.cuda.current_stream())
            self.preload()
            yield x, y


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--images", type=int, default=128)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--lr", type=float, default=0.016)
    a = p.parse_args()
    torch.manual_seed(101)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")
    model = efficientnet_b0(weights=None, dropout=0.2).to(device)
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)
    opt = torch.optim.RMSprop(model.parameters(), lr=a.lr, alpha=0.9, eps=1e-3, momentum=0.9, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.97)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    loader = DataLoader(Uint8Images(a.images, a.size), batch_size=a.batch, pin_memory=True, num_workers=2, drop_last=True,
                        shuffle=True)
    val = DataLoader(Uint8Images(a.images // 2, a.size), batch_size=2 * a.batch, pin_memory=True)

    for epoch in range(a.epochs):
        model.train()
        total, n = torch.zeros((), device=device), 0
        for x, y in Prefetcher(loader, device):
            loss = crit(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            ema.update_parameters(model)
            total += loss.detach()
            n += 1
        sched.step()
        ema.eval()
        hits = 0
        with torch.inference_mode():
            for x, y in Prefetcher(val, device):
                hits += (ema(x).argmax(1) == y).sum().item()
        torch.cuda.synchronize()
        print(f"epoch {epoch} loss {total.item() / n:.3f} val hits {hits} allocated "
              f"{torch.cuda.memory_allocated() / 2**20:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} "
              f"reserved {torch.cuda.max_memory_reserved() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
