"""Action recognition on random clips: R(2+1)D-18, gradient accumulation, clip-level evaluation."""
import argparse
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models.video import r2plus1d_18
from torchvision.transforms import v2


class ClipDataset(Dataset):
    def __init__(self, n_videos, frames, size, classes, clips_per_video=1):
        self.n_videos, self.frames, self.size, self.classes = n_videos, frames, size, classes
        self.clips = clips_per_video
        self.tf = v2.Compose([
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize(mean=[0.43216, 0.394666, 0.37645], std=[0.22803, 0.22145, 0.216989]),
        ])

    def __len__(self):
        return self.n_videos * self.clips

    def __getitem__(self, i):
        vid = i // self.clips
        g = torch.Generator().manual_seed(i)
        clip = torch.randint(0, 255, (self.frames, 3, self.size, self.size), generator=g, dtype=torch.uint8)
        clip = self.tf(clip).permute(1, 0, 2, 3)  # C T H W
        return clip, vid % self.classes, vid


def train(model, loader, optimizer, scheduler, accum, device):
    criterion = nn.CrossEntropyLoss()
    model.train()
    optimizer.zero_grad()
    for i, (clip, label, _) in enumerate(loader):
        clip, label = clip.to(device), label.to(device)
        loss = criterion(model(clip), label) / accum
        loss.backward()
        if (i + 1) % accum == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
            print(f"  micro {i + 1} loss {loss.item() * accum:.4f}")


@torch.no_grad()
def evaluate(model, loader, n_videos, classes, device):
    model.eval()
    agg = torch.zeros(n_videos, classes, device=device)
    labels = torch.zeros(n_videos, dtype=torch.long, device=device)
    for clip, label, vid in loader:
        probs = model(clip.to(device)).softmax(-1)
        agg.index_add_(0, vid.to(device), probs)
        labels[vid] = label.to(device)
    return (agg.argmax(1) == labels).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--frames", type=int, default=8)
    ap.add_argument("--size", type=int, default=112)
    ap.add_argument("--batch-size", type=int, default=4)
    ap.add_argument("--accum", type=int, default=2)
    ap.add_argument("--videos", type=int, default=16)
    ap.add_argument("--classes", type=int, default=10)
    args = ap.parse_args()

    torch.manual_seed(1234)
    device = torch.device("cuda")
    model = r2plus1d_18(weights=None)
    model.fc = nn.Linear(model.fc.in_features, args.classes)
    model.to(device)
    no_decay = [p for p in model.parameters() if p.ndim == 1]
    decay = [p for p in model.parameters() if p.ndim > 1]
    optimizer = torch.optim.SGD(
        [{"params": decay, "weight_decay": 1e-4}, {"params": no_decay, "weight_decay": 0.0}], lr=0.01, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1], gamma=0.1)
    train_loader = DataLoader(ClipDataset(args.videos, args.frames, args.size, args.classes),
                              args.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(ClipDataset(4, args.frames, args.size, args.classes, clips_per_video=3), 6)
    t0 = time.time()
    train(model, train_loader, optimizer, scheduler, args.accum, device)
    print("after train", torch.cuda.max_memory_allocated() >> 20, "MiB")
    acc = evaluate(model, val_loader, 4, args.classes, device)
    print(f"video acc {acc:.3f}, time {time.time() - t0:.1f}s, peak {torch.cuda.max_memory_allocated() >> 20} MiB")


if __name__ == "__main__":
    main()
