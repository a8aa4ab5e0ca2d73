# limit: 1.7
# Calibrate a trained network: collect logits on a held-out set, fit the temperature, report ECE.
# "The first batch goes through, so the batch size is ok?! The second one always fails."
import torch
import torch.nn.functional as F
import torchvision

torch.manual_seed(5)
BATCH = 12


def held_out(n_batches):
    g = torch.Generator().manual_seed(8)
    for _ in range(n_batches):
        yield torch.randn(BATCH, 3, 224, 224, generator=g), torch.randint(0, 200, (BATCH,), generator=g)


class Calibrator:
    def __init__(self, net):
        self.net = net.cuda().eval()
        self.temperature = 1.0

    def collect(self, batches):
        logits, labels = [], []
        for i, (x, y) in enumerate(batches):
            out = self.net(x.cuda())
            logits.append(out.detach().cpu())
            labels.append(y)
            print(f"  batch {i}: mean confidence {out.softmax(-1).max(-1).values.mean().item():.3f}")
        return torch.cat(logits), torch.cat(labels)

    def fit(self, logits, labels):
        t = torch.ones(1, requires_grad=True)
        opt = torch.optim.LBFGS([t], lr=0.05, max_iter=40)

        def closure():
            opt.zero_grad()
            loss = F.cross_entropy(logits / t, labels)
            loss.backward()
            return loss

        opt.step(closure)
        self.temperature = t.item()
        return self.temperature


def ece(logits, labels, bins=10):
    conf, pred = logits.softmax(-1).max(-1)
    hit = (pred == labels).float()
    total = 0.0
    for b in range(bins):
        m = (conf > b / bins) & (conf <= (b + 1) / bins)
        if m.any():
            total += m.float().mean() * (conf[m].mean() - hit[m].mean()).abs()
    return float(total)


cal = Calibrator(torchvision.models.resnet50(weights=None, num_classes=200))
logits, labels = cal.collect(held_out(8))
print("before", ece(logits, labels))
t = cal.fit(logits, labels)
print("temperature", t, "after", ece(logits / t, labels))
