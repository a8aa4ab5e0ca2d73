"""Clip classification with torchvision's R(2+1)D-18; multi-clip test-time averaging."""
import gc

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models.video import r2plus1d_18

CLIP_LEN = 12
SIZE = 112
BATCH = 8
CLASSES = 51
DEVICE = "cuda"


class RandomClips(Dataset):
    """uint8 videos; a random temporal window is returned for training, three windows for testing."""

    def __init__(self, n, train):
        self.n, self.train = n, train

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i + (0 if self.train else 10_000))
        video = torch.randint(0, 256, (3 * CLIP_LEN, SIZE, SIZE, 3), dtype=torch.uint8, generator=g)
        label = i % CLASSES
        if self.train:
            start = int(torch.randint(0, 2 * CLIP_LEN, (1,), generator=g))
            return video[start:start + CLIP_LEN], label
        return torch.stack(video.split(CLIP_LEN)), label


def preprocess(clip):
    mean = torch.tensor([0.43216, 0.394666, 0.37645], device=clip.device).view(3, 1, 1, 1)
    std = torch.tensor([0.22803, 0.22145, 0.216989], device=clip.device).view(3, 1, 1, 1)
    clip = clip.movedim(-1, -4).float().div_(255)
    return (clip - mean) / std


def train(model, loader, optimizer, criterion):
    model.train()
    for it, (clip, label) in enumerate(loader):
        clip = preprocess(clip.to(DEVICE))
        if torch.rand(1).item() < 0.5:
            clip = clip.flip(-1)
        out = model(clip)
        loss = criterion(out, label.to(DEVICE))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"iter {it}: loss {loss.item():.3f} acc {(out.argmax(1).cpu() == label).float().mean():.2f}")


@torch.no_grad()
def test(model, loader):
    model.eval()
    hits = total = 0
    for clips, label in loader:
        b, n = clips.shape[:2]
        x = preprocess(clips.to(DEVICE)).flatten(0, 1)
        probs = model(x).softmax(-1).view(b, n, -1).mean(1)
        hits += (probs.argmax(-1).cpu() == label).sum().item()
        total += b
    print(f"video acc {hits / total:.3f}")


def main():
    torch.manual_seed(7)
    model = r2plus1d_18(weights=None)
    model.fc = nn.Linear(model.fc.in_features, CLASSES)
    # keep the stem and first stage frozen, as for fine-tuning
    for m in (model.stem, model.layer1):
        for p in m.parameters():
            p.requires_grad_(False)
    model.to(DEVICE)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=1e-2, momentum=0.9, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1], gamma=0.1)
    criterion = nn.CrossEntropyLoss()
    train_loader = DataLoader(RandomClips(24, True), batch_size=BATCH, shuffle=True)
    test_loader = DataLoader(RandomClips(8, False), batch_size=4)
    for epoch in range(2):
        train(model, train_loader, optimizer, criterion)
        gc.collect()
        torch.cuda.empty_cache()
        test(model, test_loader)
        sched.step()
        print(f"epoch {epoch} reserved {torch.cuda.memory_reserved() >> 20} MiB, peak {torch.cuda.max_memory_allocated() >> 20} MiB")
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
