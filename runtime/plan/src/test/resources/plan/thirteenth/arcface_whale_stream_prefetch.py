"""Whale re-identification: sub-center ArcFace over many identities, prefetch on a side CUDA stream, compiled margin
function, and a retrieval evaluation (mAP@5) with query expansion."""
import math

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

IDS, SUB, EMB = 15_587, 3, 512
BATCH, STEPS, SIZE = 64, 6, 192
S, M = 30.0, 0.3


class Flukes(Dataset):
    def __init__(self, n, seed, ids=IDS):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, ids, (n,), generator=g)
        self.seed = seed

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        y = int(self.y[i])
        base = torch.rand(3, 12, 12, generator=torch.Generator().manual_seed(y))
        noise = torch.rand(3, 12, 12, generator=torch.Generator().manual_seed(self.seed * 100_003 + i))
        img = F.interpolate((base + 0.3 * noise)[None], size=(SIZE, SIZE), mode="bilinear")[0]
        return (img * 180).clamp(0, 255).to(torch.uint8), y


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream()

    def fetch(self, it):
        try:
            x, y = next(it)
        except StopIteration:
            return None
        with torch.cuda.stream(self.stream):
            x = x.pin_memory().to(self.device, non_blocking=True)
            y = y.to(self.device, non_blocking=True)
            x = (x.float() / 255 - 0.45) / 0.22
        return x, y

    def __iter__(self):
        it = iter(self.loader)
        nxt = self.fetch(it)
        while nxt is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            x, y = nxt
            x.record_stream(torch.cuda.current_stream())
            y.record_stream(torch.cuda.current_stream())
            nxt = self.fetch(it)
            yield x, y


@torch.compile(dynamic=False)
def margin_logits(cos, onehot):
    sin = (1 - cos * cos).clamp(min=1e-6).sqrt()
    phi = cos * math.cos(M) - sin * math.sin(M)
    phi = torch.where(cos > math.cos(math.pi - M), phi, cos - math.sin(M) * M)
    return S * torch.where(onehot, phi, cos)


class WhaleNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = timm.create_model("ecaresnet26t", pretrained=False, num_classes=0, global_pool="")
        self.p = nn.Parameter(torch.tensor(3.0))
        self.neck = nn.Sequential(nn.Linear(self.backbone.num_features, EMB, bias=False), nn.BatchNorm1d(EMB))
        self.weight = nn.Parameter(torch.empty(IDS * SUB, EMB))
        nn.init.xavier_uniform_(self.weight)

    def embed(self, x):
        f = self.backbone(x).float().clamp(min=1e-6)
        pooled = f.pow(self.p).mean((2, 3)).pow(1 / self.p)
        return self.neck(pooled)

    def forward(self, x):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            e = self.embed(x)
        cos = F.normalize(e.float()) @ F.normalize(self.weight).T
        return cos.view(-1, IDS, SUB).amax(-1)


@torch.no_grad()
def map5(model, device):
    model.eval()
    ds = Flukes(192, 9, ids=40)
    loader = Prefetcher(DataLoader(ds, BATCH), device)
    emb, ys = zip(*[(F.normalize(model.embed(x).float()), y) for x, y in loader])
    emb, ys = torch.cat(emb), torch.cat(ys)
    sim = emb @ emb.T
    near = sim.topk(4).indices
    emb = F.normalize(emb[near].mean(1))
    sim = (emb @ emb.T).fill_diagonal_(-2)
    hit = ys[sim.topk(5).indices] == ys[:, None]
    first = hit.float().argmax(1)
    return torch.where(hit.any(1), 1 / (first + 1.0), torch.zeros_like(first, dtype=torch.float)).mean().item()


def main():
    torch.manual_seed(500)
    device = torch.device("cuda")
    model = WhaleNet().to(device)
    opt = torch.optim.SGD(
        [{"params": [p for n, p in model.named_parameters() if n != "weight"], "lr": 0.02}, {"params": [model.weight], "lr": 0.2}],
        momentum=0.9, weight_decay=5e-4,
    )
    train = Prefetcher(DataLoader(Flukes(BATCH * STEPS, 1), BATCH, shuffle=True, drop_last=True), device)
    model.train()
    for step, (x, y) in enumerate(train):
        cos = model(x)
        onehot = torch.zeros_like(cos, dtype=torch.bool).scatter_(1, y[:, None], True)
        loss = F.cross_entropy(margin_logits(cos, onehot), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print(f"step {step} loss {loss.item():.4f} p {model.p.item():.3f} peak {torch.cuda.max_memory_allocated() >> 20} MiB")
    print("mAP@5", round(map5(model, device), 4))


if __name__ == "__main__":
    main()
