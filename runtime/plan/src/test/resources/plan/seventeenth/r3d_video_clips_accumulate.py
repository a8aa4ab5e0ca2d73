"""
Video action recognition with R3D-18.  fp16 + GradScaler, gradient accumulation because
my clips do not fit at the batch size of the paper.
"""
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, IterableDataset
from torchvision.models.video import r3d_18


@dataclass
class Config:
    frames: int = 16
    size: int = 112
    micro_batch: int = 8
    accum: int = 3
    updates: int = 3
    classes: int = 101
    lr: float = 0.02
    clips_per_video: int = 5
    device: str = "cuda"


class ClipStream(IterableDataset):
    def __init__(self, cfg, n):
        self.cfg, self.n = cfg, n

    def __iter__(self):
        g = torch.Generator().manual_seed(123)
        c = self.cfg
        for _ in range(self.n):
            raw = torch.randint(0, 256, (c.frames, 128, 171, 3), generator=g, dtype=torch.uint8)
            top = int(torch.randint(0, 128 - c.size + 1, (1,), generator=g))
            left = int(torch.randint(0, 171 - c.size + 1, (1,), generator=g))
            yield raw[:, top:top + c.size, left:left + c.size], int(torch.randint(c.classes, (1,), generator=g))


def preprocess(clip, device):
    """uint8 (B, T, H, W, C) -> normalized float (B, C, T, H, W) on GPU"""
    clip = clip.to(device, non_blocking=True).permute(0, 4, 1, 2, 3).float().div_(255)
    mean = torch.tensor([0.432, 0.395, 0.376], device=device).view(1, 3, 1, 1, 1)
    std = torch.tensor([0.228, 0.221, 0.217], device=device).view(1, 3, 1, 1, 1)
    return (clip - mean) / std


def run(cfg: Config):
    torch.manual_seed(0)
    model = r3d_18(weights=None)
    model.fc = nn.Sequential(nn.Dropout(0.5), nn.Linear(model.fc.in_features, cfg.classes))
    model.to(cfg.device)
    opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=1e-4, foreach=False)
    scaler = torch.amp.GradScaler(cfg.device, init_scale=2.0 ** 14)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.lr, total_steps=cfg.updates + 1)
    loader = DataLoader(ClipStream(cfg, cfg.micro_batch * cfg.accum * cfg.updates), batch_size=cfg.micro_batch)
    loss_fn = nn.CrossEntropyLoss()

    running, update = 0.0, 0
    for i, (clip, label) in enumerate(loader):
        x, y = preprocess(clip, cfg.device), label.to(cfg.device)
        with torch.autocast(cfg.device, torch.float16):
            loss = loss_fn(model(x), y) / cfg.accum
        scaler.scale(loss).backward()
        running += loss.detach()
        if (i + 1) % cfg.accum == 0:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(model.parameters(), 40.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
            sched.step()
            update += 1
            print(f"update {update}: loss {float(running):.3f}")
            running = 0.0

    # test: average of several clips per video
    model.eval()
    with torch.no_grad(), torch.autocast(cfg.device, torch.float16):
        for v in range(2):
            clips = torch.randint(0, 256, (cfg.clips_per_video, cfg.frames, cfg.size, cfg.size, 3), dtype=torch.uint8)
            prob = model(preprocess(clips, cfg.device)).softmax(-1).mean(0)
            print(f"video {v}: class {prob.argmax().item()} p={prob.max().item():.3f}")
    print("peak memory [GB]", round(torch.cuda.max_memory_allocated() / 1e9, 2))


if __name__ == "__main__":
    run(Config())
