# Full-batch GCN/SAGE on a random graph of the size of ogbn-arxiv's, without any graph library.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(10)
device = torch.device("cuda")

NUM_NODES = 80_000
NUM_EDGES = 600_000
IN_DIM = 128
HIDDEN = 256
CLASSES = 40
LAYERS = 3
EPOCHS = 5


def random_graph(n, e):
    # preferential-looking: squares of uniform numbers for one end
    src = (torch.rand(e, device=device) ** 2 * n).long().clamp(max=n - 1)
    dst = torch.randint(0, n, (e,), device=device)
    ei = torch.stack([torch.cat([src, dst]), torch.cat([dst, src])])      # undirected
    loops = torch.arange(n, device=device).repeat(2, 1)
    return torch.cat([ei, loops], 1)


def gcn_norm(ei, n):
    deg = torch.zeros(n, device=device).index_add_(0, ei[1], torch.ones(ei.size(1), device=device))
    dis = deg.rsqrt()
    return dis[ei[0]] * dis[ei[1]]


class GCNConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x, ei, w):
        x = self.lin(x)
        msg = x.index_select(0, ei[0]) * w.unsqueeze(1)
        out = torch.zeros_like(x).index_add(0, ei[1], msg)
        return out + self.bias


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        dims = [IN_DIM] + [HIDDEN] * (LAYERS - 1) + [CLASSES]
        self.convs = nn.ModuleList(GCNConv(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.bns = nn.ModuleList(nn.BatchNorm1d(HIDDEN) for _ in range(LAYERS - 1))

    def forward(self, x, ei, w):
        for conv, bn in zip(self.convs[:-1], self.bns):
            x = F.dropout(F.relu(bn(conv(x, ei, w))), p=0.5, training=self.training)
        return self.convs[-1](x, ei, w).log_softmax(-1)


x = torch.randn(NUM_NODES, IN_DIM, device=device)
y = torch.randint(0, CLASSES, (NUM_NODES,), device=device)
edge_index = random_graph(NUM_NODES, NUM_EDGES)
edge_weight = gcn_norm(edge_index, NUM_NODES)
perm = torch.randperm(NUM_NODES, device=device)
train_idx, val_idx, test_idx = perm[:NUM_NODES // 2], perm[NUM_NODES // 2:NUM_NODES * 3 // 4], perm[NUM_NODES * 3 // 4:]

model = GCN().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005, weight_decay=5e-4)


def train():
    model.train()
    optimizer.zero_grad()
    out = model(x, edge_index, edge_weight)[train_idx]
    loss = F.nll_loss(out, y[train_idx])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def test():
    model.eval()
    pred = model(x, edge_index, edge_weight).argmax(-1)
    return [(pred[i] == y[i]).float().mean().item() for i in (train_idx, val_idx, test_idx)]


for epoch in range(1, EPOCHS + 1):
    loss = train()
    tr, va, te = test()
    print(f"Epoch: {epoch:02d}, Loss: {loss:.4f}, Train: {100 * tr:.2f}%, Valid: {100 * va:.2f}% Test: {100 * te:.2f}%")
print(f"memory: {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
