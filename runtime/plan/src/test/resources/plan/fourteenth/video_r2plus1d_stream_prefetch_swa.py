"""Action recognition on moving dots, torchvision R(2+1)D, side-stream prefetcher, bf16 autocast, accumulation, SWA + update_bn."""
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn
from torch.utils.data import DataLoader, Dataset
from torchvision.models.video import r2plus1d_18


class MovingDots(Dataset):
    """class = direction of motion (8 ways)"""

    def __init__(self, n, frames, size):
        self.n, self.frames, self.size = n, frames, size
        self.grid = torch.stack(torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")).float()

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(1000 + i)
        c = i % 8
        a = torch.tensor(c * torch.pi / 4)
        v = torch.stack([a.sin(), a.cos()]) * self.size / 20
        p = torch.rand(2, generator=g) * self.size
        t = torch.arange(self.frames).float()
        pos = (p[:, None] + v[:, None] * t) % self.size
        d2 = (self.grid[:, None] - pos[:, :, None, None]).pow(2).sum(0)
        clip = torch.exp(-d2 / 18)
        return clip[None].repeat(3, 1, 1, 1) + 0.05 * torch.randn(3, self.frames, self.size, self.size, generator=g), c


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream()

    def __len__(self):
        return len(self.loader)

    def _load(self, it):
        batch = next(it, None)
        if batch is None:
            return None
        with torch.cuda.stream(self.stream):
            return [b.to(self.device, non_blocking=True) for b in batch]

    def __iter__(self):
        it = iter(self.loader)
        nxt = self._load(it)
        while nxt is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            cur = nxt
            for t in cur:
                t.record_stream(torch.cuda.current_stream())
            nxt = self._load(it)
            yield cur


def main():
    CLIPS = 48
    FRAMES = 12
    SIZE = 96
    BATCH = 6
    ACCUM = 2
    torch.manual_seed(37)
    dev = torch.device("cuda")
    model = r2plus1d_18(weights=None, num_classes=8).to(dev)
    swa = AveragedModel(model, use_buffers=False)
    decay = [p for p in model.parameters() if p.ndim > 1]
    nodecay = [p for p in model.parameters() if p.ndim <= 1]
    opt = torch.optim.SGD([{"params": decay, "weight_decay": 1e-4}, {"params": nodecay, "weight_decay": 0.0}], lr=0.02, momentum=0.9, nesterov=True, foreach=True)
    swa_sched = SWALR(opt, swa_lr=0.01, anneal_epochs=2)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    loader = Prefetcher(DataLoader(MovingDots(CLIPS, FRAMES, SIZE), BATCH, shuffle=True, num_workers=2, pin_memory=True), dev)
    model.train()
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = crit(model(x), y) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            swa_sched.step()
            swa.update_parameters(model)
            print(f"update {(i + 1) // ACCUM} loss {loss.item() * ACCUM:.3f} lr {opt.param_groups[0]['lr']:.4f}")
    update_bn([x for x, _ in Prefetcher(DataLoader(MovingDots(BATCH * 2, FRAMES, SIZE), BATCH), dev)], swa, device=dev)
    swa.eval()
    with torch.inference_mode():
        hits = sum((swa(x).argmax(1) == y).sum().item() for x, y in Prefetcher(DataLoader(MovingDots(16, FRAMES, SIZE), 8), dev))
    print("SWA accuracy", hits / 16, "peak GiB", torch.cuda.max_memory_allocated() / 2**30)


if __name__ == "__main__":
    main()
