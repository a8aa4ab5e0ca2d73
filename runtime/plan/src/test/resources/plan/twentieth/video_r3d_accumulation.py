# Action recognition on short clips. R(2+1)D-18, gradient accumulation because the batch does not fit.
import torch, torchvision
from torch import nn
from torch.utils.data import IterableDataset, DataLoader

NUM_CLASSES = 51
CLIP_LEN = 16
CROP = 112
MICRO = 4
ACCUM = 4
UPDATES = 2
LR = 0.01


class Clips(IterableDataset):
    """uint8 clips like the ones decoded from mp4, normalized on the GPU"""
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        g = torch.Generator().manual_seed(11)
        for _ in range(self.n):
            full = torch.randint(0, 256, (CLIP_LEN + 8, 3, CROP + 16, CROP + 16), dtype=torch.uint8, generator=g)
            t = int(torch.randint(0, 8, (1,), generator=g))
            i, j = torch.randint(0, 16, (2,), generator=g).tolist()
            clip = full[t:t + CLIP_LEN, :, i:i + CROP, j:j + CROP]
            yield clip.permute(1, 0, 2, 3).contiguous(), int(torch.randint(0, NUM_CLASSES, (1,), generator=g))


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.43216, 0.394666, 0.37645]).view(1, 3, 1, 1, 1))
        self.register_buffer("std", torch.tensor([0.22803, 0.22145, 0.216989]).view(1, 3, 1, 1, 1))

    def forward(self, x):
        return (x.float().div_(255) - self.mean) / self.std


def build():
    net = torchvision.models.video.r2plus1d_18(weights=None)
    net.fc = nn.Sequential(nn.Dropout(0.5), nn.Linear(net.fc.in_features, NUM_CLASSES))
    # freeze the stem's batch norm as everybody does with small batches
    for m in net.stem.modules():
        if isinstance(m, nn.BatchNorm3d):
            m.weight.requires_grad_(False)
            m.bias.requires_grad_(False)
    return net


def main():
    torch.manual_seed(3)
    dev = torch.device("cuda:0") if torch.cuda.is_available() else torch.device("cpu")
    norm = Normalize().to(dev)
    net = build().to(dev)
    opt = torch.optim.SGD((p for p in net.parameters() if p.requires_grad), lr=LR, momentum=0.9, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.5)
    loss_fn = nn.CrossEntropyLoss()
    loader = DataLoader(Clips(MICRO * ACCUM * UPDATES), batch_size=MICRO)
    net.train()
    running, hits, seen = 0.0, 0, 0
    for k, (clips, labels) in enumerate(loader):
        clips, labels = norm(clips.to(dev)), labels.to(dev)
        logits = net(clips)
        loss = loss_fn(logits, labels) / ACCUM
        loss.backward()
        running += loss.item()
        hits += (logits.argmax(-1) == labels).sum().item()
        seen += len(labels)
        if (k + 1) % ACCUM == 0:
            nn.utils.clip_grad_value_(net.parameters(), 0.5)
            opt.step()
            opt.zero_grad()
            sched.step()
            print(f"update {(k + 1) // ACCUM}: loss {running:.4f} acc {hits / seen:.3f} lr {sched.get_last_lr()[0]:.4f}")
            running, hits, seen = 0.0, 0, 0
    # ten-clip evaluation of one video, averaged
    net.eval()
    with torch.no_grad():
        views = torch.stack([c for c, _ in Clips(10)])
        probs = net(norm(views.to(dev))).softmax(-1).mean(0)
    print("video prediction", int(probs.argmax()), f"{probs.max().item():.4f}")
    print("peak MB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
