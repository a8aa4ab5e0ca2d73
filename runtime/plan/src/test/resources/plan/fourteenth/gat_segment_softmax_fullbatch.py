"""Full-batch GATv2 on a random power-law graph, messages by index_add / scatter_reduce."""
import time
import torch
from torch import nn
import torch.nn.functional as F


class GATv2Layer(nn.Module):
    def __init__(self, i, o, heads, concat=True, p=0.2):
        super().__init__()
        self.h, self.o, self.concat = heads, o, concat
        self.src = nn.Linear(i, heads * o)
        self.dst = nn.Linear(i, heads * o)
        self.att = nn.Parameter(torch.empty(1, heads, o))
        nn.init.xavier_uniform_(self.att)
        self.drop = nn.Dropout(p)
        self.res = nn.Linear(i, heads * o if concat else o, bias=False)

    def forward(self, x, ei):
        n = x.size(0)
        s, d = ei
        hs = self.src(x).view(n, self.h, self.o)
        hd = self.dst(x).view(n, self.h, self.o)
        e = (F.leaky_relu(hs[s] + hd[d], 0.2) * self.att).sum(-1)
        # segment softmax
        with torch.no_grad():
            mx = torch.full((n, self.h), float("-inf"), device=x.device)
            mx.scatter_reduce_(0, d[:, None].expand_as(e), e, reduce="amax")
        w = (e - mx[d]).exp()
        z = torch.zeros(n, self.h, device=x.device).index_add(0, d, w)
        w = self.drop(w / (z[d] + 1e-9))
        out = torch.zeros(n, self.h, self.o, device=x.device).index_add(0, d, w[..., None] * hs[s])
        out = out.flatten(1) if self.concat else out.mean(1)
        return out + self.res(x)


class GAT(nn.Module):
    def __init__(self, i, hid, classes, heads=4, layers=3):
        super().__init__()
        self.layers = nn.ModuleList()
        self.norms = nn.ModuleList()
        d = i
        for _ in range(layers - 1):
            self.layers.append(GATv2Layer(d, hid, heads))
            self.norms.append(nn.LayerNorm(hid * heads))
            d = hid * heads
        self.layers.append(GATv2Layer(d, classes, heads, concat=False))

    def forward(self, x, ei):
        for l, n in zip(self.layers[:-1], self.norms):
            x = F.dropout(F.elu(n(l(x, ei))), 0.3, self.training)
        return self.layers[-1](x, ei)


def power_law_graph(n, e, gen):
    u = torch.rand(e, generator=gen)
    hubs = (n * u.pow(2.5)).long().clamp(max=n - 1)
    other = torch.randint(0, n, (e,), generator=gen)
    ei = torch.stack([torch.cat([hubs, other]), torch.cat([other, hubs])])
    loops = torch.arange(n).expand(2, -1)
    return torch.cat([ei, loops], 1)


def main():
    NODES = 40_000
    EDGES = 200_000
    FEATS = 128
    CLASSES = 12
    gen = torch.Generator().manual_seed(5)
    torch.manual_seed(5)
    dev = "cuda"
    ei = power_law_graph(NODES, EDGES, gen).to(dev)
    y = torch.randint(0, CLASSES, (NODES,), generator=gen)
    x = F.one_hot(y, FEATS).float() + torch.randn(NODES, FEATS, generator=gen)
    x, y = x.to(dev), y.to(dev)
    perm = torch.randperm(NODES, generator=gen).to(dev)
    tr, va = perm[: NODES // 2], perm[NODES // 2:]
    net = GAT(FEATS, 32, CLASSES).to(dev)
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=5e-4, foreach=False)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 6)
    t0 = time.time()
    for ep in range(6):
        net.train()
        opt.zero_grad()
        out = net(x, ei)
        loss = F.cross_entropy(out[tr], y[tr], label_smoothing=0.05)
        loss.backward()
        opt.step()
        sched.step()
        line = f"epoch {ep} loss {loss.item():.4f}"
        if ep % 2 == 1:
            net.eval()
            with torch.inference_mode():
                acc = (net(x, ei)[va].argmax(-1) == y[va]).float().mean()
            line += f" val acc {acc.item():.3f}"
        print(line)
    print(f"{time.time() - t0:.1f}s, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
