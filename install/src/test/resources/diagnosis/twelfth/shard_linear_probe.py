# limit: 1.1
"""Linear probe on precomputed embeddings that come in big shards."""
import torch
from torch import nn

DIM = 768
ROWS = 204800          # 600 MiB in float32
CLASSES = 100


class ShardStore:
    def __init__(self, count):
        self.count = count

    def load(self, idx):
        g = torch.Generator(device="cuda").manual_seed(idx)
        feats = torch.randn(ROWS, DIM, generator=g, device="cuda")
        labels = torch.randint(0, CLASSES, (ROWS,), generator=g, device="cuda")
        return feats, labels

    def __len__(self):
        return self.count


def fit_shard(probe, opt, feats, labels, bs=4096):
    last = None
    for s in range(0, len(feats), bs):
        logits = probe(feats[s:s + bs])
        loss = nn.functional.cross_entropy(logits, labels[s:s + bs])
        opt.zero_grad()
        loss.backward()
        opt.step()
        last = loss
    return last.item()


def main():
    torch.manual_seed(1)
    probe = nn.Linear(DIM, CLASSES).to("cuda")
    opt = torch.optim.SGD(probe.parameters(), lr=0.1, momentum=0.9)
    store = ShardStore(6)
    for epoch in range(2):
        for i in range(len(store)):
            feats, labels = store.load(i)
            loss = fit_shard(probe, opt, feats, labels)
            print(f"epoch {epoch} shard {i} loss {loss:.3f}")


if __name__ == "__main__":
    main()
