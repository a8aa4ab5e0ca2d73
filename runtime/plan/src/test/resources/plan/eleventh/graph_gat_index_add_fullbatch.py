"""Full-batch graph attention on a random power-law graph, message passing by index_add_ / scatter_reduce."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_NODES = 40_000
N_EDGES = 400_000
F_IN, HID, HEADS, CLASSES = 256, 32, 4, 40
EPOCHS = 6
device = torch.device("cuda")


def power_law_graph(n, e, seed):
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(0, n, (e,), generator=g)
    dst = (n * torch.rand(e, generator=g).pow(2.5)).long().clamp(max=n - 1)
    loops = torch.arange(n)
    return torch.cat([src, dst, loops]), torch.cat([dst, src, loops])


def edge_softmax(score, dst, n):
    """softmax over the incoming edges of each node; score is [E, H]"""
    idx = dst.unsqueeze(-1).expand_as(score)
    mx = torch.full((n, score.size(1)), float("-inf"), device=score.device, dtype=score.dtype)
    mx = mx.scatter_reduce(0, idx, score.detach(), reduce="amax", include_self=True)
    ex = (score - mx[dst]).exp()
    den = torch.zeros(n, score.size(1), device=score.device, dtype=score.dtype).index_add(0, dst, ex)
    return ex / (den[dst] + 1e-9)


class GATLayer(nn.Module):
    def __init__(self, cin, cout, heads, concat=True):
        super().__init__()
        self.h, self.c, self.concat = heads, cout, concat
        self.lin = nn.Linear(cin, heads * cout, bias=False)
        self.a_src = nn.Parameter(torch.empty(heads, cout))
        self.a_dst = nn.Parameter(torch.empty(heads, cout))
        self.bias = nn.Parameter(torch.zeros(heads * cout if concat else cout))
        nn.init.xavier_uniform_(self.a_src)
        nn.init.xavier_uniform_(self.a_dst)

    def forward(self, x, src, dst):
        n = x.size(0)
        z = self.lin(x).view(n, self.h, self.c)
        s = F.leaky_relu((z * self.a_src).sum(-1)[src] + (z * self.a_dst).sum(-1)[dst], 0.2)
        alpha = F.dropout(edge_softmax(s, dst, n), 0.2, self.training)
        msg = z[src] * alpha.unsqueeze(-1)
        out = torch.zeros_like(z).index_add_(0, dst, msg)
        out = out.flatten(1) if self.concat else out.mean(1)
        return out + self.bias


class GAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = GATLayer(F_IN, HID, HEADS)
        self.l2 = GATLayer(HID * HEADS, HID, HEADS)
        self.l3 = GATLayer(HID * HEADS, CLASSES, 2, concat=False)

    def forward(self, x, src, dst):
        x = F.elu(self.l1(F.dropout(x, 0.3, self.training), src, dst))
        x = x + F.elu(self.l2(x, src, dst))
        return self.l3(x, src, dst)


def main():
    torch.manual_seed(21)
    src, dst = (t.to(device) for t in power_law_graph(N_NODES, N_EDGES, 21))
    y = torch.randint(0, CLASSES, (N_NODES,), device=device)
    proto = torch.randn(CLASSES, F_IN, device=device)
    x = proto[y] + 2.0 * torch.randn(N_NODES, F_IN, device=device)
    split = torch.rand(N_NODES, device=device)
    train, val = split < 0.5, split >= 0.8

    model = GAT().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(EPOCHS):
        model.train()
        opt.zero_grad()
        out = model(x, src, dst)
        loss = F.cross_entropy(out[train], y[train])
        loss.backward()
        opt.step()
        if epoch % 2 == 1:
            model.eval()
            with torch.no_grad():
                acc = (model(x, src, dst)[val].argmax(-1) == y[val]).float().mean().item()
            print(f"epoch {epoch} loss {loss.item():.4f} val {acc:.3f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
