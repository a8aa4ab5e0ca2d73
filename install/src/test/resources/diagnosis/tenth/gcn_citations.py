# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F

NODES, EDGES, FEATURES, CLASSES = 40_000, 400_000, 256, 12
torch.manual_seed(2)
device = "cuda"


class GCNLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x, src, dst, norm):
        h = self.lin(x)
        out = torch.zeros_like(h).index_add(0, dst, h[src] * norm[:, None])
        return out + self.bias


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = GCNLayer(FEATURES, 64), GCNLayer(64, CLASSES)

    def forward(self, x, *graph):
        return self.b(F.relu(self.a(x, *graph)), *graph)


src = torch.randint(0, NODES, (EDGES,), device=device)
dst = torch.randint(0, NODES, (EDGES,), device=device)
degree = torch.ones(NODES, device=device).index_add(0, dst, torch.ones(EDGES, device=device))
norm = (degree[src] * degree[dst]).rsqrt()
x = torch.randn(NODES, FEATURES, device=device)
y = torch.randint(0, CLASSES, (NODES,), device=device)
train = torch.arange(0, NODES, 2, device=device)
test = torch.arange(1, NODES, 2, device=device)

model = GCN().to(device)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(60):
    model.train()
    out = model(x, src, dst, norm)
    loss = F.cross_entropy(out[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        model.eval()
        with torch.no_grad():
            acc = (model(x, src, dst, norm)[test].argmax(1) == y[test]).float().mean().item()
        print(epoch, loss.item(), acc)
