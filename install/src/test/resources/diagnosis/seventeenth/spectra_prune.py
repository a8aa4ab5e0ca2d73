# limit: 1.55
# Mass spectra: load the shards, drop the uninformative channels, train on the rest.
import torch
import torch.nn as nn

SHARDS = 14
ROWS, CHANNELS = 12_288, 2_048
KEEP = 1_240


def load_shard(i):
    g = torch.Generator().manual_seed(i)
    base = torch.rand(ROWS, 1, generator=g).to("cuda")
    return base + torch.rand(ROWS, CHANNELS, device="cuda")


def load_all():
    shards = []
    for i in range(SHARDS):
        shards.append(load_shard(i))
    return shards


def informative(shards, keep):
    var = torch.zeros(CHANNELS, device="cuda")
    for s in shards:
        var += s[::16].var(dim=0)
    return var.topk(keep).indices.sort().values


def prune(shards, idx):
    """Replace every shard by its informative channels (in place in the list)."""
    for i in range(len(shards)):
        shards[i] = shards[i].index_select(1, idx)
    return shards


class AutoEncoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(width, 1024), nn.ReLU(), nn.Linear(1024, 64))
        self.dec = nn.Sequential(nn.Linear(64, 1024), nn.ReLU(), nn.Linear(1024, width))

    def forward(self, x):
        return self.dec(self.enc(x))


def train(shards, epochs=3):
    net = AutoEncoder(shards[0].shape[1]).cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(epochs):
        tot = 0.0
        for s in shards:
            x = s[torch.randperm(len(s), device="cuda")]
            loss = nn.functional.mse_loss(net(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        print(f"epoch {epoch}: {tot / len(shards):.4f}", flush=True)


def main():
    torch.manual_seed(31)
    shards = load_all()
    idx = informative(shards, KEEP)
    shards = prune(shards, idx)
    used = sum(s.nbytes for s in shards) >> 20
    print(f"kept {KEEP} of {CHANNELS} channels, {used} MiB of spectra", flush=True)
    train(shards)


if __name__ == "__main__":
    main()
