import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class GIN(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.net = nn.Sequential(nn.Linear(width, inner), nn.BatchNorm1d(inner), nn.ReLU(), nn.Linear(inner, width))
        self.bond = nn.Embedding(5, width)

    def forward(self, x, edges, kinds):
        source, target = edges
        message = F.relu(x[source] + self.bond(kinds))
        gathered = torch.zeros_like(x).index_add_(0, target, message)
        return self.net((1 + self.eps) * x + gathered)


class Network(nn.Module):
    def __init__(self, width=256, layers=4):
        super().__init__()
        self.atom = nn.Embedding(120, width)
        self.layers = nn.ModuleList(GIN(width, 2 * width) for _ in range(layers))
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(layers))
        self.out = nn.Linear(width, 12)

    def forward(self, atoms, edges, kinds, graph, graphs):
        x = self.atom(atoms)
        for layer, norm in zip(self.layers, self.norms):
            x = x + F.dropout(F.relu(norm(layer(x, edges, kinds))), 0.2, self.training)
        index = graph[:, None].expand_as(x)
        pooled = torch.zeros(graphs, x.shape[1], device=x.device).scatter_reduce(0, index, x, "mean", include_self=False)
        return self.out(pooled)


model = Network().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)
for _ in range(3):
    nodes, links, graphs = 30000, 66000, 1200
    atoms = torch.randint(0, 120, (nodes,), device="cuda")
    edges = torch.randint(0, nodes, (2, links), device="cuda")
    kinds = torch.randint(0, 5, (links,), device="cuda")
    graph = torch.sort(torch.randint(0, graphs, (nodes,), device="cuda"))[0]
    label = torch.randint(0, 2, (graphs, 12), device="cuda").float()
    label[:, 3] = float("nan")
    logits = model(atoms, edges, kinds, graph, graphs)
    known = ~torch.isnan(label)
    loss = F.binary_cross_entropy_with_logits(torch.where(known, logits, 0.0), torch.nan_to_num(label), weight=known.float())
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step(loss.item())
