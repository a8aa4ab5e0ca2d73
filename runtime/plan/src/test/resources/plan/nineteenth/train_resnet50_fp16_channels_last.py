"""ResNet-50, mixed precision, channels_last, synthetic "ImageNet" at 192px.
Question for the forum: how large a batch can I take on my card?"""
import os
import tempfile
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models import resnet50

SEED = 17
BATCH = 48
VAL_BATCH = 96
IMG = 192
N_TRAIN = 240
N_VAL = 192
CLASSES = 200
DEVICE = "cuda"

torch.manual_seed(SEED)
torch.backends.cudnn.benchmark = True


class FakeImages(Dataset):
    def __init__(self, n, size, classes, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, classes, (n,), generator=g)
        self.seeds = torch.randint(0, 2**31 - 1, (n,), generator=g)
        self.size = size

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(int(self.seeds[i]))
        img = torch.randint(0, 256, (3, self.size, self.size), generator=g, dtype=torch.uint8)
        return img, self.labels[i]


mean = torch.tensor([0.485, 0.456, 0.406], device=DEVICE).view(1, 3, 1, 1)
std = torch.tensor([0.229, 0.224, 0.225], device=DEVICE).view(1, 3, 1, 1)


def prep(img):
    img = img.to(DEVICE, non_blocking=True).float().div_(255).sub_(mean).div_(std)
    return img.contiguous(memory_format=torch.channels_last)


def accuracy(logits, y, topk=(1, 5)):
    _, pred = logits.topk(max(topk), 1)
    hit = pred.eq(y[:, None])
    return [hit[:, :k].any(1).float().mean().item() for k in topk]


def train_epoch(model, loader, crit, opt, sched, scaler):
    model.train()
    for step, (img, y) in enumerate(loader):
        x, y = prep(img), y.to(DEVICE, non_blocking=True)
        opt.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = crit(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        gn = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        scaler.step(opt)
        scaler.update()
        sched.step()
        print(f"step {step} loss {loss.item():.3f} |g| {gn:.2f} lr {sched.get_last_lr()[0]:.4f}")


@torch.no_grad()
def validate(model, loader):
    model.eval()
    accs = []
    for img, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(prep(img))
        accs.append(accuracy(out.float(), y.to(DEVICE)))
    return torch.tensor(accs).mean(0).tolist()


def param_groups(model, wd):
    decay, no_decay = [], []
    for p in model.parameters():
        (no_decay if p.ndim == 1 else decay).append(p)
    return [{"params": decay, "weight_decay": wd}, {"params": no_decay, "weight_decay": 0.0}]


def main():
    train = DataLoader(FakeImages(N_TRAIN, IMG, CLASSES, 1), BATCH, shuffle=True, drop_last=True, pin_memory=True)
    val = DataLoader(FakeImages(N_VAL, IMG, CLASSES, 2), VAL_BATCH, pin_memory=True)
    model = resnet50(weights=None, num_classes=CLASSES).to(DEVICE, memory_format=torch.channels_last)
    opt = torch.optim.SGD(param_groups(model, 5e-5), lr=0.2, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.4, total_steps=len(train) + 1)
    scaler = torch.amp.GradScaler("cuda")
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    t0 = time.time()
    train_epoch(model, train, crit, opt, sched, scaler)
    print(f"train {time.time() - t0:.1f}s")
    top1, top5 = validate(model, val)
    print(f"val top1 {top1:.3f} top5 {top5:.3f}")
    with tempfile.TemporaryDirectory() as d:
        f = os.path.join(d, "ckpt.pt")
        torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "scaler": scaler.state_dict()}, f)
        print(f"checkpoint {os.path.getsize(f) / 1e6:.0f} MB")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
