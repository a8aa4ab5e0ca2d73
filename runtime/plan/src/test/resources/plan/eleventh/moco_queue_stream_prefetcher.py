"""MoCo v2 with a key queue; uint8 images are uploaded and normalised on a side stream by a prefetcher. fp16 + scaler."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from torchvision.models import resnet34

SIZE, BATCH, DIM, QUEUE, MOM, TEMP, ITERS = 144, 96, 128, 16384, 0.99, 0.2, 6


class TwoViews(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        small = torch.rand(1, 3, 12, 12, generator=g)
        big = F.interpolate(small, size=SIZE + 16, mode="bilinear")[0]
        views = []
        for _ in range(2):
            y, x = torch.randint(0, 17, (2,), generator=g).tolist()
            v = big[:, y:y + SIZE, x:x + SIZE]
            if torch.rand((), generator=g) < 0.5:
                v = v.flip(-1)
            views.append((v * 255).to(torch.uint8))
        return views[0], views[1]


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream()
        self.mean = torch.full((1, 3, 1, 1), 127.0, device=device)
        self.std = torch.full((1, 3, 1, 1), 60.0, device=device)

    def _load(self, it):
        try:
            a, b = next(it)
        except StopIteration:
            return None
        with torch.cuda.stream(self.stream):
            a = a.to(self.device, non_blocking=True).float().sub_(self.mean).div_(self.std)
            b = b.to(self.device, non_blocking=True).float().sub_(self.mean).div_(self.std)
        return a, b

    def __iter__(self):
        it = iter(self.loader)
        self.stream.wait_stream(torch.cuda.current_stream())
        nxt = self._load(it)
        while nxt is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            cur = nxt
            for t in cur:
                t.record_stream(torch.cuda.current_stream())
            nxt = self._load(it)
            yield cur


class MoCo(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = resnet34(weights=None)
        self.q.fc = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, DIM))
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(DIM, QUEUE), dim=0))
        self.ptr = 0

    @torch.no_grad()
    def update_key(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.mul_(MOM).add_(pq, alpha=1 - MOM)

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        idx = (self.ptr + torch.arange(n, device=keys.device)) % QUEUE
        self.queue[:, idx] = keys.T.to(self.queue.dtype)
        self.ptr = (self.ptr + n) % QUEUE

    def forward(self, a, b):
        q = F.normalize(self.q(a).float(), dim=1)
        with torch.no_grad():
            self.update_key()
            perm = torch.randperm(b.size(0), device=b.device)
            k = F.normalize(self.k(b[perm]).float(), dim=1)[perm.argsort()]
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone()
        logits = torch.cat([pos, neg.float()], 1) / TEMP
        self.enqueue(k)
        return logits


def main():
    torch.manual_seed(1000)
    dev = torch.device("cuda")
    model = MoCo().to(dev)
    opt = torch.optim.SGD(model.q.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
    scaler = torch.amp.GradScaler("cuda")
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[3, 5], gamma=0.1)
    loader = DataLoader(TwoViews(BATCH * ITERS), batch_size=BATCH, shuffle=True, pin_memory=True, drop_last=True)
    for i, (a, b) in enumerate(Prefetcher(loader, dev)):
        with torch.autocast("cuda", dtype=torch.float16):
            logits = model(a, b)
            loss = F.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long, device=dev))
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(model.q.parameters(), 10.0)
        scaler.step(opt)
        scaler.update()
        sched.step()
        acc = (logits.detach().argmax(1) == 0).float().mean().item()
        print(f"it {i} loss {loss.item():.4f} acc {acc:.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
