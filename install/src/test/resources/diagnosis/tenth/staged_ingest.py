# limit: 2
import torch
import torch.nn as nn

device = "cuda"
staging = torch.cuda.MemPool()


def resample(volume, factor):
    return nn.functional.interpolate(volume, scale_factor=factor, mode="nearest")


def ingest(n):
    """Volumes are read and resampled in their own pool, so that training is not disturbed by these large blocks."""
    out = []
    with torch.cuda.use_mem_pool(staging), torch.no_grad():
        for i in range(n):
            raw = torch.randn(1, 1, 512, 512, 512, device=device)
            raw = (raw - raw.mean()) / raw.std()
            small = resample(raw, 0.125)
            out.append(small.cpu())
            del raw, small
    return torch.cat(out)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(64 ** 3, 256), nn.ReLU(), nn.Linear(256, 5))

    def forward(self, x):
        return self.net(x)


volumes = ingest(6)
print("ingested", tuple(volumes.shape), "in use", torch.cuda.memory_allocated() // 2**20, "MiB")
model = Classifier().to(device)
opt = torch.optim.Adam(model.parameters(), lr=1e-4)
for epoch in range(10):
    x = volumes.to(device)
    y = torch.randint(0, 5, (x.shape[0],), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, loss.item())
