"""Action recognition on short clips: R(2+1)D-18, gradient accumulation, multi-clip evaluation.

Frames come out of two loader workers as uint8 and are normalised on the device.
"""
import argparse
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models.video import r2plus1d_18

MEAN = torch.tensor([0.43216, 0.394666, 0.37645])
STD = torch.tensor([0.22803, 0.22145, 0.216989])


class Clips(Dataset):
    def __init__(self, videos, frames, size, clips_per_video, seed, classes):
        self.frames, self.size, self.k = frames, size, clips_per_video
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, classes, (videos,), generator=g).tolist()
        self.seed = seed

    def __len__(self):
        return len(self.labels) * self.k

    def __getitem__(self, i):
        v, c = divmod(i, self.k)
        g = torch.Generator().manual_seed(self.seed + 7919 * v + c)
        base = torch.randint(0, 255, (1, 3, self.size // 8, self.size // 8), generator=g, dtype=torch.uint8)
        clip = base.repeat_interleave(8, 2).repeat_interleave(8, 3).repeat(self.frames, 1, 1, 1)
        for t in range(self.frames):
            clip[t] = clip[t].roll(t * (1 + self.labels[v] % 3), dims=-1)
        return clip, self.labels[v], v


def prepare(clip, device):
    x = clip.to(device, non_blocking=True).float().div_(255)
    x = (x - MEAN.to(device).view(1, 1, 3, 1, 1)) / STD.to(device).view(1, 1, 3, 1, 1)
    return x.permute(0, 2, 1, 3, 4).contiguous()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--frames", type=int, default=16)
    ap.add_argument("--size", type=int, default=112)
    ap.add_argument("--batch", type=int, default=6)
    ap.add_argument("--accum", type=int, default=2)
    ap.add_argument("--updates", type=int, default=3)
    ap.add_argument("--classes", type=int, default=25)
    ap.add_argument("--workers", type=int, default=2)
    args = ap.parse_args()

    torch.manual_seed(77)
    device = torch.device("cuda")
    model = r2plus1d_18(weights=None)
    model.fc = nn.Linear(model.fc.in_features, args.classes)
    model.to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[1, 2], gamma=0.1)
    ce = nn.CrossEntropyLoss(label_smoothing=0.1)

    n = args.batch * args.accum * args.updates
    train = DataLoader(
        Clips(n, args.frames, args.size, 1, 0, args.classes), args.batch,
        shuffle=True, num_workers=args.workers, pin_memory=True,
    )
    test = DataLoader(Clips(4, args.frames, args.size, 3, 50, args.classes), args.batch)

    t0, seen, window = time.time(), 0, 0.0
    model.train()
    for i, (clip, y, _) in enumerate(train):
        loss = ce(model(prepare(clip, device)), y.to(device)) / args.accum
        loss.backward()
        window += loss.item()
        seen += len(y)
        if (i + 1) % args.accum == 0:
            opt.step()
            opt.zero_grad(set_to_none=True)
            sched.step()
            print(f"update {(i + 1) // args.accum} loss {window:.4f} {seen / (time.time() - t0):.1f} clips/s")
            window = 0.0

    model.eval()
    votes, truth = {}, {}
    with torch.no_grad():
        for clip, y, vid in test:
            prob = model(prepare(clip, device)).softmax(-1).cpu()
            for pr, yy, v in zip(prob, y.tolist(), vid.tolist()):
                votes[v] = votes.get(v, 0) + pr
                truth[v] = yy
    acc = sum(int(votes[v].argmax()) == truth[v] for v in votes) / len(votes)
    print(f"video accuracy {acc:.2f}")
    print(f"peak memory {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
