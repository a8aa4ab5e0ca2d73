"""3-D ResNet on short clips, then dense sliding-window scoring of one long video."""
from dataclasses import dataclass

import torch
from torch import nn
from torchvision.models.video import r3d_18


@dataclass
class Cfg:
    frames: int = 12
    size: int = 96
    batch: int = 12
    classes: int = 25
    steps: int = 5
    long_frames: int = 96
    stride: int = 4
    window_batch: int = 8
    lr: float = 1e-3


def moving_dots(n, frames, size, device):
    """a bright square moves in a direction that depends on the class"""
    labels = torch.randint(0, 25, (n,))
    vid = 0.1 * torch.randn(n, 3, frames, size, size)
    for b in range(n):
        dx, dy = int(labels[b]) % 5 - 2, int(labels[b]) // 5 - 2
        x = y = size // 2
        for t in range(frames):
            xx, yy = (x + dx * t) % (size - 8), (y + dy * t) % (size - 8)
            vid[b, :, t, yy:yy + 8, xx:xx + 8] += 1.0
    return vid.to(device), labels.to(device)


def build(cfg):
    net = r3d_18(weights=None)
    net.fc = nn.Sequential(nn.Dropout(0.3), nn.Linear(net.fc.in_features, cfg.classes))
    return net


def train(cfg, net, device):
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr, foreach=False)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr * 3, total_steps=cfg.steps)
    lossf = nn.CrossEntropyLoss()
    net.train()
    for step in range(cfg.steps):
        clips, y = moving_dots(cfg.batch, cfg.frames, cfg.size, device)
        out = net(clips)
        loss = lossf(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        acc = (out.detach().argmax(1) == y).float().mean()
        print(f"{step:02d} loss={loss:.3f} acc={acc:.2f} lr={sched.get_last_lr()[0]:.2e}")


@torch.no_grad()
def score_long(cfg, net, device):
    net.eval()
    video, _ = moving_dots(1, cfg.long_frames, cfg.size, device)
    starts = list(range(0, cfg.long_frames - cfg.frames + 1, cfg.stride))
    votes = torch.zeros(cfg.long_frames, cfg.classes, device=device)
    count = torch.zeros(cfg.long_frames, 1, device=device)
    for i in range(0, len(starts), cfg.window_batch):
        chunk = starts[i:i + cfg.window_batch]
        clips = torch.cat([video[:, :, s:s + cfg.frames] for s in chunk])
        probs = net(clips).softmax(-1)
        for s, p in zip(chunk, probs):
            votes[s:s + cfg.frames] += p
            count[s:s + cfg.frames] += 1
    return votes / count.clamp(min=1)


if __name__ == "__main__":
    torch.manual_seed(11)
    cfg = Cfg()
    device = torch.device("cuda")
    net = build(cfg).to(device)
    print("params (M):", sum(p.numel() for p in net.parameters()) / 1e6)
    train(cfg, net, device)
    print("peak after train [MB]", torch.cuda.max_memory_allocated() // 2**20)
    torch.cuda.reset_peak_memory_stats()
    frame_scores = score_long(cfg, net, device)
    print("per-frame argmax head:", frame_scores.argmax(1)[:10].tolist())
    print("peak in scoring [MB]", torch.cuda.max_memory_allocated() // 2**20)
