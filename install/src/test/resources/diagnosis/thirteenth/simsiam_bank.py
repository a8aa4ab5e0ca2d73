# limit: 1.5
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18


class SimSiam(nn.Module):
    def __init__(self, dim=2048):
        super().__init__()
        net = resnet18(weights=None)
        net.fc = nn.Linear(512, dim)
        self.encoder = net
        self.predictor = nn.Sequential(nn.Linear(dim, 256), nn.BatchNorm1d(256),
                                       nn.ReLU(), nn.Linear(256, dim))

    def forward(self, a, b):
        za, zb = self.encoder(a), self.encoder(b)
        pa, pb = self.predictor(za), self.predictor(zb)
        loss = -0.5 * (F.cosine_similarity(pa, zb.detach()).mean()
                       + F.cosine_similarity(pb, za.detach()).mean())
        return loss, za


class KnnMonitor:
    """Keeps embeddings + labels so a kNN probe can be run during training."""

    def __init__(self, dim, device):
        self.bank = torch.empty(0, dim, device=device)
        self.labels = torch.empty(0, dtype=torch.long, device=device)

    @torch.no_grad()
    def update(self, feats, labels, views=8):
        feats = F.normalize(feats.detach().float(), dim=1)
        # a few noisy copies make the probe less jumpy
        feats = feats.repeat(views, 1) + 0.01 * torch.randn(
            len(feats) * views, feats.shape[1], device=feats.device)
        self.bank = torch.cat([self.bank, feats])
        self.labels = torch.cat([self.labels, labels.repeat(views)])

    @torch.no_grad()
    def probe(self, feats, labels, k=20):
        sim = F.normalize(feats, dim=1) @ self.bank.T
        near = self.labels[sim.topk(k, dim=1).indices]
        return (near.mode(1).values == labels).float().mean().item()


def main():
    torch.manual_seed(0)
    dev = "cuda"
    model = SimSiam().to(dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    monitor = KnnMonitor(2048, dev)
    for epoch in range(10):
        for step in range(25):
            base = torch.rand(128, 3, 64, 64, device=dev)
            y = torch.randint(0, 10, (128,), device=dev)
            a = base + 0.1 * torch.randn_like(base)
            b = base.flip(-1)
            loss, z = model(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            monitor.update(z, y)
        acc = monitor.probe(z.detach(), y)
        print(f"epoch {epoch} loss {loss.item():.4f} knn {acc:.3f} bank {len(monitor.bank)}")


if __name__ == "__main__":
    main()
