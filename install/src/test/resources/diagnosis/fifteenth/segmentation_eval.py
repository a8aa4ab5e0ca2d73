# limit: 2.0
"""Evaluate a small land-cover segmenter on a validation split and report mIoU."""
import time

import torch
import torch.nn as nn

NUM_CLASSES = 21


class TinySegmenter(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(inplace=True),
        )
        self.head = nn.Conv2d(width, NUM_CLASSES, 1)

    def forward(self, x):
        return self.head(self.body(x))


def val_loader(n_batches, batch_size=16, size=256):
    g = torch.Generator().manual_seed(7)
    for _ in range(n_batches):
        yield (torch.rand(batch_size, 3, size, size, generator=g),
               torch.randint(0, NUM_CLASSES, (batch_size, size, size), generator=g))


@torch.no_grad()
def evaluate(model, n_batches=60):
    model.eval()
    all_probs, all_labels = [], []
    started = time.time()
    for i, (img, lab) in enumerate(val_loader(n_batches)):
        img = img.cuda(non_blocking=True)
        probs = model(img).softmax(dim=1)
        all_probs.append(probs)
        all_labels.append(lab)
        if i % 5 == 0:
            print(f"[eval] {i:3d}/{n_batches} {time.time() - started:.1f}s")
    inter = torch.zeros(NUM_CLASSES)
    union = torch.zeros(NUM_CLASSES)
    for p, l in zip(all_probs, all_labels):
        pred = p.argmax(1).cpu()
        for c in range(NUM_CLASSES):
            inter[c] += ((pred == c) & (l == c)).sum()
            union[c] += ((pred == c) | (l == c)).sum()
    return (inter / union.clamp(min=1)).mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    net = TinySegmenter().to("cuda")
    print("mIoU", evaluate(net))
