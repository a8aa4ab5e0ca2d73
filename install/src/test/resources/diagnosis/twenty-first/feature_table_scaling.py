# limit: 2.2
"""Loads precomputed sentence features to the GPU, scales them and fits a linear probe."""
import torch
import torch.nn.functional as F

ROWS, DIM, SHARDS = 240_000, 1024, 12


def shards(seed=0):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(SHARDS):
        yield torch.randn(ROWS // SHARDS, DIM, generator=gen) * 3 + 1


class FeatureTable:
    def __init__(self):
        self.x = torch.empty(ROWS, DIM, device="cuda")
        at = 0
        for s in shards():
            self.x[at:at + len(s)] = s.to("cuda")
            at += len(s)

    def stats(self):
        mean = self.x.mean(0)
        std = torch.stack([(self.x[:, c:c + 64] - mean[c:c + 64]).pow(2).mean(0).sqrt()
                           for c in range(0, DIM, 64)]).flatten()
        return mean, std

    def scale(self, mean, std):
        self.x = (self.x - mean) / std.clamp_min(1e-6)
        return self


def probe(table, labels, steps=300, lr=0.5):
    w = torch.zeros(DIM, 10, device="cuda", requires_grad=True)
    for step in range(steps):
        rows = torch.randint(0, ROWS, (4096,), device="cuda")
        loss = F.cross_entropy(table.x[rows] @ w, labels[rows])
        (g,) = torch.autograd.grad(loss, w)
        with torch.no_grad():
            w -= lr * g
        if step % 100 == 0:
            print("probe", step, loss.item())
    return w


def main():
    torch.manual_seed(0)
    table = FeatureTable()
    print("table loaded", torch.cuda.memory_allocated() >> 20, "MiB")
    mean, std = table.stats()
    print("mean", mean.mean().item(), "std", std.mean().item(), "peak", torch.cuda.max_memory_allocated() >> 20)
    labels = torch.randint(0, 10, (ROWS,), device="cuda")
    probe(table.scale(mean, std), labels)


if __name__ == "__main__":
    main()
