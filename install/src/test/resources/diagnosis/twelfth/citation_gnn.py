# limit: 1.25
import torch
from torch import nn

HID = 128
N_NODES = 200_000
N_EDGES = 4_000_000


class SageLayer(nn.Module):
    def __init__(self, din, dout):
        super().__init__()
        self.own = nn.Linear(din, dout)
        self.nbr = nn.Linear(din, dout, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index
        messages = x[src]
        agg = torch.zeros_like(x).index_add_(0, dst, messages)
        return self.own(x) + self.nbr(agg)


class Sage(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = SageLayer(HID, HID)
        self.b = SageLayer(HID, HID)
        self.cls = nn.Linear(HID, 40)

    def forward(self, x, edges):
        return self.cls(torch.relu(self.b(torch.relu(self.a(x, edges)), edges)))


def sampled_subgraph(x, y, n=10_000, e=100_000):
    nodes = torch.randint(0, N_NODES, (n,), device=x.device)
    edges = torch.randint(0, n, (2, e), device=x.device)
    return x[nodes], y[nodes], edges


def main():
    torch.manual_seed(0)
    x = torch.randn(N_NODES, HID, device="cuda")
    y = torch.randint(0, 40, (N_NODES,), device="cuda")
    edges = torch.randint(0, N_NODES, (2, N_EDGES), device="cuda")
    model = Sage().to("cuda")
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(3):
        model.train()
        for _ in range(10):
            sx, sy, se = sampled_subgraph(x, y)
            loss = nn.functional.cross_entropy(model(sx, se), sy)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} train loss {loss.item():.3f}")
    model.eval()
    with torch.no_grad():
        acc = (model(x, edges).argmax(-1) == y).float().mean()
    print(f"full graph accuracy {acc.item():.4f}")


if __name__ == "__main__":
    main()
